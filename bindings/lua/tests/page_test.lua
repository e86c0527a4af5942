--- Pages: consent, the address, the opener, the wait; and what a person finds around the questions.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')

local function test(name, options, run)
  Child.test(name, vim.tbl_extend('keep', options, { open = 'ask' }), run)
end

local function ask(child, event)
  child:lua('T.ask(...)', '1', vim.tbl_extend('force', {
    mode = 'url',
    message = 'Sign in',
    url = 'https://sign.example.org/in?x=1'
  }, event or {}))
end

local function opened(child, event)
  ask(child, event)
  child:type(':Elicit<CR>')
  child:sees('asks you to visit a page')
end

test('a page shows its whole address, with the host marked, and opens after consent only', {}, function(child)
  opened(child, { link = 'l1' })
  child:sees('https://sign.example.org/in?x=1')
  local marked = child:lua([[
    local buf = vim.api.nvim_win_get_buf(T.floats()[1])
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf,
      vim.api.nvim_create_namespace('elicit'), 0, -1, { details = true })) do
      if mark[4].hl_group == 'ElicitHost' then
        return vim.api.nvim_buf_get_lines(buf, mark[2], mark[2] + 1, false)[1]:sub(mark[3] + 1, mark[4].end_col)
      end
    end]])
  equal(marked, 'sign.example.org')
  equal(child:lua('return #T.opened'), 0)
  child:type('S')
  equal(child:until_true('T.opened[1]'), 'https://sign.example.org/in?x=1')
  equal(child:lua('return T.replies[1].outcome'), 'accept')
end)

test('after consent the page is waited for, and can be opened again or be done with', {}, function(child)
  opened(child, { link = 'l1' })
  child:type('S')
  child:sees('waiting for the page')
  child:type('o')
  child:until_true('#T.opened == 2')
  child:type('q')
  child:until_true('#T.floats() == 0')
  equal(child:lua('return require("elicit").pending()[1].awaiting'), true)
  child:type(':Elicit<CR>')
  child:sees('waiting for the page')
  child:type('d')
  child:until_true('#T.floats() == 0')
  equal(child:lua('return { #T.replies, #require("elicit").pending() }'), { 1, 0 })
end)

test('the server says that a page is finished', {}, function(child)
  opened(child, { link = 'l1' })
  child:type('S')
  child:sees('waiting for the page')
  local complete = { jsonrpc = '2.0', method = 'notifications/elicitation/complete' }
  complete.params = { elicitationId = 'l1' }
  child:lua('T.say(...)', complete)
  child:until_true('#T.floats() == 0')
  truthy(child:lua('return T.told[#T.told]'):find('finished', 1, true), 'told')
end)

test('a page declined is not opened', {}, function(child)
  opened(child)
  child:type('D')
  equal(child:until_true('T.replies[1]').outcome, 'decline')
  equal(child:lua('return #T.opened'), 0)
end)

test('a long address is shown to its end', {}, function(child)
  local tail = ('a'):rep(300) .. 'THEEND'
  opened(child, { url = 'https://sign.example.org/' .. tail })
  local screen = child:sees('THEEND')
  equal(screen:find('…', 1, true), nil)
end)

test('a deceptive address comes with its finding, or not at all',
  { policy = { version = 1, findings = { decline = 'never' } } }, function(child)
  opened(child, { url = 'https://sign.example.org@evil.test/' })
  truthy(child:screen():find('critical', 1, true) or child:screen():find('high', 1, true), child:screen())
  child:sees('S open evil.test')
end)

