--- Handlers for a host that is the client: one function for each method that a server or an agent may ask for. The
--- machine decides first. Every question that it leaves open, and every request that it passes on, comes to the client,
--- and so to these handlers (docs/reference/relay.md).
local json = require('elicit.json')

local Handlers = {}
Handlers.__index = Handlers

local over = { ['notifications/cancelled'] = true, ['$/cancel_request'] = true, ['serverRequest/resolved'] = true }
local no_method, handler_failed = -32601, -32000

local function failure(code, message)
  return ('"error":{"code":%d,"message":"%s"}'):format(code, message)
end

--- `answer(message)` takes the answers. It gives each to the connection: `connection:receive('client', message)`.
function Handlers.new(answer)
  return setmetatable({ answer = answer, by_method = {}, open = {} }, Handlers)
end

--- Lets `handler(params, reply)` answer the requests of a method, in place of an earlier handler. It calls
--- `reply(result)` or `reply(nil, why)` once, now or later. A result is a table; nil is {}. If it raises an error, or
--- replies with one, the server gets the error -32000 without the reason, and the person is notified of the reason.
function Handlers:on(method, handler)
  self.by_method[method] = handler
end

--- Takes a message for the client. It returns false for one that is no request, which is the host's to read. It returns
--- before any handler runs. A method without a handler gets the error -32601. The machine declines a question then.
function Handlers:take(message)
  local method = message:find('^%s*{') and json.member(message, 'method')
  if not method then
    return false
  end
  method = json.decode(method)
  local id = json.member(message, 'id')
  if not id then
    local gone = over[method] and json.member(message, 'params', 'requestId')
    if gone then
      self.open[gone] = nil
    end
    return false
  end
  local version = json.member(message, 'jsonrpc')
  local head = '{' .. (version and '"jsonrpc":' .. version .. ',' or '') .. '"id":' .. id .. ','
  -- A request of its own table: a late reply never answers another request that has the same id.
  local request = { id = id, head = head, method = method, params = json.member(message, 'params') or '{}' }
  self.open[id] = request
  vim.schedule(function()
    self:run(request)
  end)
  return true
end

function Handlers:run(request)
  local handler = self.by_method[request.method]
  if not handler then
    return self:finish(request, failure(no_method, 'this client has no handler for the method'))
  end
  local replied
  local function reply(result, why)
    if replied then
      return
    end
    replied = true
    -- A reply may come from a callback of libuv, where most of Neovim must not be called.
    vim.schedule(function()
      local ok, text = why == nil, why
      if ok then
        ok, text = pcall(json.encode, result == nil and json.object() or result)
      end
      if not ok then
        vim.notify(('elicit: the handler of %s failed: %s'):format(request.method, text), vim.log.levels.ERROR)
      end
      self:finish(request, ok and '"result":' .. text or failure(handler_failed, 'the handler failed'))
    end)
  end
  local ok, why = pcall(function()
    handler(json.decode(request.params), reply)
  end)
  if not ok then
    reply(nil, tostring(why))
  end
end

--- Sends the answer, unless the server has withdrawn the request.
function Handlers:finish(request, rest)
  if self.open[request.id] == request then
    self.open[request.id] = nil
    self.answer(request.head .. rest .. '}')
  end
end

return Handlers
