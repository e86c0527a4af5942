--- The engine, the machine of a connection and its driver: effects in order, records before answers, one timer, and
--- failures.
local harness = require('harness')
local test, equal, truthy, wait, settle = harness.test, harness.equal, harness.truthy, harness.wait, harness.settle
local Driver = require('elicit.drive')
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local json = require('elicit.json')
local library = require('elicit.library')
local Question = require('elicit.question')

local schema = '{"type":"object","properties":{"n":{"type":"number","default":1.50},"region":{"type":"string"}},'
  .. '"required":["region"]}'
local asked = { event = 'asked', session = 's', ref = '1', mode = 'form', message = 'Where to?', schema_text = schema }
local opened = {
  event = 'opened', session = 's', server = 'build', side = 'answering',
  declared = { 'form', 'url' }, shown = { 'form', 'url' },
}

--- The message of a server that asks under an id.
local function question(id)
  local params = ('{"message":"Where to?","requestedSchema":%s}'):format(schema)
  return ('{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":%s}'):format(id, params)
end

--- A driver of a session that has begun, and the effects that it gets. `seen.sent` are the messages.
local function begun(options, config)
  local seen = { sent = {}, order = {} }
  options = vim.tbl_extend('keep', options or {}, {
    send = function(to, message)
      table.insert(seen.sent, message)
      table.insert(seen.order, 'send to ' .. to)
    end,
  })
  local session = { version = '2025-11-25', declared = { 'form', 'url' } }
  local driver = Driver.new({
    server = 'build', config = config, modes = { 'form', 'url' }, session = session
  }, options)
  driver.host = setmetatable({}, {
    __index = function(_, name)
      return function(effect)
        seen[name] = effect
        seen[#seen + 1] = effect
        table.insert(seen.order, name)
      end
    end,
  })
  function seen.answer(action, content)
    driver:give({
      event = 'answered', session = seen.show.session, id = seen.show.id,
      action = action, content_text = content,
    })
  end
  return driver, seen
end

--- The notices for a person while `run` runs.
local function told(run)
  local notify, list = vim.notify, {}
  vim.notify = function(text)
    table.insert(list, text)
  end
  local ok, why = pcall(run)
  settle()
  vim.notify = notify
  truthy(ok, why)
  return list
end

test('selfcheck stays clean when jobs are started', function()
  library.version()
  vim.fn.system({ 'true' })
  equal(json.decode(library.selfcheck()), { ok = true, warnings = {} })
end)

test('describe knows what this plugin sends', function()
  local known = json.decode(library.describe())
  for _, op in ipairs({ 'coerce', 'explain', 'decode', 'encode' }) do
    truthy(vim.tbl_contains(known.ops, op), op)
  end
  for _, event in ipairs({
    'opened', 'asked', 'answered', 'completed', 'cancelled', 'closed',
    'resumed', 'noted', 'extended', 'ticked'
  }) do
    truthy(vim.tbl_contains(known.events, event), event)
  end
  for _, effect in ipairs({ 'append', 'show', 'withdraw', 'open_url', 'resolve', 'extend', 'wake', 'problem' }) do
    truthy(vim.tbl_contains(known.effects, effect), effect)
  end
  local keys = vim.tbl_map(function(key)
    return key.name
  end, known.configuration)
  equal(keys, {
    'profile', 'pauses', 'join_duplicates', 'offer_scopes', 'show_changes', 'servers', 'grants', 'guardians',
    'limits', 'policy',
  })
  equal(known.layers, { 'managed', 'user', 'project', 'session' })
  equal(known.receipts, { 'shown', 'focused', 'first_input' })
  equal(known.resolutions, { 'completed', 'lapsed' })
  for list, words in pairs({
    abouts = { 'answer', 'guardian' },
    faults = { 'bad_output', 'not_loaded', 'unavailable' },
    vias = { 'no_ui' }
  }) do
    for _, word in ipairs(words) do
      truthy(vim.tbl_contains(known[list], word), word)
    end
  end
end)

test('effects and members of a later version change nothing', function()
  for seed = 1, 20 do
    math.randomseed(seed)
    local driver, seen = begun()
    local next = driver.machine.next
    driver.machine.next = function(...)
      if math.random() < 0.5 then
        local names = { 'sing', '', '__index', 'Show', 'show ' }
        return { effect = names[math.random(#names)], to = 'client', id = 7, later = { { a = vim.NIL } } }
      end
      local effect, message = next(...)
      if effect then
        effect['later_' .. math.random(9)] = { a = { vim.NIL, 1.5 } }
      end
      return effect, message
    end
    driver:receive('server', question(1))
    truthy(seen.show, 'no question was shown')
    seen.answer('decline')
    equal(#seen.sent, 1)
    truthy(seen.sent[1]:find('"action":"decline"', 1, true), seen.sent[1])
    driver:close()
  end
end)

test('the same time and random give the same bytes', function()
  local random = ('7'):rep(64)
  local one, other = Engine.open(nil, 1000, random), Engine.open(nil, 1000, random)
  equal(one.beginning, other.beginning)
  equal(one:step(opened, 2000, random), other:step(opened, 2000, random))
end)

test('a step takes an event bare or wrapped, as a table or a text', function()
  local random = ('7'):rep(64)
  local function stepped(...)
    local engine = Engine.open(nil, 1000, random)
    local ok, out = pcall(engine.step, engine, ...)
    return ok and out or { status = out.status, code = out.problems[1].code }
  end
  local text, want = json.encode(opened), stepped(opened, 2000, random)
  equal(want[1].effect, 'append')
  for name, got in pairs({
    text = stepped(text, 2000, random),
    wrapped = stepped({ event = opened }, 2000, random),
    ['wrapped with both'] = stepped({ event = opened, at = 2000, random = random }),
    ['wrapped with one'] = stepped({ event = opened, random = random }, 2000),
    ['wrapped text'] = stepped(' {"at":2000, "event" : ' .. text .. '} \n', nil, random),
  }) do
    equal(got, want, name)
  end
  equal(stepped({ event = opened, at = 2000 }, 3000).code, 'json_duplicate_key')
  equal(stepped({ event = opened, other = 1 }).code, 'unknown_member')
  equal(stepped('{"event"', 2000).status, 'invalid')
end)

test('guests run inside a step', function()
  local file = assert(io.open('../../testdata/guests/no-links.wasm', 'rb'))
  local is = Engine.guest(file:read('*a'))
  file:close()
  equal(is.manifest.name, 'no-links')
  local declared = { phases = { 'before_show' }, reads = { '/request/mode', '/request/url' } }
  local grant = { name = 'g', digest = is.digest, declared = declared, reads = { '/request/mode' } }
  local engine = Engine.open({ guardians = { grant } })
  engine:step(opened)
  local link = {
    event = 'asked', session = 's', ref = '1', mode = 'url', message = 'Pay',
    url = 'https://pay.example.com/', link = 'l',
  }
  local kinds = vim.tbl_map(function(effect)
    return effect.effect
  end, engine:step(link))
  equal(vim.list_slice(kinds, 1, 3), { 'append', 'append', 'reply' })
  truthy(not vim.tbl_contains(kinds, 'consult'))
  local ok, fault = pcall(Engine.guest, 'no module')
  truthy(not ok and Fault.is(fault) and fault.status == 'invalid')
end)

test('what is closed is closed', function()
  local engine = Engine.open()
  engine:close()
  engine:close()
  local ok = pcall(engine.step, engine, opened)
  equal(ok, false)
end)

test('an input that cannot be read is thrown with its problems', function()
  local ok, why = pcall(Engine.open, { nonsense = 1 })
  equal(ok, false)
  truthy(Fault.is(why), 'a fault')
  equal(why.status, 'invalid')
  truthy(why.problems[1].code, 'a problem')
end)

test('a saved session goes on in another engine', function()
  local engine = Engine.open()
  engine:step(opened)
  engine:step(asked)
  local state = engine:save('s')
  equal(engine:save('nobody'), nil)
  local effects = Engine.open():step({ event = 'resumed', state_text = state })
  equal(effects[2].effect, 'show')
  equal(effects[2].message, 'Where to?')
end)

test('numbers keep their spelling on every way', function()
  local driver, seen = begun()
  driver:receive('server', question(1))
  local form = Question.new(driver, seen.show, seen.question.schema_text)
  equal(form.fields[1].initial_text, '1.50')
  form.typed = { n = '12345678901234567890.10', region = 'eu' }
  equal((form:read()), '{"n":12345678901234567890.10,"region":"eu"}')
  form:accept()
  local sent = '{"n":12345678901234567890.10,"region":"eu"}'
  equal(seen.sent, { '{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":' .. sent .. '}}' })
end)

test('a field nobody touched gets its default, one that was emptied does not', function()
  for typed, want in pairs({ [false] = '{"n":1.50,"region":"eu"}', [''] = '{"region":"eu"}' }) do
    local driver, seen = begun()
    driver:receive('server', question(1))
    local form = Question.new(driver, seen.show, schema)
    form.typed = { region = 'eu', n = typed or nil }
    form:accept()
    equal(json.member(seen.sent[1], 'result', 'content'), want)
  end
end)

test('problems come as sentences by field', function()
  local driver, seen = begun()
  driver:receive('server', question(1))
  local form = Question.new(driver, seen.show, schema)
  form.typed = { n = 'many' }
  local _, problems = form:read()
  equal(problems.n.code, 'not_a_number')
  truthy(#problems.n.sentence > 5, 'a sentence')
  equal(problems.region.code, 'missing')
end)

test('a message that is no question passes byte for byte, whatever is in it', function()
  local driver, seen = begun()
  for _, message in ipairs({
    '{"jsonrpc":"2.0","id":7,"method":"roots/list" }',
    [[{"jsonrpc":"2.0","method":"notifications/message","params":{"half":"\ud800","n":1e999,]]
      .. [["m":12345678901234567890.10}}]],
  }) do
    seen.sent = {}
    driver:receive('server', message)
    equal(seen.sent, { message })
  end
  driver:receive('server', '{"jsonrpc":"2.0","id":8,"id":9,"method":"roots/list"}')
  equal(#seen.sent, 1)
  truthy(seen.note, 'a note')
end)

test('a record is kept before the answer leaves, and an event given meanwhile waits', function()
  local order = {}
  local driver, seen = begun({
    journal = function(line)
      order[#order + 1] = 'kept ' .. json.decode(line).event.event
    end,
    send = function(to, message)
      order[#order + 1] = to .. ' ' .. json.decode(message).result.action
    end,
  })
  driver.host = {
    show = function(effect)
      seen.show = effect
      order[#order + 1] = 'show'
      seen.answer('decline')
      order[#order + 1] = 'shown'
    end,
  }
  driver:receive('server', question(1))
  equal(order, { 'kept configured', 'kept opened', 'kept asked', 'show', 'shown', 'kept answered', 'server decline' })
end)

test('a journal that fails with two questions open: both get an error, and nothing is decided any more', function()
  local broken
  local driver, seen = begun({
    journal = function()
      if broken then
        error('disk full', 0)
      end
    end,
  })
  driver:receive('server', question(1))
  driver:receive('server', question('"two"'))
  broken = true
  local list = told(function()
    seen.answer('decline')
    driver:receive('server', question(3))
  end)
  equal(list, { 'elicit: disk full' })
  local ids = {}
  for i, message in ipairs(seen.sent) do
    ids[i] = json.member(message, 'id')
    truthy(json.member(message, 'error', 'message'):find('journal', 1, true), message)
  end
  table.sort(ids)
  equal(ids, { '"two"', '1', '3' })
  equal(vim.tbl_contains(vim.tbl_map(json.encode, seen.sent), 'decline'), false)
end)

test('an id that is asked under twice gives one answer, and an error to nobody in particular', function()
  local driver, seen = begun()
  driver:receive('server', question(1))
  driver:receive('server', question(1))
  equal(#seen.sent, 1)
  equal(json.member(seen.sent[1], 'id'), 'null')
  equal(json.member(seen.sent[1], 'error', 'code'), '-32600')
  seen.answer('decline')
  equal({ seen.sent[2], #seen.sent }, { '{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}', 2 })
end)

test('a timer does not follow a wall clock that is set', function()
  local uv = vim.uv or vim.loop
  local real = uv.gettimeofday
  for _, hours in ipairs({ -1, 1 }) do
    uv.gettimeofday = function()
      local seconds, micro = real()
      return seconds + hours * 3600, micro
    end
    local driver, seen = begun({}, { limits = { answer_ttl_ms = 100 } })
    driver:receive('server', question(1))
    equal(#seen.sent, 0)
    wait('the deadline', function()
      return #seen.sent > 0
    end)
    equal(seen.settled.reply.cause, 'timeout')
    driver:close()
  end
  uv.gettimeofday = real
end)

test('a deadline comes by a timer, without a key being pressed', function()
  local driver, seen = begun(nil, { limits = { answer_ttl_ms = 300 } })
  driver:receive('server', question(1))
  truthy(seen.show.deadline, 'a deadline')
  wait('the timeout', function()
    return seen.settled
  end)
  equal(seen.settled.reply.cause, 'timeout')
  equal(seen.withdraw.cause, 'timeout')
  equal(seen.sent, { '{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}' })
end)

test('a tick that comes early brings another, and the deadline still holds', function()
  local driver, seen = begun(nil, { limits = { answer_ttl_ms = 300 } })
  driver:receive('server', question(1))
  for _ = 1, 3 do
    driver.timer:stop()
    driver:give({ event = 'ticked' })
    equal(seen.settled, nil)
    truthy(driver.timer:is_active(), 'the timer runs again')
  end
  wait('the timeout', function()
    return seen.settled
  end)
  equal(seen.settled.reply.cause, 'timeout')
end)

test('a late answer is a problem that names the outcome', function()
  local driver, seen = begun()
  driver:receive('server', question(1))
  driver:receive('server', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
  seen.answer('decline')
  equal(seen.problem.problems[1].code, 'already_settled')
  equal(seen.sent, {})
end)

test('closing settles what is open, for both ends, and once', function()
  local driver, seen = begun()
  local ended = 0
  driver:receive('client', '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x"}}')
  driver:receive('server', question(1))
  local function count()
    ended = ended + 1
  end
  driver:close(count)
  driver:close(count)
  driver:receive('server', question(2))
  equal(seen.settled.reply.cause, 'shutdown')
  equal({ #seen.sent, seen.sent[2] }, { 3, '{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}' })
  equal(json.member(seen.sent[3], 'id'), '5')
  truthy(json.member(seen.sent[3], 'error'), seen.sent[3])
  equal({ ended, driver.closed }, { 1, true })
end)

test('an effect that breaks is told, and the others are performed', function()
  local driver, seen = begun()
  local host = driver.host
  driver.host = setmetatable({
    question = function()
      error('no list', 0)
    end,
  }, { __index = host })
  local list = told(function()
    driver:receive('server', question(1))
  end)
  equal(list, { 'elicit: no list' })
  truthy(seen.show, 'shown')
end)

test('an event that is not for a host is refused, and those behind it are taken', function()
  local driver, seen = begun()
  driver:give({ event = 'closed', session = 'form+url', cause = 'shutdown' })
  equal(seen.note.problems[1].code, 'event_unfit')
  local ok, why = pcall(driver.give, driver, { event = 'perhaps' })
  truthy(not ok and Fault.is(why) and why.status == 'invalid', tostring(why))
  driver:receive('server', question(1))
  truthy(seen.show, 'shown')
end)

test('a machine that takes nothing any more is told of', function()
  local fault
  local driver = begun({
    broken = function(why)
      fault = why
    end,
  })
  -- A bug of the machine cannot be ordered from outside: the driver is handed its status instead.
  local machine = driver.machine
  driver.machine = setmetatable({
    receive = function()
      error(Fault.new('internal', 'internal'), 0)
    end,
  }, { __index = machine })
  driver:receive('server', question(1))
  equal(fault.status, 'internal')
end)

test('a clock that breaks is told of, and the driver goes on when it works again', function()
  local broken = true
  local calls = 0
  local driver, seen = begun({
    times = function()
      calls = calls + 1
      return broken and calls > 3 and error('no clock', 0) or nil
    end,
  })
  local ok, why = pcall(driver.receive, driver, 'server', question(1))
  equal({ ok, why, seen.show }, { false, 'no clock' })
  broken = false
  driver:receive('client', '{"jsonrpc":"2.0","method":"n"}')
  truthy(seen.show, 'shown')
end)

test('random bytes that are too few count as none', function()
  local bytes = ('r'):rep(32)
  local driver, seen = begun({
    random = function()
      return bytes
    end,
  })
  bytes = 'few'
  local list = told(function()
    driver:receive('server', question(1))
  end)
  truthy(list[1]:find('random returns 32 bytes', 1, true), list[1])
  truthy(seen.sent[1]:find('"journal_failed"', 1, true), seen.sent[1])
  equal(seen.show, nil)
end)
