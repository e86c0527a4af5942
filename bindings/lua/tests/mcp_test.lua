--- The MCP client against real servers: server-everything and this repository's own, in every protocol date they speak.
local harness = require('harness')
local test, equal, truthy, wait = harness.test, harness.equal, harness.truthy, harness.wait
local Client = require('elicit.mcp')
local Driver = require('elicit.drive')
local Pipe = require('elicit.pipe')
local Question = require('elicit.question')
local json = require('elicit.json')

local top = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
local packages = top .. '/testdata/realparts/node_modules/@modelcontextprotocol/'
local everything = { 'node', packages .. 'server-everything/dist/index.js', 'stdio' }

local servers = vim.fn.tempname()
vim.fn.mkdir(servers)

--- A server that plays a script of testdata/rawserver.
local function raw(lines)
  local path = ('%s/%d.jsonl'):format(servers, #vim.fn.readdir(servers))
  vim.fn.writefile(lines, path)
  return { top .. '/dist/rawserver', path }
end

--- A person who answers as told: `person(question)` is called for each. `more` is for the driver.
local function ui(person, more)
  local seen = {
    withdrawn = {}, opened = {}, settled = {}, problems = {}, notes = {}, questions = {}, toServer = {}, log = {},
  }
  function seen.attach(given)
    local relay = { server = given.name, role = given.role, identity = given.identity, modes = { 'form', 'url' } }
    seen.identity = given.identity
    local options = vim.tbl_extend('force', { broken = given.broken }, more or {})
    function options.send(to, message)
      table.insert(to == 'server' and seen.toServer or {}, message)
      table.insert(seen.log, ('send to %s'):format(to))
      given.send(to, message)
    end
    local driver = Driver.new(relay, options)
    seen.driver = driver
    driver.host = {
      question = function(effect)
        seen.questions[effect.ref] = effect
      end,
      show = function(effect)
        person(Question.new(driver, effect, seen.questions[effect.ref].schema_text))
      end,
      withdraw = function(effect)
        table.insert(seen.withdrawn, effect.cause)
      end,
      settled = function(effect)
        table.insert(seen.settled, effect.reply)
      end,
      problem = function(effect)
        table.insert(seen.problems, effect.problems)
      end,
      note = function(effect)
        table.insert(seen.notes, effect.problems[1].code)
      end,
      open_url = function(effect)
        table.insert(seen.opened, effect.url)
      end,
    }
    return driver
  end
  return seen
end

--- Starts a client and returns it when it is ready.
local function connected(cmd, seen)
  local ready
  local client = Client.start({
    name = 'real',
    cmd = cmd,
    ready = function()
      ready = true
    end,
  }, seen.attach)
  wait('the server', function()
    return ready
  end)
  return client
end

--- Calls one tool of a server and returns its text, or nil and why. `after(seen)` is waited for before the end.
local function call(cmd, tool, arguments, person, after)
  local seen, text, why, done = ui(person), nil, nil, nil
  local client = Client.start({
    name = 'real',
    cmd = cmd,
    ready = function(client)
      client:tool(tool, arguments, function(result, failed)
        text, why, done = result, failed, true
      end)
    end,
  }, seen.attach)
  local ok, late = pcall(wait, tool, function()
    return done and (not after or after(seen))
  end, 20000)
  client:stop()
  if not ok then
    error(late .. '\n' .. table.concat(client.pipe.errors, '\n'))
  end
  local said = {}
  for _, part in ipairs(text and json.decode(text).content or {}) do
    said[#said + 1] = part.text
  end
  return text and table.concat(said, '\n'), why, seen
end

local function demo(date, ...)
  return { top .. '/dist/demoserver', '-protocol', date, ... }
end

test('server-everything: a form is answered and the server sees it', function()
  local said = call(everything, 'trigger-elicitation-request', nil, function(question)
    equal(question.show.tool, 'trigger-elicitation-request')
    question.typed = {
      name = 'Ada',
      integer = '7',
      titledSingleSelectEnum = 'hero-2',
      titledMultipleSelectEnum = { 'fish-3' },
      check = true,
    }
    question:accept()
  end)
  truthy(said:find('Name: Ada', 1, true) and said:find('Favorite Integer: 7', 1, true), said)
  truthy(said:find('"titledSingleSelectEnum": "hero-2"', 1, true) and said:find('"fish-3"', 1, true), said)
  truthy(said:find('Agreed to terms: true', 1, true), said)
end)

test('server-everything: declined', function()
  local said = call(everything, 'trigger-elicitation-request', nil, function(question)
    question:decline()
  end)
  truthy(said:find('User declined', 1, true), said)
end)

test('server-everything: what does not fit never leaves', function()
  local tries = 0
  local said, _, seen = call(everything, 'trigger-elicitation-request', nil, function(question)
    question.typed = { name = 'Ada', integer = '700' }
    question:accept()
    tries = tries + 1
    question.typed.integer = '70'
    question:accept()
  end)
  equal(tries, 1)
  equal(seen.problems[1][1].pointer, '/integer')
  truthy(said:find('Favorite Integer: 70', 1, true), said)
end)

for _, date in ipairs({ '2025-06-18', '2025-11-25', '2026-07-28' }) do
  test('demoserver ' .. date .. ': a form', function()
    local said = call(demo(date), 'profile', nil, function(question)
      question.typed = { name = 'Ada', age = '36', region = 'eu' }
      question:accept()
    end)
    truthy(said and said:find('"age":36', 1, true) and said:find('"hours":37.5', 1, true), said)
  end)
  test('demoserver ' .. date .. ': two questions, one after the other', function()
    local asked = 0
    local said, why = call(demo(date), 'two', nil, function(question)
      asked = asked + 1
      question:decline()
    end)
    equal(asked, 2, tostring(said or why))
  end)
end

test('demoserver 2026-07-28 that refuses to begin: two rounds', function()
  local messages = {}
  local said, why = call(demo('2026-07-28', '-refuse-initialize'), 'plan', nil, function(question)
    table.insert(messages, question.show.message)
    for _, field in ipairs(question.fields) do
      if field.choices then
        question.typed[field.name] = field.kind == 'choices' and { field.choices[1].text } or field.choices[1].text
      elseif field.kind == 'text' then
        question.typed[field.name] = 'nightly'
      end
    end
    question:accept()
  end)
  truthy(said, why)
  truthy(#messages >= 2, vim.inspect(messages) .. said)
end)

test('demoserver: consent to a page, and its completion', function()
  local said, why, seen = call(demo('2025-11-25'), 'connect', nil, function(question)
    equal(question.show.mode, 'url')
    question:accept()
  end)
  truthy(said, why)
  truthy(seen.opened[1]:find('^https://'), vim.inspect(seen.opened))
end)

test('demoserver: a call that needs a page first is made again', function()
  local said, why, seen = call(demo('2025-11-25'), 'url_required', nil, function(question)
    question:accept()
  end)
  equal(seen.opened, { 'https://accounts.example.com/connect/tracker' })
  equal(said, 'Read the tracker: 3 open tickets.', why)
end)

test('demoserver: a question taken back', function()
  local _, _, seen = call(demo('2025-11-25'), 'slow', { ms = 100 }, function() end, function(so_far)
    return #so_far.withdrawn > 0
  end)
  equal(seen.withdrawn, { 'peer_cancelled' })
end)

test('demoserver: a server that dies leaves no question open', function()
  local said, why, seen = call(demo('2025-11-25'), 'crash', nil, function() end)
  equal(said, nil)
  truthy(why:find('ended') or why:find('closed'), why)
  equal(seen.withdrawn, { 'session_closed' })
end)

test('demoserver: a nested schema is refused and nobody is asked', function()
  local asked = 0
  local said, why, seen = call(demo('2025-11-25'), 'nested', nil, function()
    asked = asked + 1
  end)
  equal(asked, 0)
  equal(seen.settled[1].cause, 'invalid_request')
  truthy((said or why):find('nested') or (said or why):find('object'), said or why)
end)

test('a program that is not there is said at once', function()
  local ok, why = pcall(Client.start, { name = 'x', cmd = { '/no/such/server' } }, ui(function() end).attach)
  equal(ok, false)
  truthy(tostring(why):find('/no/such/server'), why)
end)

test('lines that are no JSON, too long, or from nobody are survived', function()
  local gone, most = nil, Pipe.most
  Pipe.most = 1024 * 1024
  local noise = [[printf 'hello\n[1,2]\n{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","id":1,"id":2}\n'
    head -c 5000000 /dev/zero | tr '\0' 'x'; sleep 5]]
  Client.start({
    name = 'noise',
    cmd = { 'sh', '-c', noise },
    gone = function(why)
      gone = why
    end,
  }, ui(function() end).attach)
  local ok, late = pcall(wait, 'the end', function()
    return gone
  end)
  Pipe.most = most
  truthy(ok, late)
  truthy(gone:find('bytes'), gone)
end)

--- The text of a question without fields, under an id that is given as JSON.
local function question(id, message)
  local params = ('{"message":"%s","requestedSchema":{"type":"object","properties":{}}}'):format(message)
  return ('{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":%s}'):format(id, params)
end

--- A row of a script: the server asks when the tool is called.
local function asks(tool, id)
  local when = ('{"method":"tools/call","tool":"%s"}'):format(tool)
  return ('{"when":%s,"say":[%s]}'):format(when, question(id, 'Where to, ' .. tool .. '?'))
end

test('two calls at once: each question is answered, and each call gets its own result', function()
  local seen, said = nil, {}
  seen = ui(function(question)
    if question.show.message:find('first') then
      question:accept()
    else
      question:decline()
    end
  end)
  local client = connected(raw({
    asks('first', '"q1"'),
    asks('second', '"q2"'),
    '{"when":{"answer":"\\"q2\\""},"say":[{"jsonrpc":"2.0","id":3,"result":{"content":[],"of":"second"}}]}',
    '{"when":{"answer":"\\"q1\\""},"say":[{"wait":100},{"jsonrpc":"2.0","id":2,"result":{"content":[],"of":"first"}}]}',
  }), seen)
  for _, tool in ipairs({ 'first', 'second' }) do
    client:tool(tool, nil, function(result)
      said[tool] = json.decode(result).of
    end)
  end
  wait('both', function()
    return said.first and said.second
  end)
  client:stop()
  equal(said, { first = 'first', second = 'second' })
  local answers = vim.tbl_filter(function(message)
    return message:find('"action"', 1, true)
  end, seen.toServer)
  table.sort(answers)
  equal(answers, {
    '{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{}}}',
    '{"jsonrpc":"2.0","id":"q2","result":{"action":"decline"}}'
  })
end)

test('a server that uses an id twice gets one answer, and an error to nobody in particular', function()
  local open
  local seen = ui(function(question)
    open = question
  end)
  local client = connected(raw({
    '{"when":{"tool":"x"},"say":' .. json.encode({ question(1, 'a'), question(1, 'b') }) .. '}',
    '{"when":{"answer":"1"},"say":[{"jsonrpc":"2.0","id":"$call","result":{"content":[]}}]}',
  }), seen)
  local done
  client:tool('x', nil, function()
    done = true
  end)
  wait('the refusal', function()
    return open and seen.toServer[#seen.toServer]:find('"id":null', 1, true)
  end)
  equal(open.show.message, 'a')
  open:accept()
  wait('the end', function()
    return done
  end)
  client:stop()
  local replies = vim.tbl_filter(function(message)
    return not json.member(message, 'method')
  end, seen.toServer)
  equal(#replies, 2)
  equal(json.member(replies[1], 'error', 'code'), '-32600')
  equal(replies[2], '{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}')
end)

--- A server of the shell: it answers initialize, hears two lines more and then says `last` without a line end.
local function dying(last)
  local result = '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}'
  local initialized = '{"jsonrpc":"2.0","id":1,"result":' .. result .. '}'
  return { 'sh', '-c', ([[read a; printf '%%s\n' '%s'; read b; read c; printf '%%s' '%s'; exit 3]])
    :format(initialized, last) }
end

for name, case in pairs({
  ['in the middle of a line'] = { '{"jsonrpc":"2.0","id":2,"result":{"content":[{"ty', nil },
  ['in the middle of a question'] = { '{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"mess', nil },
  ['before the end of the last line'] = { '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}', '{"content":[]}' },
}) do
  test('a server dies ' .. name, function()
    local times, got, failed, gone = 0, nil, nil, nil
    local seen = ui(function() end)
    local client
    client = Client.start({
      name = 'real',
      cmd = dying(case[1]),
      gone = function(why)
        gone = why
      end,
      ready = function()
        client:tool('x', nil, function(result, why)
          times, got, failed = times + 1, result, why
        end)
      end,
    }, seen.attach)
    wait('the end', function()
      return gone
    end)
    equal({ times, got, gone }, { 1, case[2], 'it ended with status 3' })
    truthy(got or #failed > 5, 'a reason')
    client:tool('x', nil, function(_, why)
      times, failed = times + 1, why
    end)
    equal({ times, failed }, { 2, 'the server is gone' })
    client:stop()
  end)
end

test('exact numbers and half surrogate pairs reach the callback as they were written', function()
  local content = [[{"content":[],"n":12345678901234567890.10,"e":1e999,"half":"\ud800","a":1,"a":2}]]
  local message = json.encode('{"result":' .. content .. ',"jsonrpc":"2.0","id":2}')
  local client = connected(raw({ '{"when":{"tool":"x"},"say":[' .. message .. ']}' }), ui(function() end))
  local got
  client:tool('x', nil, function(result)
    got = result
  end)
  wait('the result', function()
    return got
  end)
  client:stop()
  equal(got, content)
end)

test('a server\'s ping is answered, what this client does not have is refused, and progress disturbs nobody', function()
  local seen = ui(function() end)
  local client = connected(raw({
    '{"when":{"tool":"x"},"say":[' .. table.concat({
      '{"jsonrpc":"2.0","id":"p","method":"ping"}',
      '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    }, ',') .. ']}',
    '{"when":{"answer":"7"},"say":[{"jsonrpc":"2.0","id":"$call","error":{"code":-1,"message":"no roots"}}]}',
  }), seen)
  local why
  client:tool('x', nil, function(_, failed)
    why = failed
  end)
  wait('the error', function()
    return why
  end)
  equal(why, 'no roots')
  wait('the answer to the ping', function()
    return vim.tbl_contains(seen.toServer, '{"jsonrpc":"2.0","id":"p","result":{}}')
  end)
  client:stop()
  local codes = vim.tbl_map(function(message)
    return json.member(message, 'error', 'code')
  end, seen.toServer)
  equal(vim.tbl_values(codes), { '-32601' })
end)

test('a client declares what its handlers answer', function()
  local seen = ui(function() end)
  local text
  local client = Client.start({
    name = 'real',
    cmd = raw({
      '{"when":{"tool":"x"},"say":[{"jsonrpc":"2.0","id":7,"method":"roots/list"}]}',
      '{"when":{"answer":"7"},"say":[{"jsonrpc":"2.0","id":"$call","result":{"content":[]}}]}',
    }),
    capabilities = { roots = json.object() },
    on = {
      ['roots/list'] = function(_, reply)
        reply({ roots = { { uri = 'file:///w' } } })
      end,
    },
    ready = function(client)
      client:tool('x', nil, function(result)
        text = result
      end)
    end,
  }, seen.attach)
  wait('the result', function()
    return text
  end)
  client:stop()
  truthy(json.member(seen.toServer[1], 'params', 'capabilities', 'roots'), seen.toServer[1])
  equal(json.decode(seen.toServer[#seen.toServer]).result, { roots = { { uri = 'file:///w' } } })
end)

test('a call that is taken back takes its question with it', function()
  local asked
  local seen = ui(function()
    asked = true
  end)
  local client = connected(raw({ asks('x', '1') }), seen)
  local why
  local id = client:tool('x', nil, function(_, failed)
    why = failed
  end)
  wait('the question', function()
    return asked
  end)
  client:cancel(id)
  client:cancel(id)
  equal(why, 'it was taken back')
  equal(seen.withdrawn, { 'peer_cancelled' })
  equal(seen.toServer[#seen.toServer], '{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}')
  client:stop()
end)

test('stopping answers what is open before the server is told to leave', function()
  local shown, gone, failed
  local seen = ui(function()
    shown = true
  end)
  local client = connected(raw({ asks('x', '1') }), seen)
  client:tool('x', nil, function(_, why)
    failed = why
  end)
  wait('the question', function()
    return shown
  end)
  client.options.gone = function(why)
    gone = why
  end
  client:stop()
  client:stop()
  equal({ seen.toServer[#seen.toServer], gone },
    { '{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}', 'it was stopped here' })
  truthy(failed, 'the call failed')
  wait('the exit', function()
    return client.pipe.exit
  end)
  equal(client.pipe.exit, 'it ended with status 0')
end)

test('a result of megabytes passes', function()
  local long = json.encode('{"jsonrpc":"2.0","id":2,"result":{"content":[],"x":"$pad(5000000)"}}')
  local client = connected(raw({ '{"when":{"tool":"x"},"say":[' .. long .. ']}' }), ui(function() end))
  local size
  client:tool('x', nil, function(result)
    size = #result
  end)
  wait('the result', function()
    return size
  end, 15000)
  client:stop()
  truthy(size > 5000000, tostring(size))
end)

test('the connection is told what the server really is', function()
  local seen = ui(function() end)
  local client = connected(raw({}), seen)
  client:stop()
  local script = client.options.cmd[2]
  equal(seen.identity, ('%s ["%s"]'):format(top .. '/dist/rawserver', script))
end)
