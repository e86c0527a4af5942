--- Guardians in Neovim: real guests, real servers, and hosts that answer for them late, wrongly or not at all.
local harness = require('harness')
local test, equal, truthy, wait, settle = harness.test, harness.equal, harness.truthy, harness.wait, harness.settle
local Driver = require('elicit.drive')
local Engine = require('elicit.engine')
local Guardian = require('elicit.guardian')
local History = require('elicit.history')
local json = require('elicit.json')
local options = require('elicit.options')

local top = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
local no_links = top .. '/testdata/guests/no-links.wasm'
local wary = top .. '/testdata/guests/wary.wasm'
local links = { module = no_links, reads = { '/request/mode', '/request/url' } }
local answers = { module = wary, reads = { '/answer' } }

local relay = { server = 'build', principal = 'ann', modes = { 'form', 'url' },
  session = { version = '2025-11-25', declared = { 'form', 'url' } },
}

--- The text of a question with these parameters.
local function create(params)
  return '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":' .. params .. '}'
end

local asked = create('{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}')
local page = create('{"mode":"url","message":"Pay","url":"https://pay.example.com/","elicitationId":"l"}')

for name, case in pairs({
  ['a module that is not there'] = {
    { module = '/no/such/links.wasm' },
    'guardian 1, /no/such/links.wasm, cannot be read'
  },
  ['a directory'] = { { module = '/tmp' }, 'guardian 1, /tmp, cannot be read' },
  ['a file that is no module'] = { { module = top .. '/LICENSE' }, 'LICENSE, is refused: ' },
  ['a module that is not the pinned one'] = {
    { module = wary, digest = ('0'):rep(64) },
    'is another module: it has the digest '
  },
  ['a table that is no list'] = { nil, 'guardians is a list' },
  ['an entry that is no table'] = { 'links.wasm', 'guardian 1 is not a table' },
}) do
  test('refused when read: ' .. name, function()
    options.set({ guardians = case[1] and { case[1] } or { links = links } })
    local ok, why = pcall(options.config)
    options.set()
    truthy(not ok and tostring(why):find(case[2], 1, true), tostring(why))
  end)
end

for name, case in pairs({
  ['settings the module does not take'] = {
    { module = wary, settings = { x = 1 } },
    'there is nothing to set (at /guardians/0/settings)'
  },
  ['a declaration that is not the module\'s'] = {
    { module = wary, declared = { phases = { 'before_show' }, reads = {} } },
    'declares other phases or reads'
  },
  ['a misspelt member'] = { { module = wary, read = { '/answer' } }, '(at /guardians/0/read)' },
}) do
  test('refused by the engine: ' .. name, function()
    local elicit = require('elicit')
    elicit.setup({ guardians = { case[1] } })
    local ok, why = pcall(elicit.attach, { name = 'build' })
    elicit.setup()
    truthy(not ok and tostring(why):find(case[2], 1, true), tostring(why))
  end)
end

test('a data document is given by its path, and the guardian reads it', function()
  local clerk, document = top .. '/testdata/guests/clerk.wasm', vim.fn.tempname()
  vim.fn.writefile({ 'deny' }, document)
  options.set({ guardians = { { module = clerk, data = document } } })
  local config = options.config()
  local permit = config.guardians[1]
  equal(permit.data_digest, vim.fn.sha256('deny\n'))
  equal(permit.data, nil)
  for _, case in ipairs({
    { { module = clerk }, 'clerk needs a data document' },
    { { module = clerk, data = '/no/such/list.txt' }, 'data document cannot be read' },
    { { module = clerk, data = document, data_digest = ('0'):rep(64) }, 'has another data document: it has the ' },
  }) do
    local elicit = require('elicit')
    local ok, why = pcall(function()
      elicit.setup({ guardians = { case[1] } })
      elicit.attach({ name = 'build' })
    end)
    elicit.setup()
    truthy(not ok and tostring(why):find(case[2], 1, true), tostring(why))
  end
  options.set()
end)

