--- Guardians as a person meets them: in the form, on a page, in the log and in :checkhealth.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')
local Engine = require('elicit.engine')

local top = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
local no_links = top .. '/testdata/guests/no-links.wasm'
local wary = top .. '/testdata/guests/wary.wasm'
local links = { module = no_links, reads = { '/request/mode', '/request/url' } }
local answers = { module = wary, reads = { '/answer' } }

local function child_test(name, options, run)
  Child.test(name, options and vim.tbl_extend('keep', options, { open = 'ask' }), run)
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

child_test('a real server\'s page is denied by a guest, and the log says why',
  { guardians = { links, answers } }, function(child)
  call(child, 'connect')
  truthy(child:until_true('T.said'):find('Declined', 1, true), child:lua('return T.said'))
  equal(child:lua('return #T.opened'), 0)
  local told = table.concat(child:lua('return T.told'), '\n')
  truthy(told:find('demo asked, and the answer was decline: guardian no-links denies it: No links here', 1, true), told)
  child:type(':ElicitLog<CR>')
  local log = child:until_true([[
    vim.fn.bufnr('^elicit://log$') ~= -1
    and table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('^elicit://log$'), 0, -1, false), '\n')]])
  truthy(log:find('- guardian no-links denies it: No links here', 1, true), log)
end)

child_test('an answer is refused, mended, confirmed and sent, with the form open all the while',
  { guardians = { answers } }, function(child)
  call(child, 'profile')
  child:until_true('#require("elicit").pending() == 1')
  child:type(':Elicit<CR>')
  child:sees('▸ Name *')
  child:lua([[local q = require('elicit').queue().sheet.question; q.typed.age = '7'; q.typed.region = 'eu']])
  child:type('idrop it<Esc>S')
  local found = child:until_true('T.diagnostics()[1]')
  equal({ found.code, found.message }, {
    'guardian_refused',
    'wary does not let this answer be sent: Nothing is dropped from here'
  })
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
  local log = child:until_true([[
    vim.fn.bufnr('^elicit://log$') ~= -1
    and table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('^elicit://log$'), 0, -1, false), '\n')]])
  for _, text in ipairs({
    'an answer was not sent: wary does not let this answer be sent',
    'an answer was not sent: wary wants this confirmed',
    'guardian wary wants a person\'s word: This is production',
    'the answer was confirmed'
  }) do
    truthy(log:find(text, 1, true), text .. '\n' .. log)
  end
end)

child_test('what was refused is still said when the form was put aside', { guardians = { answers } }, function(child)
  child:lua('T.ask(...)', '1', {
    schema_text = '{"type":"object","properties":{"name":{"type":"string","title":"Name"}}}'
  })
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
    local aunt = { name = 'aunt', reads = { '/request/message' }, deadline_ms = 60000 }
    require('elicit').setup({ open = 'ask', guardians = { aunt }, consult = function(effect, answer)
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
    local aunt = { name = 'aunt', phases = { 'before_send' } }
    require('elicit').setup({ open = 'ask', guardians = { aunt }, consult = function(effect, answer)
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

child_test('a guardian that is shown nothing is named, with what it declares',
  { guardians = { { module = no_links } } }, function(child)
  local told = child:until_true('T.told[1]')
  truthy(told:find('guardian no-links is shown nothing', 1, true) and told:find('"/request/url"', 1, true), told)
end)

child_test(':checkhealth lists guardians', nil, function(child)
  local audited = { module = wary, reads = { '/answer' }, audit = true, fuel = 9000 }
  child:lua([[require('elicit').setup(...); vim.cmd('checkhealth elicit')]], {
    guardians = { links, audited, { name = 'aunt' }, { module = '/gone.wasm' } }
  })
  local text = child:lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
  for _, want in ipairs({
    'no-links: no-links 1.0, sha256 ' .. Engine.guest(io.open(no_links, 'rb'):read('*a')).digest,
      'sees /request/mode /request/url, of the /request/mode /request/url it declares',
    'heard before_show; fuel 5000000',
    'wary: wary 1.0', 'fuel 9000; audit', 'nobody asks guardian aunt',
    'guardian 4, /gone.wasm, cannot be read',
  }) do
    truthy(text:find(want, 1, true), want .. '\n' .. text)
  end
end)
