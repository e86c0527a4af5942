--- Handlers of a host that is the client: one for each method, none inside the reader, and an answer to every request.
local harness = require('harness')
local test, equal, truthy, settle = harness.test, harness.equal, harness.truthy, harness.settle
local Driver = require('elicit.drive')
local Handlers = require('elicit.handlers')
local json = require('elicit.json')

local approval = 'item/commandExecution/requestApproval'
local command = '{"threadId":"t","turnId":"u","itemId":"i","startedAtMs":1,"command":"ls","cwd":"/w"}'

--- A client with handlers, and what the server hears of it.
local function client(relay)
  local self = { sent = {} }
  self.handlers = Handlers.new(function(message)
    self.driver:receive('client', message)
  end)
  self.driver = Driver.new(relay or { server = 'codex', protocol = 'codex', role = 'client', ask = 'client' }, {
    send = function(to, message)
      if to == 'server' then
        table.insert(self.sent, json.decode(message))
      else
        self.handlers:take(message)
      end
    end,
  })
  function self.asked(id, method, params)
    self.driver:receive('server', ('{"id":%s,"method":"%s","params":%s}'):format(id, method, params or '{}'))
  end
  function self.settle()
    for _ = 1, 4 do
      settle()
    end
  end
  return self
end

--- The notices for the person while `run` runs.
local function told(run)
  local notify, list = vim.notify, {}
  vim.notify = function(text)
    table.insert(list, text)
  end
  local ok, why = pcall(run)
  vim.notify = notify
  truthy(ok, why)
  return table.concat(list, '\n')
end

test('a handler answers its method, after the reader returned', function()
  local one, seen = client(), nil
  one.handlers:on(approval, function(_, reply)
    reply({ decision = 'cancel' })
  end)
  one.handlers:on(approval, function(params, reply)
    seen = params.command
    reply({ decision = 'accept' })
    reply({ decision = 'cancel' })
  end)
  one.asked(1, approval, command)
  equal({ seen, one.sent }, { nil, {} })
  one.settle()
  equal(seen, 'ls')
  equal(one.sent, { { id = 1, result = { decision = 'accept' } } })
end)

test('a later reply holds up no other request', function()
  local one, later = client(), nil
  one.handlers:on('item/tool/call', function(_, reply)
    later = reply
  end)
  one.handlers:on('currentTime/read', function(_, reply)
    reply({ currentTimeAt = 7 })
  end)
  one.asked(1, 'item/tool/call', '{"tool":"x"}')
  one.asked(2, 'currentTime/read')
  one.settle()
  equal(one.sent, { { id = 2, result = { currentTimeAt = 7 } } })
  later({ success = true })
  one.settle()
  equal(one.sent[2], { id = 1, result = { success = true } })
end)

test('a method without a handler is declined', function()
  local one = client()
  one.asked(1, approval, command)
  one.asked(2, 'item/new/ask')
  one.settle()
  equal(one.sent[1], { id = 1, result = { decision = 'decline' } })
  equal({ one.sent[2].id, one.sent[2].error.code }, { 2, -32601 })
end)

test('questions of an attached connection come to its handlers, after policy', function()
  local elicit = require('elicit')
  elicit.setup({ policy = { version = 1, rules = { { when = { command = 'rm *' }, ['then'] = 'decline' } } } })
  local sent, driver = {}, nil
  local handlers = Handlers.new(function(message)
    driver:receive('client', message)
  end)
  handlers:on(approval, function(params, reply)
    reply({ decision = params.command == 'ls' and 'accept' or 'cancel' })
  end)
  driver = elicit.attach({ name = 'codex', protocol = 'codex', role = 'client', ask = 'client',
    send = function(to, message)
      if to == 'server' then
        table.insert(sent, json.decode(message))
      else
        handlers:take(message)
      end
    end,
  })
  local ask = '{"id":%d,"method":"%s","params":%s}'
  driver:receive('server', ask:format(1, approval, command))
  driver:receive('server', ask:format(2, approval, (command:gsub('"ls"', '"rm -r /w"'))))
  equal(sent, { { id = 2, result = { decision = 'decline' } } })
  for _ = 1, 4 do
    settle()
  end
  equal(sent[2], { id = 1, result = { decision = 'accept' } })
  equal(elicit.pending(), {})
  elicit.setup()
end)

test('the machine answers for a method that readers read in different ways', function()
  local one = client()
  one.asked(3, 'half\\ud800')
  equal({ one.sent[1].id, one.sent[1].error.code }, { 3, -32600 })
end)

test('a question of MCP without a handler is declined', function()
  local one = client({ server = 's', role = 'client', ask = 'client',
    session = { version = '2025-11-25', declared = { 'form' } } })
  one.driver:receive('server', '{"jsonrpc":"2.0","id":"a\\u0062","method":"elicitation/create","params":{"message":'
    .. '"Day?","requestedSchema":{"type":"object","properties":{"d":{"type":"string"}}}}}')
  one.settle()
  equal(one.sent, { { jsonrpc = '2.0', id = 'ab', result = { action = 'decline' } } })
end)

test('a handler that fails tells the server nothing, and the person why', function()
  local failing = {
    raises = function()
      error('the key is hunter2')
    end,
    replies = function(_, reply)
      reply(nil, 'the key is hunter2')
    end,
    unwritable = function(_, reply)
      reply({ key = print })
    end,
  }
  for name, handler in pairs(failing) do
    local one = client()
    one.handlers:on('currentTime/read', handler)
    one.handlers:on(approval, handler)
    local said = told(function()
      one.asked(1, 'currentTime/read')
      one.asked(2, approval, command)
      one.settle()
    end)
    equal(one.sent[1].error, { code = -32000, message = 'the handler failed' }, name)
    equal(one.sent[2].result, { decision = 'decline' }, name)
    truthy(said:find('the handler of currentTime/read failed', 1, true), said)
    truthy(name == 'unwritable' or said:find('hunter2', 1, true), said)
  end
end)

test('the machine answers for a result that is not UTF-8', function()
  local one = client()
  one.handlers:on('currentTime/read', function(_, reply)
    reply({ key = '\xff' })
  end)
  one.asked(1, 'currentTime/read')
  one.settle()
  equal(one.sent[1].error.code, -32603)
end)

test('a withdrawn request gets no answer, and its reply answers no other with that id', function()
  local answers, replies = {}, {}
  local handlers = Handlers.new(function(message)
    table.insert(answers, message)
  end)
  handlers:on('x', function(_, reply)
    table.insert(replies, reply)
  end)
  equal(handlers:take('{"jsonrpc":"2.0","id":1,"method":"x"}'), true)
  settle()
  equal(handlers:take('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'), false)
  equal(handlers:take('{"jsonrpc":"2.0","id":1,"method":"x"}'), true)
  settle()
  replies[1]({ old = true })
  settle()
  equal(answers, {})
  replies[2]()
  settle()
  equal(answers, { '{"jsonrpc":"2.0","id":1,"result":{}}' })
end)

test('what is no request is the host\'s to read', function()
  local handlers = Handlers.new(error)
  for _, message in ipairs({ '{"id":1,"result":{}}', '{"method":"x"}', '[{"id":1,"method":"x"}]', '7' }) do
    equal(handlers:take(message), false, message)
  end
end)
