--- A client of one MCP server over stdio. It sends the plugin's requests and receives their results. The connection
--- (elicit.drive) declares elicitation, answers the server's questions and repeats calls.
local Handlers = require('elicit.handlers')
local Pipe = require('elicit.pipe')
local identity = require('elicit.identity')
local json = require('elicit.json')

local Client = {}
Client.__index = Client

local newest, rounds = '2025-11-25', '2026-07-28'
local sessions = { ['2025-06-18'] = true, [newest] = true, [rounds] = true }
local about = { name = 'elicit.nvim', version = '1.0.0' }

--- Starts a server. `options`: name (your name for the server, which people see and policy matches), cmd, cwd, env,
--- ready(client), gone(why). `on` has a function for each method that the server may ask for (elicit.handlers), and
--- `capabilities` what `initialize` declares for them. `attach` opens the connection; see elicit.attach.
function Client.start(options, attach)
  local self = setmetatable({ name = options.name, options = options, calls = {}, last = 0 }, Client)
  self.version, self.state = newest, 'starting'
  self.handlers = Handlers.new(function(answer)
    self.driver:receive('client', answer)
  end)
  self.handlers:on('ping', function(_, reply)
    reply()
  end)
  for method, handler in pairs(options.on or {}) do
    self.handlers:on(method, handler)
  end
  self.driver = attach({
    name = options.name,
    role = 'client',
    identity = identity(options.cmd, options.cwd, options.env),
    send = function(to, message)
      if to == 'client' then
        self:heard(message)
      else
        self.pipe:write(message)
      end
    end,
    broken = function(fault)
      self:fail(tostring(fault))
    end,
  })
  local ok, why = pcall(self.run, self)
  if not ok then
    self.driver:close()
    error(why, 0)
  end
  local own = { protocolVersion = newest, capabilities = options.capabilities or json.object(), clientInfo = about }
  self:request('initialize', own, function(result, failed)
    self:initialized(result, failed)
  end)
  return self
end

function Client:run()
  self.pipe = Pipe.open({
    cmd = self.options.cmd,
    cwd = self.options.cwd,
    env = self.options.env,
    line = function(line)
      self.driver:receive('server', line)
    end,
    gone = function(why)
      self:ended(why, true)
    end,
  })
end

function Client:initialized(result, failed)
  if result then
    local version = json.member(result, 'protocolVersion')
    version = version and json.decode(version)
    if not sessions[version] then
      return self:fail('it speaks ' .. vim.inspect(version) .. ', which this client does not')
    end
    self.version = version
    self:say('"method":"notifications/initialized"')
  elseif self.state == 'starting' then
    -- A server of 2026-07-28, which has no handshake, refuses `initialize`.
    self.version, self.refused = rounds, failed
  end
  if self.state == 'starting' then
    self.state = 'ready'
    if self.options.ready then
      self.options.ready(self)
    end
  end
end

--- Sends the server a message. `members` are the members of the message as JSON text.
function Client:say(members)
  self.driver:receive('client', '{"jsonrpc":"2.0",' .. members .. '}')
end

--- Sends the server a request and returns its id. `params` is a table or JSON text. On success it calls
--- callback(result) with JSON text, and on failure callback(nil, why) with a sentence.
function Client:request(method, params, callback)
  self.last = self.last + 1
  local id, text = self.last, type(params) == 'string' and params or json.encode(params or json.object())
  if self.version == rounds and method ~= 'initialize' then
    text = self:described(text)
  end
  self.calls[tostring(id)] = callback
  if self.state == 'gone' then
    self:settle(tostring(id), nil, 'the server is gone')
  else
    self:say(('"id":%d,"method":%s,"params":%s'):format(id, json.encode(method), text))
  end
  return id
end

--- The parameters with the metadata about the client that a request of 2026-07-28 needs.
function Client:described(params)
  local own = '{"_meta":' .. json.joined(json.member(params, '_meta') or '{}', json.encode({
    ['io.modelcontextprotocol/protocolVersion'] = rounds,
    ['io.modelcontextprotocol/clientInfo'] = about,
    ['io.modelcontextprotocol/clientCapabilities'] = self.options.capabilities or json.object(),
  })) .. '}'
  for name, value in json.members(params) do
    own = name == '_meta' and own or json.joined(own, '{' .. json.encode(name) .. ':' .. value .. '}')
  end
  return own
end

--- Calls a tool. `callback` is as for `request`.
function Client:tool(name, arguments, callback)
  return self:request('tools/call', { name = name, arguments = arguments or json.object() }, callback)
end

--- Cancels a request. Its questions end, and its callback gets an error.
function Client:cancel(id)
  if self.calls[tostring(id)] then
    self:say(('"method":"notifications/cancelled","params":{"requestId":%d}'):format(id))
    self:settle(tostring(id), nil, 'it was taken back')
  end
end

--- Takes one message for the client: the response to a request of ours, or a request of the server that is no question.
function Client:heard(message)
  if message:find('^%s*%[') then
    for one in json.items(message) do
      self:heard(one)
    end
    return
  end
  if self.handlers:take(message) then
    return
  end
  local id, result, failed = json.member(message, 'id'), json.member(message, 'result'), json.member(message, 'error')
  if result then
    self:settle(id, result)
  elseif failed then
    self:settle(id, nil, failed)
  end
end

--- Calls the callback of a request, once. `failed` is a sentence or the JSON of an error.
function Client:settle(id, result, failed)
  local callback = self.calls[id]
  self.calls[id] = nil
  if callback and result then
    callback(result)
  elseif callback then
    local message = failed:find('^{') and json.member(failed, 'message')
    local ok, text = pcall(json.decode, message or '')
    callback(nil, ok and type(text) == 'string' and text or failed)
  end
end

function Client:fail(why)
  self.pipe:end_with(why)
end

--- Ends the connection. Open questions are withdrawn, and open requests fail. `server` says that the server ended it.
function Client:ended(why, server)
  if self.state == 'gone' then
    return
  end
  self.state = 'gone'
  if server then
    self.driver:give({ event = 'ended', ['end'] = 'server' })
  end
  self.driver:close(function()
    self.pipe:close()
    for _, id in ipairs(vim.tbl_keys(self.calls)) do
      self:settle(id, nil, why)
    end
    if self.options.gone then
      self.options.gone(why)
    end
  end)
end

--- Ends the connection and the server. It may be called again.
function Client:stop()
  self:ended('it was stopped here')
end

return Client
