--- Forms as a person meets them: opened, typed into, refused, taken away.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')
local looks = require('looks')

local schema = [[{"type":"object","properties":{
"name":{"type":"string","title":"Name","description":"How we greet you","minLength":2},
"count":{"type":"number","title":"Count","minimum":0,"maximum":80,"default":1.50},
"agree":{"type":"boolean","title":"Agree"},
"plan":{"type":"string","title":"Plan","oneOf":[{"const":"free","title":"Free"},{"const":"team","title":"For teams"}]},
"days":{"type":"array","title":"Days","items":{"type":"string","enum":["mon","tue","wed"]},"maxItems":2}
},"required":["name"]}]]

local secret_schema = '{"type":"object","properties":{"password":{"type":"string","title":"Password"}}}'

local function test(name, options, run)
  Child.test(name, vim.tbl_extend('keep', options, { calm = 50 }), run)
end

--- Asks and opens the form at once, as :Elicit does.
local function ask(child, event, ref)
  child:lua('T.ask(...)', ref or '1', vim.tbl_extend('force', { schema_text = schema }, event or {}))
end

local function opened(child, event)
  ask(child, event)
  child:type(':Elicit<CR>')
  child:sees('asks')
end

local function content(child)
  return child:until_true('T.sent[1] and require("elicit.json").member(T.sent[1], "result", "content")')
end

test('a form shows label, default, help and keys', { open = 'ask' }, function(child)
  opened(child)
  local screen = child:sees('▸ Name *')
  for _, text in ipairs({
    'build asks', 'Where to?', 'Count    1.50  default',
    '[-] not answered', 'How we greet you', 'at least 2 characters · required', 'S submit'
  }) do
    truthy(screen:find(text, 1, true), text .. '\n' .. screen)
  end
end)

test('wrong input is a diagnostic while it is typed, and gone when it is right', { open = 'ask' }, function(child)
  opened(child)
  child:type('jimany')
  local found = child:until_true('T.diagnostics()[1]')
  equal(found.code, 'not_a_number')
  truthy(found.line:find('Count', 1, true), found.line)
  child:type('<C-u><C-u>2.50')
  child:until_true('#T.diagnostics() == 0')
  child:type('<Esc>')
  child:sees('Count    2.50')
end)

test('a form is filled by keys, and numbers keep their spelling', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAda Lovelace<Tab>')
  child:sees('▸ Count')
  child:type('i<C-u>7.250<CR>')
  child:sees('▸ Agree')
  child:type('<Space>')
  child:sees('[x] yes')
  child:type('j<CR>')
  child:until_true('#T.floats() == 2')
  child:type('j<CR>')
  child:sees('For teams')
  child:type('j<CR>')
  child:until_true('#T.floats() == 2')
  child:type('<Space>jj<Space><CR>')
  child:sees('mon, wed')
  child:type('S')
  equal(content(child), '{"name":"Ada Lovelace","count":7.250,"agree":true,"plan":"team","days":["mon","wed"]}')
  child:until_true('#T.floats() == 0')
end)

test('keys that come faster than they are read are not lost', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAda<Tab>i<C-u>3<BS>4<Tab><Space>jji<Esc>S')
  equal(content(child), '{"name":"Ada","count":4,"agree":true}')
end)

test('what is required keeps the form open and is gone to', { open = 'ask' }, function(child)
  opened(child)
  child:type('jjS')
  child:sees('▸ Name')
  equal(child:until_true('T.diagnostics()[1]').code, 'missing')
  equal(child:lua('return #T.replies'), 0)
end)

test('an optional boolean has three states, and none is sent when untouched', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAda<Esc>jj<Space><Space>')
  child:sees('[ ] no')
  child:type('<Space>')
  child:sees('[-] not answered')
  child:type('S')
  equal(content(child), '{"name":"Ada","count":1.50}')
end)

test('a field that was emptied does not get its default back', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAda<Tab>xS')
  equal(content(child), '{"name":"Ada"}')
end)

test('vim.ui.select is used when a plugin has replaced it', { open = 'ask' }, function(child)
  child:lua([[vim.ui.select = function(items, how, done)
    T.items = vim.tbl_map(how.format_item, items);
    done(items[2])
  end]])
  opened(child)
  child:type('iAda<Esc>jjj<CR>')
  child:sees('For teams')
  equal(child:lua('return T.items'), { 'Free', 'For teams', 'no answer' })
end)

