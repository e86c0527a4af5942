--- Guardians in Neovim: real guests, real servers, and hosts that answer for them late, wrongly or not at all.
local harness = require('harness')
local test, equal, truthy, wait, settle = harness.test, harness.equal, harness.truthy, harness.wait, harness.settle
local Child = require('child')
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

local relay = { server = 'build', principal = 'ann', modes = { 'form', 'url' }, session = { version = '2025-11-25', declared = { 'form', 'url' } } }
local asked = '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}}'
local page = '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Pay","url":"https://pay.example.com/","elicitationId":"l"}}'

for name, case in pairs({
  ['a module that is not there'] = { { module = '/no/such/links.wasm' }, 'guardian 1, /no/such/links.wasm, cannot be read' },
  ['a directory'] = { { module = '/tmp' }, 'guardian 1, /tmp, cannot be read' },
  ['a file that is no module'] = { { module = top .. '/LICENSE' }, 'LICENSE, is refused: ' },
  ['a module that is not the pinned one'] = { { module = wary, digest = ('0'):rep(64) }, 'is another module: it has the digest ' },
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
  ['settings the module does not take'] = { { module = wary, settings = { x = 1 } }, 'there is nothing to set (at /guardians/0/settings)' },
  ['a declaration that is not the module\'s'] = { { module = wary, declared = { phases = { 'before_show' }, reads = {} } }, 'declares other phases or reads' },
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
  local grant = config.guardians[1]
  equal(grant.data_digest, vim.fn.sha256('deny\n'))
  equal(grant.data, nil)
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

test('digest and declaration come from the module, and nothing is granted that was not written', function()
  options.set({ guardians = { { module = no_links, settings = {} } } })
  local config, guardians = options.config()
  options.set()
  local grant = config.guardians[1]
  equal(grant.name, 'no-links')
  equal(#grant.digest, 64)
  equal(grant.declared, { phases = { 'before_show' }, reads = { '/request/mode', '/request/url' } })
  equal(grant.reads, {})
  truthy(Guardian.complaint(guardians[1]):find([[reads = { "/request/mode", "/request/url" }]], 1, true), Guardian.complaint(guardians[1]))
  equal(Guardian.complaint(Guardian.read({ module = no_links, reads = {} }, 1)), nil)
  Engine.open(config):close()
end)

--- A driver with one guardian of the host's own, asked by `ask`.
local function hosted(ask, more)
  local records, seen = {}, {}
  local grant = vim.tbl_extend('force', { name = 'aunt', reads = { '/request/message' }, deadline_ms = 60000, phases = { 'before_show' } }, more or {})
  local driver = Driver.new(vim.tbl_extend('force', relay, { config = { guardians = { grant } } }), {
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
    driver:give({ event = 'answered', session = seen.show.session, id = seen.show.id, action = 'accept', content_text = content, principal = 'ann' })
  end
  return seen, driver, records
end

local function verdict(decision, message)
  return json.encode({ v = 1, decision = decision, findings = message and { { code = 'x', message = message } } or nil })
end

local function denied(seen)
  equal({ seen.reply and seen.reply.outcome, seen.reply and seen.reply.cause }, { 'decline', 'guardian' })
  return table.concat(Engine.explain('reasons', seen.reply.reasons), '; ')
end

test('a guardian nobody can ask has said so at once', function()
  truthy(denied(hosted(nil)):find('guardian aunt gave no verdict (unavailable)', 1, true))
end)

test('a module that nobody loaded is missing', function()
  local grant = { digest = ('a'):rep(64), declared = { phases = { 'before_show' }, reads = {} } }
  truthy(denied(hosted(nil, grant)):find('(not_loaded)', 1, true))
end)

for name, case in pairs({
  ['that breaks'] = { function() error('no model') end, '(unavailable)' },
  ['that says nothing'] = { function(_, answer) answer() end, '(unavailable)' },
  ['that says an empty text'] = { function(_, answer) answer('') end, '(bad_output)' },
  ['that says a number'] = { function(_, answer) answer(7) end, '(bad_output)' },
  ['that says bytes'] = { function(_, answer) answer('\255\254') end, '(bad_output)' },
  ['that says nonsense'] = { function(_, answer) answer('certainly!') end, '(bad_verdict)' },
  ['that says a fault'] = { function(_, answer) answer({ fault = 'trap' }) end, '(trap)' },
  ['that denies'] = { function(_, answer) answer(verdict('deny', 'Not on Sundays')) end, 'guardian aunt denies it: Not on Sundays' },
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
  equal(json.decode(Engine.eval('replay', { journal_text = table.concat(records, '\n') .. '\n' })), { records = #records })
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
  equal(order, { 'configured', 'opened', 'asked', 'consulted', 'server {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}' })
  equal(json.decode(Engine.eval('replay', { journal_text = table.concat(kept, '\n') .. '\n' })), { records = #kept })
  local log = table.concat(History.read(kept).lines, '\n')
  truthy(log:find('guardian no-links denies it: No links here', 1, true), log)
end)

--- Runs a test in a Neovim of its own.
local function child_test(name, given, run)
  test(name, function()
    local child = Child.start()
    local ok, why = pcall(function()
      if given then
        child:lua('T.begin(...)', vim.tbl_extend('keep', given, { open = 'ask' }))
      end
      run(child)
    end)
    child:stop()
    if not ok then
      error(why, 0)
    end
  end)
end

local demo = { top .. '/dist/demoserver', '-protocol', '2025-11-25' }

--- Calls a tool of the demo server from inside; T.said is what it says.
local function call(child, tool)
  child:lua([[
    local cmd, tool = ...
    T.said = nil
    require('elicit').connect({ name = 'demo', cmd = cmd, ready = function(client)
      client:tool(tool, nil, function(result, why) T.said = result or why end)
    end })]], demo, tool)
end

child_test('a real server\'s page is denied by a guest, and the log says why', { guardians = { links, answers } }, function(child)
  call(child, 'connect')
  truthy(child:until_true('T.said'):find('Declined', 1, true), child:lua('return T.said'))
  equal(child:lua('return #T.opened'), 0)
  local told = table.concat(child:lua('return T.told'), '\n')
  truthy(told:find('demo asked, and the answer was decline: guardian no-links denies it: No links here', 1, true), told)
  child:type(':ElicitLog<CR>')
  local log = child:until_true([[vim.fn.bufnr('^elicit://log$') ~= -1 and table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('^elicit://log$'), 0, -1, false), '\n')]])
  truthy(log:find('- guardian no-links denies it: No links here', 1, true), log)
end)

child_test('an answer is refused, mended, confirmed and sent, with the form open all the while', { guardians = { answers } }, function(child)
  call(child, 'profile')
  child:until_true('#require("elicit").pending() == 1')
  child:type(':Elicit<CR>')
  child:sees('▸ Name *')
  child:lua([[local q = require('elicit').queue().sheet.question; q.typed.age = '7'; q.typed.region = 'eu']])
  child:type('idrop it<Esc>S')
  local found = child:until_true('T.diagnostics()[1]')
  equal({ found.code, found.message }, { 'guardian_refused', 'wary does not let this answer be sent: Nothing is dropped from here' })
  truthy(found.line:find('Name', 1, true), found.line)
  child:sees('wary does not let this answer be sent')
  child:type('ji<C-u>nick<Esc>')
  equal(#child:lua('return T.diagnostics()'), 1, 'it stays until its field changes')
  child:type('ki<C-u>prod<Esc>')
  child:until_true('#T.diagnostics() == 0')
  child:type('S')
  found = child:until_true('T.diagnostics()[1]')
  equal(found.code, 'guardian_unconfirmed')
  child:sees('Press S again to send it all the same.')
  equal(child:lua('return T.said == nil'), true)
  child:type('S')
  truthy(child:until_true('T.said'):find('prod', 1, true), 'sent')
  child:type(':ElicitLog<CR>')
  local log = child:until_true([[vim.fn.bufnr('^elicit://log$') ~= -1 and table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('^elicit://log$'), 0, -1, false), '\n')]])
  for _, text in ipairs({ 'an answer was not sent: wary does not let this answer be sent', 'an answer was not sent: wary wants this confirmed', 'guardian wary wants a person\'s word: This is production', 'the answer was confirmed' }) do
    truthy(log:find(text, 1, true), text .. '\n' .. log)
  end
end)

child_test('what was refused is still said when the form was put aside', { guardians = { answers } }, function(child)
  child:lua('T.ask(...)', '1', { schema_text = '{"type":"object","properties":{"name":{"type":"string","title":"Name"}}}' })
  child:type(':Elicit<CR>')
  child:sees('▸ Name')
  child:type('idrop<Esc>S')
  child:until_true('T.diagnostics()[1]')
  child:type('z')
  child:until_true('#T.floats() == 0')
  child:type(':Elicit<CR>')
  child:sees('does not let this answer be sent')
  equal(child:until_true('T.diagnostics()[1]').code, 'guardian_refused')
end)

child_test('a question says which guardian brought it, and waits for one that thinks', nil, function(child)
  child:lua([[
    require('elicit').setup({ open = 'ask', guardians = { { name = 'aunt', reads = { '/request/message' }, deadline_ms = 60000 } }, consult = function(effect, answer)
      T.answer = answer
      if effect.phase == 'before_show' then answer('{"v":1,"decision":"ask"}') end
    end })
    T.begin(nil)
    T.ask('1', { schema_text = '{"type":"object","properties":{}}' })]])
  child:type(':Elicit<CR>')
  child:sees("guardian aunt wants a person's word: no reason given")
  child:type('S')
  child:sees('Guardians are looking at the answer.')
  child:lua([[T.answer('{"v":1,"decision":"deny"}')]])
  child:sees('aunt does not let this answer be sent: no reason given')
  truthy(not child:screen():find('are looking', 1, true), child:screen())
  child:type('S')
  child:sees('Guardians are looking at the answer.')
  child:lua([[T.answer('{"v":1,"decision":"pass"}')]])
  equal(child:until_true('T.replies[1] and T.replies[1].outcome'), 'accept')
end)

child_test('a colleague\'s refusal ends the question, and the card says so', nil, function(child)
  child:lua([[
    require('elicit').setup({ open = 'ask', guardians = { { name = 'aunt', phases = { 'before_send' } } }, consult = function(effect, answer)
      if effect.phase == 'second_person' then
        T.answer = answer
      else
        answer('{"v":1,"decision":"pass","obligations":[{"do":"second_person"}]}')
      end
    end })
    T.begin(nil)
    T.ask('1', { schema_text = '{"type":"object","properties":{}}' })]])
  child:type(':Elicit<CR>')
  child:sees('Where to?')
  child:type('S')
  child:sees('Guardians are looking at the answer.')
  child:lua([[T.answer({ output = '{"v":1,"decision":"deny"}', principal = 'bob' })]])
  child:sees('bob refused to approve for guardian aunt')
  equal(child:lua('return T.replies[1].outcome'), 'decline')
end)

child_test('a guardian that is shown nothing is named, with what it declares', { guardians = { { module = no_links } } }, function(child)
  local told = child:until_true('T.told[1]')
  truthy(told:find('guardian no-links is shown nothing', 1, true) and told:find('"/request/url"', 1, true), told)
end)

child_test(':checkhealth lists guardians', nil, function(child)
  local audited = { module = wary, reads = { '/answer' }, audit = true, fuel = 9000 }
  child:lua([[require('elicit').setup(...); vim.cmd('checkhealth elicit')]], { guardians = { links, audited, { name = 'aunt' }, { module = '/gone.wasm' } } })
  local text = child:lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
  for _, want in ipairs({
    'no-links: no-links 1.0, sha256 ' .. Engine.guest(io.open(no_links, 'rb'):read('*a')).digest, 'sees /request/mode /request/url, of the /request/mode /request/url it declares',
    'heard before_show; fuel 5000000', 'wary: wary 1.0', 'fuel 9000; audit', 'nobody asks guardian aunt', 'guardian 4, /gone.wasm, cannot be read',
  }) do
    truthy(text:find(want, 1, true), want .. '\n' .. text)
  end
end)
