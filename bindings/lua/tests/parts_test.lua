--- Messages with parts: commands, diffs that fold, permissions, and what changed. A yes needs a message that was read.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')

local function test(name, columns, lines, run)
  Child.test(('%s (%dx%d)'):format(name, columns, lines), { calm = 50, open = 'ask', grace = 0 }, function(child)
    child:lua('vim.o.columns, vim.o.lines = ...', columns, lines)
    run(child)
  end)
end

--- Shows a message of parts, a list of {is, text}. `given` has schema_text and further members of the effect.
local function shown(child, list, given)
  local texts, parts = {}, {}
  for i, part in ipairs(list) do
    texts[i] = part[2]
    parts[i] = { is = part[1], lines = #vim.split(part[2], '\n', { plain = true }) }
  end
  given = vim.tbl_extend('keep', given or {}, { parts = parts })
  local schema = given.schema_text or '{"type":"object","properties":{}}'
  given.schema_text = nil
  child:lua('T.shown = ...', given)
  child:lua('T.ask(...)', '1', { message = table.concat(texts, '\n'), schema_text = schema })
  child:type(':Elicit<CR>')
  child:sees('build asks')
end

--- A diff of `files` files with one hunk of `lines` lines each, half of them added.
local function diff(files, lines)
  local out = {}
  for file = 1, files do
    vim.list_extend(out, { ('diff --git a/f%d b/f%d'):format(file, file), '--- a/f' .. file, '+++ b/f' .. file })
    out[#out + 1] = ('@@ -1,%d +1,%d @@'):format(lines / 2, lines / 2)
    for i = 1, lines / 2 do
      vim.list_extend(out, { ('-old %d.%d'):format(file, i), ('+new %d.%d'):format(file, i) })
    end
  end
  return table.concat(out, '\n')
end

local sizes = { { 80, 24 }, { 40, 20 } }

local function row_with(child, text)
  for _, line in ipairs(vim.split(child:screen(), '\n')) do
    if line:find(text, 1, true) then
      return line
    end
  end
  error('no line has ' .. text .. '\n' .. child:screen(), 2)
end

--- A yes was not sent, and the person is told why.
local function refused(child, why)
  child:until_true('T.border():find("Read it all first", 1, true) ~= nil or T.border():find("Unread", 1, true) ~= nil')
  truthy(child:lua('return T.border()'):find(why, 1, true), child:lua('return T.border()'))
  equal(child:lua('return #T.replies'), 0)
end

for _, size in ipairs(sizes) do
  test('a command has its directory beside it, and keeps its blanks', size[1], size[2], function(child)
    local command = 'printf "a   b"  | sh ' .. ('-x '):rep(15) .. 'THE END'
    shown(child, { { 'text', 'To test.\n' }, { 'command', command .. '\n' }, { 'directory', 'In /work/x' } })
    local screen = child:screen()
    truthy(screen:find('▌ printf "a   b"  | sh -x', 1, true), screen)
    truthy(screen:find('\n ▌↪', 1, true), 'a further line of the command is marked: ' .. screen)
    equal(screen:find('▌\n ▌ In', 1, true), nil, 'no line between them')
    truthy(screen:find('\n ▌ In /work/x', 1, true), screen)
    equal(child:lua('return T.groups("In /work/x")'), { 'ElicitDirectory' })
    equal(child:lua('return T.border()'), '')
    child:type('S')
    equal(child:until_true('T.replies[1]').outcome, 'accept')
  end)

  test('a short diff is open, with signs and colours', size[1], size[2], function(child)
    shown(child, { { 'diff', 'update a.txt\n@@ -1,2 +1,2 @@\n same\n-old\n+new' } })
    for text, group in pairs({
      ['-old'] = 'ElicitRemoved', ['+new'] = 'ElicitAdded', ['@@ -1,2 +1,2 @@'] = 'ElicitHunk',
      ['update a.txt'] = 'ElicitFile',
    }) do
      equal(child:lua('return T.groups(...)', text), { group })
    end
    equal(row_with(child, '-old'), ' ▌ -old')
    child:type('S')
    equal(child:until_true('T.replies[1]').outcome, 'accept')
  end)

  test('a long diff is folded, and a yes needs its folds', size[1], size[2], function(child)
    shown(child, { { 'text', 'Fix it.\n' }, { 'diff', diff(2, 60) } })
    local screen = child:screen()
    truthy(screen:find('▌ @@ -1,30 +1,30 @@\n ▸ 60 lines, +30 −30', 1, true), screen)
    equal(screen:find('old 1.1', 1, true), nil)
    truthy(child:lua('return T.border()'):find('2 folds', 1, true), child:lua('return T.border()'))
    child:type('S')
    refused(child, '2 folds')
    child:type('o')
    child:sees('▾ 60 lines')
    child:sees('-old 1.30')
    child:type('S')
    refused(child, '1 fold')
    child:type('O')
    child:until_true('select(2, T.screen():gsub("▾", "")) == 2')
    child:type('gg')
    for _ = 1, 20 do
      child:type('<C-f>')
    end
    child:until_true('T.border() == ""')
    child:type('S')
    equal(child:until_true('T.replies[1]').outcome, 'accept')
  end)

  test('a fold that was opened but not scrolled to its end is not read', size[1], size[2], function(child)
    shown(child, { { 'diff', diff(1, 200) } })
    child:type('o')
    child:sees('▾ 200 lines')
    child:type('o')
    child:sees('▸ 200 lines')
    child:type('S')
    refused(child, '1 fold')
    child:type('D')
    equal(child:until_true('T.replies[1]').outcome, 'decline')
  end)

  test('a long message is read by lines, and then its fields', size[1], size[2], function(child)
    local text = {}
    for i = 1, 60 do
      text[i] = 'line ' .. i
    end
    shown(child, { { 'text', table.concat(text, '\n') } }, {
      schema_text = '{"type":"object","properties":{"name":{"type":"string","title":"Name"}}}',
    })
    truthy(child:lua('return vim.fn.line("w0")') == 1, 'it begins at its top')
    truthy(child:lua('return T.border()'):find('more lines', 1, true), 'says that there is more')
    child:type('S')
    refused(child, '↓')
    child:type('ggG')
    child:until_true('T.border():find("↑", 1, true) ~= nil')
    child:type('S')
    child:until_true('T.border():find("↑", 1, true) == nil') -- it goes to the lines that were skipped
    equal(child:lua('return #T.replies'), 0)
    child:type('gg' .. ('j'):rep(70))
    child:until_true('vim.api.nvim_get_current_line():find("Name", 1, true) ~= nil')
    child:type('iAda<Esc>kk')
    child:until_true('vim.api.nvim_get_current_line():find("line 60", 1, true) ~= nil')
    child:type('S')
    equal(child:until_true('T.replies[1]').outcome, 'accept')
  end)

  test('permissions are a table', size[1], size[2], function(child)
    shown(child, { { 'access', 'read /etc/hosts\nwrite /work/x y\nNetwork: every host\nodd' } })
    equal(row_with(child, '/etc/hosts'), ' ▌ read    │ /etc/hosts')
    equal(row_with(child, '/work'), ' ▌ write   │ /work/x y')
    equal(row_with(child, 'every'), ' ▌ Network │ every host')
    equal(row_with(child, 'odd'), ' ▌         │ odd')
  end)

  test('what changed is marked by signs and colours', size[1], size[2], function(child)
    local long = ('word '):rep(60)
    shown(child, { { 'command', 'npm publish ' .. long } }, { changed = {
      { is = 'same', text = 'npm ' }, { is = 'gone', text = 'test' }, { is = 'new', text = 'publish' },
      { is = 'same', text = ' ' .. long },
    } })
    child:sees('Changed since you last said yes:')
    equal(child:lua('return { T.groups("[-test-]"), T.groups("[+publish+]") }'), { { 'ElicitGone' }, { 'ElicitNew' } })
    truthy(row_with(child, '[-test-][+publish+]'), 'beside each other')
    child:sees('…')
  end)
end

test('parts are text: nothing runs, hides or imitates a line of ours', 80, 24, function(child)
  local command = 'a\27[31m\r\226\128\174b\n▸ 9 lines'
  shown(child, { { 'command', command }, { 'diff', '+\27]0;x\7\n-\226\128\139' }, { 'access', 'read \27[2J' } })
  local screen = child:screen()
  for _, text in ipairs({ 'a^[[31m^M<U+202E>b', '▌ ▸ 9 lines', '+^[]0;x^G', '-<U+200B>', '│ ^[[2J' }) do
    truthy(screen:find(text, 1, true), text .. '\n' .. screen)
  end
end)

test('parts that do not fit the message make it one text', 80, 24, function(child)
  shown(child, { { 'command', 'ls' } }, { parts = { { is = 'diff', lines = 2 } } })
  equal(row_with(child, 'ls'), ' ▌ ls')
  equal(child:lua('return T.groups("ls")'), {})
end)

test('scrolling stays where it is while the window is drawn again', 80, 24, function(child)
  shown(child, { { 'diff', diff(1, 100) } })
  child:type('o')
  child:sees('▾')
  child:type('<C-d><C-d>')
  local top = child:until_true('vim.fn.line("w0") > 1 and vim.fn.line("w0")')
  child:lua([[require('elicit').queue():redraw()]])
  equal(child:lua('return vim.fn.line("w0")'), top)
end)

harness.test('every line of a diff is in one block, whatever it claims', function()
  local parts = require('elicit.parts')
  for _, lines in ipairs({
    { '@@ -1,999999 +1,999999 @@', '+a', 'diff --git x y', '--- a', '+++ b', '@@', '-c', '' },
    { 'plain', '--- not a file', 'text', '+++ alone', '@@ -1 +1 @@', '-a', '+b', '\\ No newline', ' after' },
    { 'update a', '@@ -1 +1 @@', '-a', '+b', '', 'add b', 'raw', '+raw' }, {}, { '' },
  }) do
    local all = {}
    for _, block in ipairs(parts.blocks(lines)) do
      vim.list_extend(vim.list_extend(all, block.head), block.body)
    end
    equal(all, lines)
  end
end)

Child.test('approvals of Codex come with their parts, and say what changed since the last yes',
  { calm = 50, open = 'ask', grace = 0 }, function(child)
  child:lua([[
    T.sent, T.codex = {}, require('elicit').attach({ name = 'codex', protocol = 'codex', send = function(to, message)
      table.insert(to == 'server' and T.sent or {}, message)
    end })
  ]])
  local function approval(id, command)
    local params = { threadId = 't', turnId = 'u', itemId = 'i' .. id, kind = 'command', reason = 'To build it.' }
    params.command, params.cwd, params.availableDecisions = command, '/work/x', { 'accept', 'decline', 'cancel' }
    local request = { id = id, method = 'item/commandExecution/requestApproval', params = params }
    child:lua('T.codex:receive("server", vim.json.encode(...))', request)
    child:type(':Elicit<CR>')
    child:sees(command)
  end
  approval(1, 'make all && make test')
  truthy(child:screen():find('▌ To build it.\n ▌\n ▌ make all && make test\n ▌ In /work/x', 1, true), child:screen())
  equal(child:lua('return { T.groups("make all && make test"), T.groups("In /work/x") }'),
    { { 'ElicitCommand' }, { 'ElicitDirectory' } })
  equal(child:screen():find('Changed since', 1, true), nil)
  child:type('S')
  equal(child:until_true('T.sent[1]'), '{"id":1,"result":{"decision":"accept"}}')
  child:until_true('#T.floats() == 0')
  approval(2, 'make all && make clean')
  child:sees('Changed since you last said yes:')
  equal(child:lua('return { T.groups("[-test-]"), T.groups("[+clean+]") }'), { { 'ElicitGone' }, { 'ElicitNew' } })
  child:type('D')
  equal(child:until_true('T.sent[2]'), '{"id":2,"result":{"decision":"decline"}}')
end)
