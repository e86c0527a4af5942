--- The identity of a server: the same text as `elicit proxy` writes, so that one grant holds for both.
local harness = require('harness')
local test, equal, truthy = harness.test, harness.equal, harness.truthy
local identity = require('elicit.identity')
local json = require('elicit.json')

local top = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h')
local place = vim.fn.tempname()
vim.fn.mkdir(place)
local result = '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}'
local initialized = '{"jsonrpc":"2.0","id":1,"result":' .. result .. '}'
vim.fn.writefile({ '#!/bin/sh', 'read line', ("printf '%%s\\n' '%s'"):format(initialized) }, place .. '/server')
vim.fn.setfperm(place .. '/server', 'rwxr-xr-x')
vim.loop.fs_symlink(place .. '/server', place .. '/link')

--- The identity in the journal of a proxy that starts `cmd` in the directory of the tests.
local function by_proxy(cmd)
  local journal = vim.fn.tempname()
  local call = {
    top .. '/dist/elicit', 'proxy', '--ui', 'none', '--name', 'x',
    '--journal', journal, '--grants', place .. '/grants.json', '--'
  }
  local params = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}'
  local line = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":' .. params .. '}\n'
  local words = vim.tbl_map(vim.fn.shellescape, vim.list_extend(call, cmd))
  local said = vim.fn.system(('cd %s && %s'):format(vim.fn.shellescape(place), table.concat(words, ' ')), line)
  for _, record in ipairs(vim.fn.readfile(journal)) do
    if record:find('"event":"opened"', 1, true) then
      return json.decode(record).event.identity
    end
  end
  error('no session was opened: ' .. said)
end

for name, cmd in pairs({
  ['a program by its path'] = { place .. '/server' },
  ['a program in the working directory'] = { './server', '-x', '' },
  ['a link'] = { './link', 'a"b\\c/d', 'größer\t\127' },
  ['a program on the path'] = { 'sh', 'server' },
  ['a file and a directory among the arguments'] = { 'sh', './server', '../', '.', 'missing.js', '-server' },
  ['a secret'] = { './server', '--token=abc' },
  ['a key that is not called one'] = { './server', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' },
  ['a long argument'] = { './server', ('x'):rep(1100) },
  ['no UTF-8'] = { './server', 'a\255' },
}) do
  test('as the proxy has it: ' .. name, function()
    equal(identity(cmd, place), by_proxy(cmd))
  end)
end

test('no such program has no identity', function()
  equal(identity({ '/no/such/program' }), nil)
  equal(identity({ 'no-such-program-anywhere' }), nil)
end)

test('the path of the environment that the server gets is searched', function()
  equal(identity({ 'server' }, nil, { PATH = '/nowhere:' .. place }), place .. '/server []')
  truthy(identity({ 'server' }) == nil, 'elsewhere')
end)