test('a secret is typed, corrected and pasted without entering a buffer, a register or the screen',
  { open = 'ask' }, function(child)
  opened(child, { schema_text = secret_schema })
  truthy(child:screen():find('high', 1, true), 'a finding on top')
  child:lua([[vim.fn.setreg('p', 'pasted')]])
  child:type('ihunter9<BS>2<C-r>p')
  child:sees('•••••••••••••')
  child:lua([[vim.api.nvim_paste(' and more', true, -1)]])
  child:until_true([[require('elicit').queue().sheet.question.typed.password == 'hunter2pasted and more']])
  local seen = child:lua([[
    local all = {}
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      vim.list_extend(all, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
    end
    for name in ('".-0123456789'):gmatch('.') do table.insert(all, vim.fn.getreg(name)) end
    return table.concat(all, '\n')]])
  equal(seen:find('hunter', 1, true), nil, seen)
  child:type('<Esc>S')
  equal(content(child), '{"password":"hunter2pasted and more"}')
  equal(child:lua([[return table.concat(require('elicit').log and T.told, '\n'):find('hunter') ~= nil]]), false)
  local log = child:lua([[
    vim.cmd('ElicitLog')
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  ]])
  equal(log:find('hunter'), nil)
end)

for key, outcome in pairs({ D = 'decline', q = 'cancel' }) do
  test(outcome .. ' carries nothing', { open = 'ask' }, function(child)
    opened(child)
    child:type('iAda<Esc>' .. key)
    local reply = child:until_true('T.replies[1]')
    equal({ reply.outcome, reply.cause }, { outcome, 'user' })
    equal(child:until_true('T.sent[1]'), '{"jsonrpc":"2.0","id":1,"result":{"action":"' .. outcome .. '"}}')
    child:until_true('#T.floats() == 0')
  end)
end

test('closing the window is no answer: the question waits, with what was typed', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAda<Esc>:q<CR>')
  child:until_true('#T.floats() == 0')
  equal(child:lua('return #T.replies'), 0)
  equal(child:lua('return require("elicit").status()'), '1 question')
  child:type(':ElicitPending<CR>')
  child:until_true('vim.api.nvim_get_current_line():find("Where to?", 1, true) ~= nil')
  child:type('<CR>')
  child:sees('Name *   Ada')
  child:type('S')
  equal(content(child), '{"name":"Ada","count":1.50}')
  equal(child:lua('return require("elicit").status()'), '')
end)

test('nothing opens under the hands of somebody who types', { calm = 100 }, function(child)
  child:type('ihello')
  child:until_true('vim.fn.getline(1) == "hello"')
  child:lua([[
    local queue = require('elicit.queue')
    local calm = queue.calm
    T.looked = 0
    function queue.calm()
      T.looked = T.looked + 1
      return calm()
    end
  ]])
  ask(child)
  equal(child:until_true('T.told[1]'), 'elicit: build asks: Where to?  (:Elicit)')
  child:until_true('T.looked >= 2') -- a second look, so the first one opened nothing
  equal({ child:mode(), child:screen() }, { 'i', '' })
  child:type(' world<Esc>')
  child:sees('build asks')
  equal(child:lua('return vim.fn.getbufline(1, 1)[1]'), 'hello world')
end)

for _, keys in ipairs({ { 'd', '<Esc>' }, { 'qa', 'q' }, { ':echo', '<Esc>' }, { 'v', '<Esc>' }, { 'R', '<Esc>' } }) do
  test('nothing opens into ' .. keys[1], { calm = 50 }, function(child)
    local file = vim.fn.tempname()
    child:lua(looks.code(file, true))
    ask(child)
    child:type(keys[1])
    looks.wait(file, 10) -- the queue looks each 50 ms, so `calm` is long over
    equal(child:screen(), '')
    child:type(keys[2])
    child:sees('build asks')
  end)
end

test('a key that decides does nothing in a window that has just opened', { calm = 50, grace = 60000 }, function(child)
  ask(child)
  child:sees('build asks')
  child:type('DqSM')
  child:lua('return 1')
  equal(child:lua('return #T.replies'), 0)
  truthy(child:screen():find('build asks', 1, true), 'still there')
end)

test('a question taken back says why, and keys that were on their way go nowhere', { open = 'ask' }, function(child)
  opened(child)
  child:type('iAd')
  child:until_true('require("elicit").queue().sheet.question.typed.name == "Ad"')
  child:lua([[T.say({ jsonrpc = '2.0', method = 'notifications/cancelled', params = { requestId = 1 } })]])
  child:type('ddSDxp')
  child:sees('It ended without your answer: the server withdrew the request.')
  equal(child:lua('return { #T.sent, vim.fn.getbufline(1, 1)[1] }'), { 0, '' })
  child:type('q')
  child:until_true('#T.floats() == 0')
end)

test('a deadline runs out while a list is open: the loop is not blocked',
  { open = 'ask', config = { limits = { answer_ttl_ms = 1500 } } }, function(child)
  opened(child)
  child:sees('left')
  child:type('jjj<CR>')
  child:until_true('#T.floats() == 2')
  equal(child:until_true('T.replies[1]').cause, 'timeout')
  child:sees('It ended without your answer')
end)

test('more time can be asked for', { open = 'ask', config = { limits = { answer_ttl_ms = 5000 } } }, function(child)
  opened(child)
  child:sees('0:0')
  child:type('+')
  child:sees('1:0')
end)

test('others that wait are counted, and come next', { open = 'ask', grace = 0 }, function(child)
  child:lua('T.begin(nil, "backup")')
  opened(child)
  ask(child, { message = 'And then?' }, '2')
  child:lua('T.ask(...)', '3', { message = 'Me too?', schema_text = schema }, 'backup')
  child:sees('2 more waiting')
  child:type('D')
  child:sees('Me too?')
  child:sees('1 more waiting')
  child:type('D')
  child:sees('And then?')
end)

test('a server that was muted is not heard again', { open = 'ask' }, function(child)
  opened(child)
  child:type('M')
  child:until_true('#T.replies == 1')
  ask(child, nil, '2')
  equal(child:until_true('T.replies[2]').cause, 'policy')
  truthy(child:until_true('T.told[#T.told]'):find(':ElicitLog', 1, true), 'told')
end)

test('what a peer says is text: nothing in it runs, hides or breaks a line', { open = 'ask' }, function(child)
  local message = 'one\27[31m \226\128\174evil\n:!touch /tmp/x\n vim: set ft=lua modeline:\n%s %d \\n <CR>'
  local odd = [[{"type":"object","properties":{"a":{"type":"string","title":"La\nbel\u0007",
    "description":"see\u200bn"}}}]]
  opened(child, { message = message, schema_text = odd, tool = 'to\nol' })
  local screen = child:screen()
  for _, text in ipairs({
    '^[[31m', '<U+202E>evil', ':!touch /tmp/x',
    '%s %d \\n <CR>', 'La⏎bel^G', 'see<U+200B>n', 'to⏎ol'
  }) do
    truthy(screen:find(text, 1, true), text .. '\n' .. screen)
  end
  equal(child:lua([[return { vim.bo.filetype, vim.bo.modeline }]]), { 'elicit', false })
end)

test('the person goes back to where they were', { open = 'ask' }, function(child)
  child:lua([[vim.cmd('new');
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'a', 'b', 'c' });
    vim.api.nvim_win_set_cursor(0, { 2, 0 })]])
  local before = child:lua('return { vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }')
  opened(child)
  child:type('iAda<Tab>jjS')
  child:until_true('#T.replies == 1 and #T.floats() == 0')
  equal(child:lua('return { vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }'), before)
  equal(child:mode(), 'n')
end)

test('a window that cannot be drawn is no answer of the person', { open = 'ask' }, function(child)
  child:lua([[require('elicit.view').form = function() error('broken') end]])
  ask(child)
  child:type(':Elicit<CR>')
  local reply = child:until_true('T.replies[1]')
  equal({ reply.outcome, reply.cause }, { 'cancel', 'no_ui' })
end)

test('a small screen still shows the field and its problem', { open = 'ask' }, function(child)
  child:lua('vim.o.columns = 40; vim.o.lines = 12')
  opened(child)
  child:type('jiabc')
  child:sees('this is not a number')
end)

test('a secret in an open field is asked about once more', { open = 'ask' }, function(child)
  opened(child)
  child:type('ighp_16C7e42F292c6912E7710c838347Ae178B4a<Esc>S')
  child:sees('Press S again')
  equal(child:lua('return #T.replies'), 0)
  child:type('S')
  truthy(content(child):find('ghp_', 1, true), 'sent')
end)

