--- A client of one MCP server over stdio: enough to call tools, and all of elicitation, in the three protocol dates.
local Engine = require('elicit.engine')
local Pipe = require('elicit.pipe')
local json = require('elicit.json')

local Client = {}
Client.__index = Client

local connections = 0
local invalid_request, no_method, invalid_params, broken, url_required = -32600, -32601, -32602, -32603, -32042
local newest, rounds = '2025-11-25', '2026-07-28'

--- `options`: name (what you call the server: shown to the person and matched by policy), cmd, cwd, env, driver, ui (see
--- elicit.desk), ready(client), gone(why).
function Client.start(options)
  connections = connections + 1
  local self = setmetatable({
    name = options.name,
    options = options,
    driver = options.driver,
    session = 'nvim-' .. connections,
    version = newest,
    last = 0,
    calls = {},
    asked = {},
    state = 'starting',
  }, Client)
  self.pipe = Pipe.open({
    cmd = options.cmd,
    cwd = options.cwd,
    env = options.env,
    line = function(line)
      self:receive(line)
    end,
    gone = function(why)
      self:ended(why)
    end,
  })
  self:open()
  local capability = json.decode(Engine.eval('encode', { version = newest, what = 'capability', modes = { 'form', 'url' } }))
  local about = { name = 'elicit.nvim', version = '1.0.0' }
  self:request('initialize', { protocolVersion = newest, capabilities = { elicitation = capability }, clientInfo = about }, function(result, failed)
    self:initialized(result, failed)
  end)
  return self
end

function Client:open()
  local host = self.options.ui:host(self.driver, function(ref)
    return self.asked[ref] or {}
  end, self.name)
  local reply = host.reply
  host.reply = function(effect)
    reply(effect)
    self:replied(effect)
  end
  local resolve = host.resolve
  host.resolve = function(effect)
    resolve(effect)
    self:resolved(effect)
  end
  local modes = { 'form', 'url' }
  self.host = host
  self.driver:join(self.session, host)
  self.driver:give({ event = 'opened', session = self.session, server = self.name, side = 'answering', declared = modes, shown = modes })
end

function Client:initialized(result, failed)
  if result then
    local version = json.decode(result).protocolVersion
    if version ~= '2025-06-18' and version ~= newest and version ~= rounds then
      return self:fail('it speaks ' .. vim.inspect(version) .. ', which this client does not')
    end
    self.version = version
    self:send({ jsonrpc = '2.0', method = 'notifications/initialized' })
  else
    -- A server of the date without a beginning says so by refusing to begin.
    self.version, self.refused = rounds, failed
  end
  self.state = 'ready'
  if self.options.ready then
    self.options.ready(self)
  end
end

--- Asks the server something. `params` is a table or JSON text; `callback(result)` gets JSON text, or `callback(nil, why)`.
function Client:request(method, params, callback)
  self.last = self.last + 1
  local text = type(params) == 'string' and params or json.encode(params or json.object())
  if self.version == rounds and method ~= 'initialize' then
    text = self:declared(text)
  end
  local message = ('{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}'):format(self.last, json.encode(method), text)
  self:call({ id = self.last, method = method, message = message, callback = callback, number = 0, tool = method == 'tools/call' and json.decode(text).name or nil })
end

--- The parameters with what a request of 2026-07-28 says of its client.
function Client:declared(text)
  local about = { ['io.modelcontextprotocol/protocolVersion'] = rounds, ['io.modelcontextprotocol/clientInfo'] = { name = 'elicit.nvim', version = '1.0.0' } }
  local input = '{"version":"2026-07-28","what":"declare","modes":["form","url"],"params":' .. json.joined(text, json.encode({ _meta = about })) .. '}'
  return Engine.eval('encode', input)
end

function Client:call(call)
  self.calls[tostring(call.id)] = call
  self.pipe:write(call.message)
end

--- Calls a tool. See request for the callback.
function Client:tool(name, arguments, callback)
  self:request('tools/call', { name = name, arguments = arguments or json.object() }, callback)
end

function Client:send(message)
  self.pipe:write(type(message) == 'string' and message or json.encode(message))
end