test('a question that policy answers is told of, with where to read why', {}, function(child)
  ask(child, { url = 'https://sign.example.org@evil.test/' })
  local told = child:until_true('T.told[1]')
  truthy(told:find(':ElicitLog', 1, true), told)
  child:type(':ElicitLog<CR>')
  local log = child:until_true([[
    vim.bo.filetype == 'elicit-reader'
    and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
  truthy(log:find('decline', 1, true) and log:find('policy', 1, true) and log:find('evil.test', 1, true), log)
  child:type('q')
  child:until_true([[vim.bo.filetype == '']])
end)

test('an opener gets the address as one argument, and its failure is told', { opener = { 'false' } }, function(child)
  opened(child, { link = 'l1' })
  child:type('S')
  child:sees('The page could not be opened: false ended with status 1.')
end)

harness.test('an opener never sees what is no web address', function()
  local opener, options = require('elicit.opener'), require('elicit.options')
  local seen, failed = {}, 0
  options.set({
    opener = function(url)
      table.insert(seen, url)
    end,
  })
  for _, url in ipairs({
    'file:///etc/passwd', '--help', 'javascript:alert(1)', 'https://a b', 'https://a\n',
    "https://a'b", ''
  }) do
    opener.open(url, function()
      failed = failed + 1
    end)
  end
  opener.open('https://a.example/?q=%20&x=$(id)', function() end)
  equal({ failed, seen }, { 7, { 'https://a.example/?q=%20&x=$(id)' } })
  options.set()
end)

test('the journal is a file of its own, and verifies',
  { journal = vim.fn.tempname() .. '/journal.jsonl' }, function(child)
  opened(child)
  child:type('D')
  child:until_true('#T.replies == 1')
  local path = child:lua([[return require('elicit.options').current.journal]])
  local text = child:lua([[require('elicit').stop(); return table.concat(vim.fn.readfile(...), '\n')]], path)
  local out = require('elicit.json').decode(require('elicit.engine').eval('replay', { journal_text = text .. '\n' }))
  truthy(out.records >= 4 and not out.problems, vim.inspect(out))
  equal(vim.fn.getfperm(path), 'rw-------')
  child:lua('vim.cmd("ElicitLog " .. ...)', path)
  local log = child:lua([[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
  truthy(log:find('decline  build: the person decided', 1, true), log)
end)

test('every connection has a journal of its own',
  { journal = vim.fn.tempname() .. '/journal.jsonl', grace = 0 }, function(child)
  child:lua('T.begin(nil, "backup"); T.ask(...)', '1', {
    message = 'From backup?',
    schema_text = '{"type":"object","properties":{}}'
  }, 'backup')
  ask(child)
  child:type(':Elicit<CR>')
  child:sees('From backup?')
  child:type('D')
  child:sees('asks you to visit a page')
  child:type('q')
  child:until_true('#T.replies == 2')
  local path = child:lua([[return require('elicit.options').current.journal]])
  local files = child:lua([[require('elicit').stop();
    return { vim.fn.readfile(...), vim.fn.readfile((...) .. '.2') }]], path)
  for i, server in ipairs({ 'build', 'backup' }) do
    local text = table.concat(files[i], '\n') .. '\n'
    local out = require('elicit.json').decode(require('elicit.engine').eval('replay', { journal_text = text }))
    equal(out, { records = #files[i] })
    truthy(text:find('"server":"' .. server .. '"', 1, true), text)
  end
  child:lua([[T.begin(nil, 'third')]])
  equal(vim.fn.filereadable(path .. '.3'), 1)
end)

test('the log tells connections apart', {}, function(child)
  child:lua('T.begin(nil, "backup"); T.ask(...)', '1', {
    message = 'From backup?',
    schema_text = '{"type":"object","properties":{}}'
  }, 'backup')
  ask(child)
  child:type(':Elicit<CR>')
  child:sees('From backup?')
  child:type('D')
  child:until_true('#T.replies == 1')
  child:type(':ElicitLog<CR>')
  local log = child:until_true([[
    vim.bo.filetype == 'elicit-reader'
    and table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
  truthy(
    log:find('decline  backup: the person decided', 1, true)
    and log:find('open     build: nobody has answered yet', 1, true), log)
end)

test('a server that is named like one before it is marked, and what is not passed on is told', {}, function(child)
  child:lua('T.begin(nil, "bui1d"); T.ask(...)', '1', { schema_text = '{"type":"object","properties":{}}' }, 'bui1d')
  child:type(':Elicit<CR>')
  child:sees('resembles build')
  child:lua([[T.say('{"jsonrpc":"2.0","id":1,"result":{}}')]])
  local told = child:until_true('T.told[#T.told]')
  truthy(told:find('build: a message was refused: no open request has the id 1', 1, true), told)
  child:lua([[for _ = 1, 20 do T.say('{"jsonrpc":"2.0","id":1,"id":2}') end]])
  local told = child:lua('return T.told')
  truthy(told[#told]:find('build: a message was refused: ', 1, true), told[#told])
  equal(#told, 6)
end)

test('a journal that cannot be written stops everything', {}, function(child)
  child:lua([[require('elicit').setup({ journal = '/proc/no/such/place' })]])
  local ok = child:lua([[return pcall(require('elicit').attach, { name = 'build' })]])
  equal(ok, false)
end)

local function health(child)
  return child:lua([[vim.cmd('checkhealth elicit');
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')]])
end

test('checkhealth finds everything in order', {}, function(child)
  local report = health(child)
  for _, text in ipairs({
    'libelicit found', 'ABI version 1', 'mcp 2026-07-28',
    'nothing in this process could hurt it', 'the engine takes the options'
  }) do
    truthy(report:find(text, 1, true), text .. '\n' .. report)
  end
  equal(report:find('ERROR', 1, true), nil, report)
end)

test('checkhealth names a policy that is wrong', {}, function(child)
  child:lua([[require('elicit').setup({ policy = { version = 1, mode = 'perhaps' } })]])
  local report = health(child)
  truthy(report:find('ERROR', 1, true) and report:find('/policy/user/mode', 1, true), report)
end)

harness.test('a plugin that is a link into the repository finds the library there', function()
  local site = vim.fn.tempname()
  vim.fn.mkdir(site, 'p')
  local plugin = vim.fn.fnamemodify(vim.api.nvim_get_runtime_file('lua/elicit/library.lua', false)[1], ':h:h:h')
  vim.loop.fs_symlink(plugin, site .. '/elicit.nvim')
  local places = dofile(site .. '/elicit.nvim/lua/elicit/library.lua').places()
  local dist = vim.fn.fnamemodify(vim.loop.fs_realpath(plugin), ':h:h') .. '/dist/'
  truthy(table.concat(places, '\n'):find(dist, 1, true), vim.inspect(places))
end)

harness.test('checkhealth tells what to do without the library', function()
  local child = Child.start({ ELICIT_LIBRARY = '', HOME = '/nowhere' })
  child:lua([[require('elicit.library').places = function() return { '/no/such/libelicit.so.1' } end]])
  local report = health(child)
  child:stop()
  truthy(
    report:find('./build.sh lib', 1, true)
    and report:find('/no/such/libelicit.so.1: no such file', 1, true), report)
end)

test('commands without anything to do say so', {}, function(child)
  child:type(':Elicit<CR>')
  equal(child:until_true('T.told[1]'), 'elicit: nobody asks anything')
  child:type(':ElicitPending<CR>')
  child:until_true([[vim.api.nvim_get_current_line() == 'Nobody waits for an answer.']])
  child:type('q:ElicitLog<CR>')
  child:until_true([[vim.api.nvim_get_current_line() == 'Nothing has been asked yet.']])
end)

test('leaving Neovim settles what is open', { journal = vim.fn.tempname() .. '/journal.jsonl' }, function(child)
  ask(child)
  local path = child:lua([[return require('elicit.options').current.journal]])
  child:leave(':qall!<CR>')
  harness.wait('the last record', function()
    return vim.fn.filereadable(path) == 1 and table.concat(vim.fn.readfile(path)):find('"cause":"shutdown"', 1, true)
  end)
end)