test('digest and declaration come from the module, and nothing is permitted that was not written', function()
  options.set({ guardians = { { module = no_links, settings = {} } } })
  local config, guardians = options.config()
  options.set()
  local permit = config.guardians[1]
  equal(permit.name, 'no-links')
  equal(#permit.digest, 64)
  equal(permit.declared, { phases = { 'before_show' }, reads = { '/request/mode', '/request/url' } })
  equal(permit.reads, {})
  local complaint = Guardian.complaint(guardians[1])
  truthy(complaint:find([[reads = { "/request/mode", "/request/url" }]], 1, true), complaint)
  equal(Guardian.complaint(Guardian.read({ module = no_links, reads = {} }, 1)), nil)
  Engine.open(config):close()
end)

--- A driver with one guardian of the host's own, asked by `ask`.
local function hosted(ask, more)
  local records, seen = {}, {}
  local permit = vim.tbl_extend('force',
    { name = 'aunt', reads = { '/request/message' }, deadline_ms = 60000, phases = { 'before_show' } },
    more or {})
  local driver = Driver.new(vim.tbl_extend('force', relay, { config = { guardians = { permit } } }), {
    consult = ask,
    journal = function(line)
      records[#records + 1] = line
    end,
  })
  driver.host = setmetatable({
    settled = function(effect)
      seen.reply = effect.reply
    end,
  }, {
    __index = function(_, name)
      return function(effect)
        seen[name] = effect
      end
    end,
  })
  driver:receive('server', asked)
  function seen.answer(content)
    driver:give({
      event = 'answered', session = seen.show.session, id = seen.show.id, action = 'accept',
      content_text = content, principal = 'ann'
    })
  end
  return seen, driver, records
end

local function verdict(decision, message)
  return json.encode({
    v = 1,
    decision = decision,
    findings = message and { { code = 'x', message = message } } or nil
  })
end

local function denied(seen)
  equal({ seen.reply and seen.reply.outcome, seen.reply and seen.reply.cause }, { 'decline', 'guardian' })
  return table.concat(Engine.explain('reasons', seen.reply.reasons), '; ')
end

test('a guardian nobody can ask has said so at once', function()
  truthy(denied(hosted(nil)):find('guardian aunt gave no verdict (unavailable)', 1, true))
end)

test('a module that nobody loaded is missing', function()
  local permit = { digest = ('a'):rep(64), declared = { phases = { 'before_show' }, reads = {} } }
  truthy(denied(hosted(nil, permit)):find('(not_loaded)', 1, true))
end)

for name, case in pairs({
  ['that breaks'] = { function() error('no model') end, '(unavailable)' },
  ['that says nothing'] = { function(_, answer) answer() end, '(unavailable)' },
  ['that says an empty text'] = { function(_, answer) answer('') end, '(bad_output)' },
  ['that says a number'] = { function(_, answer) answer(7) end, '(bad_output)' },
  ['that says bytes'] = { function(_, answer) answer('\255\254') end, '(bad_output)' },
  ['that says too much'] = { function(_, answer) answer(('x'):rep(9 * 2 ^ 20)) end, '(bad_output)' },
  ['that says nonsense'] = { function(_, answer) answer('certainly!') end, '(bad_verdict)' },
  ['that says a fault'] = { function(_, answer) answer({ fault = 'trap' }) end, '(trap)' },
  ['that denies'] = {
    function(_, answer) answer(verdict('deny', 'Not on Sundays')) end,
    'guardian aunt denies it: Not on Sundays'
  },
}) do
  test('a consult function ' .. name, function()
    local notify, told = vim.notify, {}
    vim.notify = function(text)
      table.insert(told, text)
    end
    local why = denied(hosted(case[1]))
    settle()
    vim.notify = notify
    truthy(why:find(case[2], 1, true), why)
    equal(#told, name == 'that breaks' and 1 or 0, vim.inspect(told))
  end)
end

test('an answer may come later, from another thread\'s callback, and only once', function()
  local told
  local seen, driver, records = hosted(function(effect, answer)
    equal(effect.question.request, { message = 'Go on?' })
    local timer = vim.loop.new_timer()
    timer:start(20, 0, function()
      timer:close()
      answer(verdict('ask', 'Are you sure?'))
      answer(verdict('deny'))
    end)
    told = true
  end)
  truthy(told and not seen.show and not seen.reply, 'it waits')
  wait('the question', function()
    return seen.show
  end)
  settle()
  equal(seen.problem, nil)
  equal(seen.reply, nil)
  equal(Engine.explain('findings', seen.show.findings)[1], 'aunt says: Are you sure?')
  driver:close()
  local replayed = Engine.eval('replay', { journal_text = table.concat(records, '\n') .. '\n' })
  equal(json.decode(replayed), { records = #records })
end)

for principal, case in pairs({
  bob = { 'accept', 'bob approved for guardian aunt' },
  ann = { 'cancel', 'nobody else approved for guardian aunt (unavailable)' },
}) do
  test('the second person is ' .. principal, function()
    local seen, driver = hosted(function(effect, answer)
      if effect.phase == 'second_person' then
        answer({ output = verdict('allow'), principal = principal })
      else
        answer('{"v":1,"decision":"pass","obligations":[{"do":"second_person"}]}')
      end
    end, { phases = { 'before_send' } })
    seen.answer('{}')
    equal(seen.reply.outcome, case[1])
    equal(seen.problem, nil)
    local why = table.concat(Engine.explain('reasons', seen.reply.reasons), '; ')
    truthy(why:find(case[2], 1, true), why)
  end)
end

test('an answer that comes too late disturbs nobody', function()
  local answered
  local seen = hosted(function(_, answer)
    answered = answer
  end, { phases = { 'before_send' }, deadline_ms = 30 })
  seen.answer('{}')
  wait('the deadline', function()
    return seen.problem
  end)
  equal(Engine.explain('problems', seen.problem.problems)[1], 'aunt does not let this answer be sent: fault timeout')
  seen.problem = nil
  answered(verdict('pass'))
  equal({ seen.problem, seen.reply }, {})
end)

test('every record of one step is kept, in order, before anything else', function()
  local kept, order = {}, {}
  local config
  options.set({ guardians = { links, answers } })
  config = options.config()
  options.set()
  local driver = Driver.new(vim.tbl_extend('force', relay, { config = config }), {
    journal = function(line)
      kept[#kept + 1] = line
      order[#order + 1] = json.decode(line).event.event
    end,
    send = function(to, message)
      order[#order + 1] = to .. ' ' .. message
    end,
  })
  driver:receive('server', page)
  equal(order, {
    'configured', 'opened', 'asked', 'consulted',
    'server {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}'
  })
  equal(json.decode(Engine.eval('replay', { journal_text = table.concat(kept, '\n') .. '\n' })), { records = #kept })
  local log = table.concat(History.read(kept).lines, '\n')
  truthy(log:find('guardian no-links denies it: No links here', 1, true), log)
end)
