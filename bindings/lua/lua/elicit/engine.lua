--- An engine or the machine of a connection, and the stateless operations. docs/reference/abi.md and
--- docs/reference/relay.md describe the events, effects and operations.
local Fault = require('elicit.fault')
local json = require('elicit.json')
local library = require('elicit.library')

local Engine = {}
Engine.__index = Engine

local function text_of(document)
  return type(document) == 'string' and document or json.encode(document)
end

--- The text of an input: its beginning, and the time and random bytes if they are given.
local function finished(out, at, random)
  if at then
    out = out .. (',"at":%.0f'):format(at)
  end
  if random then
    out = out .. ',"random":' .. json.encode(random)
  end
  return out .. '}'
end

local function timed(name, document, at, random)
  return finished('{"' .. name .. '":' .. document, at, random)
end

--- Whether an event is wrapped, as {"event":{…}}. The member `event` of a bare event is its name. A text that is no
--- JSON counts as bare, and the library refuses it.
local function is_wrapped(event)
  if type(event) == 'table' then
    return type(event.event) == 'table'
  end
  local ok, inner = pcall(json.member, event, 'event')
  return ok and inner ~= nil and inner:byte() == 0x7b
end

--- The effects of a step. `text` is the exact text of an effect. A record is text, because the journal must keep its
--- exact bytes.
local function effects(output)
  local list = {}
  for text in json.items(json.member(output, 'effects')) do
    local effect = json.decode(text)
    if effect.question_text then
      effect.question = json.decode(effect.question_text)
    end
    effect.text = text
    list[#list + 1] = effect
  end
  return list
end

--- Opens an engine. `config` is a table or JSON text. It throws an elicit.fault for a configuration with problems. `at`
--- and `random` are as for `step`.
function Engine.open(config, at, random)
  local text = text_of(config and next(config) ~= nil and config or json.object())
  local handle, out = library.open(finished('{"texts":true,"config":' .. text, at, random))
  --- `beginning` has the effects of configuring the engine: the first record of the journal.
  return setmetatable({ handle = handle, config = text, beginning = effects(out) }, Engine)
end

--- Opens the machine of one connection, which reads the messages of both ends. `relay` is a table or JSON text.
function Engine.connection(relay)
  local handle, out = library.open(finished('{"texts":true,"relay":' .. text_of(relay)))
  return setmetatable({ handle = handle, beginning = effects(out) }, Engine)
end

--- Opens the machine of one connection whose effects come from `next`. `random()` gives the random bytes of the first
--- record, and `elapsed` is the time of a clock that nobody sets; the library has its own.
function Engine.pulled(relay, random, at, elapsed)
  local head = '{"pull":true,' .. (elapsed and ('"elapsed":%.0f,'):format(elapsed) or '') .. '"relay":'
  local bytes = random and random():gsub('.', function(byte)
    return ('%02x'):format(byte:byte())
  end)
  local handle = library.open(finished(head .. text_of(relay), at, bytes))
  return setmetatable({ handle = handle }, Engine)
end

--- The next effect to perform, and the message of a forward or a send. {wait = milliseconds} says that nothing is due
--- for so long; -1 is without end. `calls` has append(record), consult(text) and random(); see elicit.drive.
function Engine:next(calls, at, elapsed)
  local text, message = library.next(self.handle, calls, at, elapsed)
  local effect = json.decode(text)
  effect.text = text
  return effect, message
end

--- Gives a connection a message from the "client" or the "server", its bytes unchanged, and returns the effects.
function Engine:receive(from, message)
  return effects(library.receive(self.handle, from, message))
end

--- Gives the engine one event, a table or JSON text, and returns the effects to perform, in order. The event may be
--- bare or wrapped, {event = {…}, at = …, random = …}, as for elicit_step of C. `at` is milliseconds since 1970-01-01
--- UTC. `random` is 32 random bytes as 64 hex digits. With both, the output is the same bytes on every platform. A
--- value that is given here and in the wrapped event is an error.
function Engine:step(event, at, random)
  local text = text_of(event)
  if is_wrapped(event) then
    return effects(library.step(self.handle, finished(text:gsub('}%s*$', ''), at, random)))
  end
  return effects(library.step(self.handle, timed('event', text, at, random)))
end

--- The whole state of a session as text, or nil if the session is not open. Protect it: anyone who can change it can
--- agree in place of the person.
function Engine:save(session)
  local ok, out = pcall(library.step, self.handle, json.encode({ save = session }))
  if ok then
    return json.member(out, 'state')
  end
  if Fault.is(out) and out.status == 'invalid' then
    return nil
  end
  error(out, 0)
end

--- The grants that are in force now.
function Engine:grants()
  return json.decode(library.step(self.handle, '{"list":"grants"}')).grants
end

--- Releases the engine in the library. It may be called again.
function Engine:close()
  if self.handle then
    library.close(self.handle)
    self.handle = nil
  end
end

--- The policy that the administrator of this machine wrote, for `policy` of a configuration: managed_text and
--- managed_path, or nothing. A file that cannot be used declines every question.
function Engine.managed_policy()
  return json.decode(library.eval('managed_policy', '{}')).policy
end

--- Runs a stateless operation. Its output is JSON text, for json.decode or json.member.
function Engine.eval(operation, input)
  return library.eval(operation, text_of(input))
end

--- Gives the library a guardian's module, the bytes of a Wasm file, and returns its description. A guardian whose grant
--- has the digest of such a module runs inside a step.
function Engine.guest(module)
  return json.decode(library.guest(module))
end

--- Gives the library a guardian's data document, at most 4 MiB of any bytes, and returns the digest by which a grant
--- names it.
function Engine.data(document)
  return json.decode(library.data(document)).digest
end

--- A list of problems, reasons, findings or causes as English sentences, in the same order, or findings as warnings.
function Engine.explain(kind, list)
  if not list or #list == 0 then
    return {}
  end
  return json.decode(library.eval('explain', json.encode({ [kind] = list })))[kind]
end

--- A fault in English: its problems and their places.
function Engine.why(fault)
  local said = Engine.explain('problems', fault.problems)
  for i, problem in ipairs(fault.problems or {}) do
    said[i] = problem.pointer == '' and said[i] or ('%s (at %s)'):format(said[i], problem.pointer)
  end
  return #said > 0 and table.concat(said, '; ') or tostring(fault)
end

return Engine