function Client:receive(line)
  local ok, read = pcall(Engine.eval, 'decode', { what = 'envelope', message_text = line })
  if not ok then
    return
  end
  local envelope = json.decode(read)
  local kind, id = envelope.kind, envelope.id
  if kind == 'result' or kind == 'error' then
    self:returned(self.calls[id], kind, json.member(read, kind))
  elseif kind == 'request' and envelope.method == 'elicitation/create' then
    self:question(id, json.member(read, 'params') or '{}')
  elseif kind == 'request' and envelope.method == 'ping' then
    self:send(('{"jsonrpc":"2.0","id":%s,"result":{}}'):format(id))
  elseif kind == 'request' then
    self:refuse(id, no_method, { message = 'this client does not know ' .. envelope.method })
  elseif kind == 'notification' then
    self:noticed(envelope.method, json.member(read, 'params') or '{}')
  elseif id and envelope.method then
    self:refuse(id, invalid_request, { problems = envelope.problems })
  end
end

--- Replies with an error, in the words of `more`: a message, or problems.
function Client:refuse(id, code, more)
  self:send(Engine.eval('encode', vim.tbl_extend('error', { what = 'error', id_text = id, code = code }, more)))
end

function Client:decode(what, document, name, version)
  local input = ('{"version":"%s","what":"%s","%s":%s}'):format(version or self.version, what, name, document)
  return Engine.eval('decode', input)
end

function Client:question(id, params)
  local read = self:decode('create', params, 'params')
  local decoded = json.decode(read)
  if not decoded.request then
    local failed = decoded.error or { code = invalid_params, problems = decoded.problems }
    return self:refuse(id, failed.code, { problems = failed.problems })
  end
  self:ask(id, json.member(read, 'request'), {
    echo = json.member(read, 'echo'),
    settle = function(asked, reply)
      if reply.outcome == 'error' then
        local theirs = reply.cause == 'invalid_request' or reply.cause == 'unsupported'
        return self:refuse(id, theirs and invalid_params or broken, { problems = reply.problems or {} })
      end
      local input = json.encode({ version = self.version, what = 'answer', id_text = id, action = reply.outcome, mode = asked.mode, text = true })
      local content = json.member(reply.text, 'content')
      input = json.joined(input, content and '{"content":' .. content .. '}' or '{}')
      input = json.joined(input, asked.echo and '{"echo":' .. asked.echo .. '}' or '{}')
      self:send(json.decode(Engine.eval('encode', input)).text)
    end,
  })
end

--- Puts a decoded request before the engine. `asked.settle(asked, reply)` is called once.
function Client:ask(ref, request, asked)
  local only = vim.tbl_count(self.calls) == 1 and select(2, next(self.calls)) or {}
  local link = json.member(request, 'link')
  asked.schema, asked.link = json.member(request, 'schema'), link and json.decode(link)
  asked.mode = json.decode(json.member(request, 'mode'))
  if self.asked[ref] then
    return self:refuse(ref, invalid_request, { message = 'this id is in use' })
  end
  self.asked[ref] = asked
  -- A question does not say which call it belongs to; with one call only there is nothing to guess.
  self.driver:give({ event = 'asked', session = self.session, ref = ref, tool = only.tool, parent = only.id and tostring(only.id) }, request)
end

function Client:replied(reply)
  local asked = self.asked[reply.ref]
  if asked and not asked.settled then
    asked.settled = true
    if not asked.completed then
      self.asked[reply.ref] = nil
    end
    if not self.over and reply.cause ~= 'peer_cancelled' then
      asked.settle(asked, reply)
    end
  end
end

function Client:resolved(effect)
  local asked = self.asked[effect.ref]
  self.asked[effect.ref] = nil
  if asked and asked.completed then
    asked.completed(effect.resolution)
  end
end

function Client:noticed(method, params)
  if method == 'notifications/cancelled' then
    local ref = json.decode(self:decode('cancelled', params, 'params')).ref
    if ref and self.asked[ref] then
      self.driver:give({ event = 'cancelled', session = self.session, ref = ref })
    end
  elseif method == 'notifications/elicitation/complete' then
    local link = json.decode(self:decode('complete', params, 'params')).link
    if link then
      self.driver:give({ event = 'completed', session = self.session, link = link })
    end
  end
end

