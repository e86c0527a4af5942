--- The engine and its driver: effects in order, records before replies, timers, and what happens when something breaks.
local harness = require('harness')
local test, equal, truthy, wait = harness.test, harness.equal, harness.truthy, harness.wait
local Driver = require('elicit.drive')
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local json = require('elicit.json')
local library = require('elicit.library')
local Question = require('elicit.question')

local schema = '{"type":"object","properties":{"n":{"type":"number","default":1.50},"region":{"type":"string"}},"required":["region"]}'
local asked = { event = 'asked', session = 's', ref = '1', mode = 'form', message = 'Where to?', schema_text = schema }
local opened = { event = 'opened', session = 's', server = 'build', side = 'answering', declared = { 'form', 'url' }, shown = { 'form', 'url' } }

--- A host that writes down what it is handed.
local function recorder(driver)
  local seen = {}
  local host = setmetatable({}, {
    __index = function(_, name)
      return name ~= 'over' and function(effect)
        seen[#seen + 1] = effect
        seen[name] = effect
      end or nil
    end,
  })
  driver:join('s', host)
  return seen
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
  for _, event in ipairs({ 'opened', 'asked', 'answered', 'completed', 'cancelled', 'closed', 'resumed', 'noted', 'extended', 'ticked' }) do
    truthy(vim.tbl_contains(known.events, event), event)
  end
  for _, effect in ipairs({ 'append', 'show', 'withdraw', 'reply', 'open_url', 'resolve', 'extend', 'wake', 'problem' }) do
    truthy(vim.tbl_contains(known.effects, effect), effect)
  end
  local keys = vim.tbl_map(function(key)
    return key.name
  end, known.configuration)
  equal(keys, { 'profile', 'pauses', 'join', 'remember', 'servers', 'grants', 'guardians', 'limits', 'policy' })
  equal(known.layers, { 'managed', 'user', 'project', 'session' })
  equal(known.receipts, { 'shown', 'focused', 'first_input' })
  equal(known.resolutions, { 'completed', 'lapsed' })
  for list, words in pairs({ abouts = { 'answer', 'guardian' }, faults = { 'bad_output', 'missing', 'unavailable' }, vias = { 'no_ui' } }) do
    for _, word in ipairs(words) do
      truthy(vim.tbl_contains(known[list], word), word)
    end
  end
end)

test('the same time and dice give the same bytes', function()
  local dice = ('7'):rep(64)
  local one, other = Engine.open(nil, 1000, dice), Engine.open(nil, 1000, dice)
  equal(one.beginning, other.beginning)
  equal(one:step(opened, 2000, dice), other:step(opened, 2000, dice))
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
  local link = { event = 'asked', session = 's', ref = '1', mode = 'url', message = 'Pay', url = 'https://pay.example.com/', link = 'l' }
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
  local driver = Driver.new()
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  local question = Question.new(driver, seen.show, schema)
  equal(question.fields[1].initial_text, '1.50')
  question.typed = { n = '12345678901234567890.10', region = 'eu' }
  equal((question:read()), '{"n":12345678901234567890.10,"region":"eu"}')
  question:accept()
  equal(json.member(seen.reply.text, 'content'), '{"n":12345678901234567890.10,"region":"eu"}')
end)

test('a field nobody touched gets its default, one that was emptied does not', function()
  for typed, want in pairs({ [false] = '{"n":1.50,"region":"eu"}', [''] = '{"region":"eu"}' }) do
    local driver = Driver.new()
    local seen = recorder(driver)
    driver:give(opened)
    driver:give(asked)
    local question = Question.new(driver, seen.show, schema)
    question.typed = { region = 'eu', n = typed or nil }
    question:accept()
    equal(json.member(seen.reply.text, 'content'), want)
  end
end)

test('problems come as sentences by field', function()
  local driver = Driver.new()
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  local question = Question.new(driver, seen.show, schema)
  question.typed = { n = 'many' }
  local _, problems = question:read()
  equal(problems.n.code, 'not_a_number')
  truthy(#problems.n.sentence > 5, 'a sentence')
  equal(problems.region.code, 'missing')
end)

test('a record is kept before the reply leaves', function()
  local order = {}
  local driver = Driver.new(nil, {
    journal = function(line)
      order[#order + 1] = 'kept ' .. json.decode(line).event.event
    end,
  })
  driver:join('s', {
    reply = function(effect)
      order[#order + 1] = 'reply ' .. effect.outcome
    end,
    show = function(effect)
      order[#order + 1] = 'show'
      driver:give({ event = 'answered', session = 's', id = effect.id, action = 'decline' })
      order[#order + 1] = 'shown'
    end,
  })
  driver:give(opened)
  driver:give(asked)
  equal(order, { 'kept configured', 'kept opened', 'kept asked', 'show', 'shown', 'kept answered', 'reply decline' })
end)

test('a journal that fails stops everything, and whoever waits is told', function()
  local lines = 0
  local driver = Driver.new(nil, {
    journal = function()
      lines = lines + 1
      if lines > 3 then
        error('disk full')
      end
    end,
  })
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  local ok, why = pcall(driver.give, driver, { event = 'answered', session = 's', id = seen.show.id, action = 'accept', content_text = '{"region":"eu"}' })
  equal(ok, false)
  truthy(tostring(why):find('disk full'), tostring(why))
  equal(seen.reply.outcome, 'error')
  equal(seen.reply.problems[1].code, 'journal_failed')
  driver:give(vim.tbl_extend('force', asked, { ref = '2' }))
  equal(seen.reply.ref, '2')
  equal(seen.reply.outcome, 'error')
end)

test('a deadline comes by a timer, without a key being pressed', function()
  local driver = Driver.new({ limits = { answer_ttl_ms = 300 } })
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  truthy(seen.show.deadline, 'a deadline')
  wait('the timeout', function()
    return seen.reply
  end)
  equal(seen.reply.cause, 'timeout')
  equal(seen.withdraw.cause, 'timeout')
  equal(driver:waiting(), 0)
end)

test('a late answer is a problem that names the outcome', function()
  local driver = Driver.new()
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  driver:give({ event = 'cancelled', session = 's', ref = '1' })
  driver:give({ event = 'answered', session = 's', id = seen.show.id, action = 'decline' })
  equal(seen.problem.problems[1].code, 'already_settled')
end)

test('shutdown settles what is open', function()
  local driver = Driver.new()
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  driver:shutdown()
  driver:shutdown()
  equal(seen.reply.cause, 'shutdown')
end)

test('an engine that breaks is replaced by one that knows the sessions', function()
  local told
  local driver = Driver.new(nil, {
    replaced = function(fault)
      told = fault
    end,
  })
  local seen = recorder(driver)
  driver:give(opened)
  driver:give(asked)
  local real = driver.engine
  -- A bug of the engine cannot be ordered from outside: the driver is handed its status instead.
  driver.engine = setmetatable({
    step = function()
      error(Fault.new('internal', 'internal'), 0)
    end,
  }, { __index = real })
  driver:give(vim.tbl_extend('force', asked, { ref = '2' }))
  equal(told.status, 'internal')
  equal(seen.reply.ref, '2')
  driver:give({ event = 'answered', session = 's', id = seen.show.id, action = 'decline' })
  equal(seen.reply.ref, '1')
  equal(seen.reply.outcome, 'decline')
end)
