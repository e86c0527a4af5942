--- One engine, or the machine of one connection, and the operations that need neither. Events, effects and operations are
--- those of docs/abi.md and docs/relay.md.
local Fault = require('elicit.fault')
local json = require('elicit.json')
local library = require('elicit.library')

local Engine = {}
Engine.__index = Engine

local function text_of(document)
  return type(document) == 'string' and document or json.encode(document)
end

--- An input with time and dice beside its document, where they are given.
local function timed(name, document, at, dice)
  local out = '{"' .. name .. '":' .. document
  if at then
    out = out .. (',"at":%.0f'):format(at)
  end
  if dice then
    out = out .. ',"dice":' .. json.encode(dice)
  end
  return out .. '}'
end

--- The effects of a step. `text` is an effect's exact text; a record is nothing but text: its bytes are what is kept.
local function effects(output)
  local list = {}
  for text in json.items(json.member(output, 'effects')) do
    if text:find('^{"effect":"append"') then
      list[#list + 1] = { effect = 'append', record = json.member(text, 'record') }
    else
      local effect = json.decode(text)
      effect.text = text
      list[#list + 1] = effect
    end
  end
  return list
end

--- `config` is a table, or JSON text.
function Engine.open(config, at, dice)
  local text = text_of(config and next(config) ~= nil and config or json.object())
  local handle, out = library.open(timed('config', text, at, dice))
  --- `beginning`: what configuring asks for, the first record of the journal.
  return setmetatable({ handle = handle, config = text, beginning = effects(out) }, Engine)
end

--- The machine of one connection, which reads the messages of both ends. `relay` is a table, or JSON text.
function Engine.connection(relay)
  local handle, out = library.open(timed('relay', text_of(relay)))
  return setmetatable({ handle = handle, beginning = effects(out) }, Engine)
end

--- Gives a connection a message, its bytes as they are, as received from the "client" or the "server".
function Engine:receive(from, message)
  return effects(library.receive(self.handle, from, message))
end

--- Gives the engine one event, a table or JSON text, and returns what has to be done, in order. `at` is milliseconds since
--- 1970, `dice` 64 hex digits; with both given the output is the same bytes everywhere.
function Engine:step(event, at, dice)
  return effects(library.step(self.handle, timed('event', text_of(event), at, dice)))
end

--- A session's whole state as text, nil when it is not open. Whoever can write it can agree for the person.
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

function Engine:grants()
  return json.decode(library.step(self.handle, '{"list":"grants"}')).grants
end

--- It may be called again.
function Engine:close()
  if self.handle then
    library.close(self.handle)
    self.handle = nil
  end
end

--- Runs a stateless operation. The output is text, for json.decode or json.member.
function Engine.eval(operation, input)
  return library.eval(operation, text_of(input))
end

--- Gives the library a guardian's module, the bytes of a Wasm file, and says what it is. Guardians that a configuration names
--- by that digest run inside a step.
function Engine.guest(module)
  return json.decode(library.guest(module))
end

--- Lists of problems, reasons, findings or causes as English sentences, in the same order.
function Engine.explain(kind, list)
  if not list or #list == 0 then
    return {}
  end
  return json.decode(library.eval('explain', json.encode({ [kind] = list })))[kind]
end

--- A fault in English: what the engine says is wrong, and where.
function Engine.why(fault)
  local said = Engine.explain('problems', fault.problems)
  for i, problem in ipairs(fault.problems or {}) do
    said[i] = problem.pointer == '' and said[i] or ('%s (at %s)'):format(said[i], problem.pointer)
  end
  return #said > 0 and table.concat(said, '; ') or tostring(fault)
end

return Engine