--- A call came back: finished, with questions for the person, or with an error that is one.
function Client:returned(call, kind, text)
  if not call then
    return
  end
  self.calls[tostring(call.id)] = nil
  if kind == 'error' then
    local failed = json.decode(text)
    if failed.code == url_required and call.number == 0 then
      return self:pages(call, text)
    end
    return call.callback(nil, tostring(failed.message))
  end
  if call.method ~= 'tools/call' then
    return call.callback(text)
  end
  -- The kind of a result is read from the result: servers of older dates send the newest kind, too.
  local read = self:decode('result', text, 'result', rounds)
  local asks = json.decode(read)
  if asks.problems then
    return call.callback(nil, table.concat(Engine.explain('problems', asks.problems), '; '))
  elseif not asks.asks then
    return call.callback(text)
  end
  self:round(call, text, read)
end

--- Asks what a result asks and makes the call again with the answers.
function Client:round(call, result, read)
  local answers, left, failed = {}, 1, nil
  local function finish()
    left = left - 1
    if left > 0 or self.over then
      return
    end
    if failed then
      return call.callback(nil, failed)
    end
    self.last = self.last + 1
    local input = ('{"version":"%s","what":"round","request":%s,"id":%d,"result":%s,"number":%d,"answers":[%s],"text":true}'):format(
      rounds, call.message, self.last, result, call.number, table.concat(answers, ','))
    local again = json.decode(Engine.eval('encode', input))
    if not again.text then
      return call.callback(nil, table.concat(Engine.explain('problems', again.problems), '; '))
    end
    self:call(vim.tbl_extend('force', call, { id = self.last, message = again.text, number = call.number + 1 }))
  end
  for entry in json.items(json.member(read, 'entries') or '[]') do
    local key, request = json.member(entry, 'key'), json.member(entry, 'request')
    if not request then
      failed = 'the server asks for ' .. tostring(json.decode(entry).method) .. ', which this client does not have'
    else
      left = left + 1
      self:ask(('round %d %s'):format(call.id, key), request, {
        settle = function(_, reply)
          if reply.outcome == 'error' then
            failed = table.concat(Engine.explain('problems', reply.problems), '; ')
          else
            local content = json.member(reply.text, 'content')
            answers[#answers + 1] = ('{"key":%s,"action":"%s"%s}'):format(key, reply.outcome, content and ',"content":' .. content or '')
          end
          finish()
        end,
      })
    end
  end
  finish()
end

--- Asks for consent to every page that a call needs first, and makes the call again when all of them are finished.
function Client:pages(call, text)
  local read = self:decode('url_required', text, 'error', newest)
  if not json.member(read, 'requests') then
    return call.callback(nil, 'the server wants pages visited first, and does not say which')
  end
  local left, done = 0, false
  local function finish(why)
    if done or self.over then
      return
    end
    left = left - 1
    if why or left == 0 then
      done = true
      if why then
        return call.callback(nil, why)
      end
      self.last = self.last + 1
      local message = call.message:gsub('"id":%d+', '"id":' .. self.last, 1)
      self:call(vim.tbl_extend('force', call, { id = self.last, message = message, number = 1 }))
    end
  end
  for request in json.items(json.member(read, 'requests')) do
    left = left + 1
    self:ask(('page %d %d'):format(call.id, left), request, {
      settle = function(_, reply)
        if reply.outcome ~= 'accept' then
          finish('the page was not visited: ' .. reply.outcome)
        end
      end,
      completed = function(resolution)
        finish(resolution ~= 'completed' and 'the page was not finished' or nil)
      end,
    })
  end
end

function Client:fail(why)
  self.pipe:over(why)
end

--- The server is gone: what it asked is taken away, what it was asked fails.
function Client:ended(why)
  if self.over then
    return
  end
  self.over, self.state = true, 'gone'
  self.driver:give({ event = 'closed', session = self.session, cause = 'session_closed' })
  if self.host.over then
    self.host.over('session_closed', self.session)
  end
  self.driver:join(self.session, nil)
  local calls = self.calls
  self.calls, self.asked = {}, {}
  for _, call in pairs(calls) do
    call.callback(nil, why)
  end
  if self.options.gone then
    self.options.gone(why)
  end
end

--- Ends the connection and the server. It may be called again.
function Client:stop()
  self.pipe:over('it was stopped here')
  self:ended('it was stopped here')
end

return Client
