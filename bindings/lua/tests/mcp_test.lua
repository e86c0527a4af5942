--- The MCP client against real servers: server-everything and this repository's own, in every protocol date they speak.
local harness = require('harness')
local test, equal, truthy, wait = harness.test, harness.equal, harness.truthy, harness.wait
local Client = require('elicit.mcp')
local Driver = require('elicit.drive')
local Question = require('elicit.question')
local json = require('elicit.json')

local top = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
local everything = { 'node', top .. '/testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio' }

--- A person who answers as told: `person(question)` is called for each.
local function ui(person)
  local seen = { withdrawn = {}, opened = {}, replies = {}, problems = {} }
  function seen:host(driver, asked)
    return {
      show = function(effect)
        person(Question.new(driver, effect, asked(effect.ref).schema))
      end,
      withdraw = function(effect)
        table.insert(seen.withdrawn, effect.cause)
      end,
      reply = function(effect)
        table.insert(seen.replies, effect)
      end,
      problem = function(effect)
        table.insert(seen.problems, effect.problems)
      end,
      open_url = function(effect)
        table.insert(seen.opened, effect.url)
      end,
      resolve = function() end,
      extend = function() end,
    }
  end
  return seen
end

--- Calls one tool of a server and returns its text, or nil and why. `after(seen)` is waited for before the end.
local function call(cmd, tool, arguments, person, after)
  local seen, text, why, done = ui(person), nil, nil, nil
  local client = Client.start({
    name = 'real',
    cmd = cmd,
    driver = Driver.new(),
    ui = seen,
    ready = function(client)
      client:tool(tool, arguments, function(result, failed)
        text, why, done = result, failed, true
      end)
    end,
  })
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
    question.typed = { name = 'Ada', integer = '7', titledSingleSelectEnum = 'hero-2', titledMultipleSelectEnum = { 'fish-3' }, check = true }
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
  equal(seen.replies[1].cause, 'invalid_request')
  truthy((said or why):find('nested') or (said or why):find('object'), said or why)
end)

test('a program that is not there is said at once', function()
  local ok, why = pcall(Client.start, { name = 'x', cmd = { '/no/such/server' }, driver = Driver.new(), ui = ui(function() end) })
  equal(ok, false)
  truthy(tostring(why):find('/no/such/server'), why)
end)

test('lines that are no JSON, too long, or from nobody are survived', function()
  local gone
  local noise = [[printf 'hello\n[1,2]\n{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","id":1,"id":2}\n'; head -c 5000000 /dev/zero | tr '\0' 'x'; sleep 5]]
  Client.start({
    name = 'noise',
    cmd = { 'sh', '-c', noise },
    driver = Driver.new(),
    ui = ui(function() end),
    gone = function(why)
      gone = why
    end,
  })
  wait('the end', function()
    return gone
  end)
  truthy(gone:find('bytes'), gone)
end)
