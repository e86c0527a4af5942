--- The plugin as a plugin manager installs it: a clone of the packed plugin, its build step, and then the form.
local harness = require('harness')
local library = require('elicit.library')

library.version() -- finds it
local plugin = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

local function run(command, cwd)
  local before = vim.fn.getcwd()
  vim.fn.chdir(cwd or before)
  local said = vim.fn.system(command)
  vim.fn.chdir(before)
  return vim.v.shell_error == 0, said
end

--- Packs the plugin with the given parts, and clones it.
local function clone(...)
  local packed, cloned = vim.fn.tempname(), vim.fn.tempname()
  assert(run(vim.list_extend({ plugin .. '/pack.sh', packed }, { ... })))
  for _, arguments in ipairs({ { 'init', '-q' }, { 'add', '-A' },
    { '-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '-m', 'x' } }) do
    assert(run(vim.list_extend({ 'git' }, arguments), packed))
  end
  assert(run({ 'git', 'clone', '-q', packed, cloned }))
  return cloned
end

--- Runs Lua in a Neovim that knows the clone alone, and no other library.
local function child(cloned, lua)
  local file = vim.fn.tempname()
  vim.fn.writefile(vim.split(lua, '\n'), file)
  return run({ 'env', '-u', 'ELICIT_LIBRARY', vim.v.progpath, '--headless', '-i', 'NONE', '-u', 'NONE',
    '--cmd', 'set rtp^=' .. cloned, '-c', 'luafile ' .. file, '-c', 'qa!' })
end

local build = "local ok, why = pcall(vim.cmd, 'source build.lua'); io.stdout:write(ok and 'built' or why)"

local answer = [[
vim.cmd('source build.lua')
require('elicit').setup({ open = 'ask' })
local got
local connection = require('elicit').attach({
  name = 'backup', role = 'client', session = { version = '2025-11-25', declared = { 'form' } },
  send = function(_, message) got = message end,
})
connection:receive('server', '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Go?",'
  .. '"requestedSchema":{"type":"object","properties":{"day":{"type":"string","default":"monday"}}}}}')
require('elicit').open()
vim.api.nvim_feedkeys('S', 'xt', false)
vim.wait(5000, function() return got end)
io.stdout:write(require('elicit.library').path, ' ', got)
connection:close()
]]

local machine = (vim.uv or vim.loop).os_uname().machine

harness.test('a clone builds and draws a form', function()
  local cloned = clone(machine .. '=' .. library.path)
  local ok, said = child(cloned, (answer:gsub('build.lua', cloned .. '/build.lua')))
  harness.truthy(ok, said)
  harness.truthy(said:find(cloned .. '/libelicit.so.1', 1, true), said)
  harness.truthy(said:find('"action":"accept","content":{"day":"monday"}', 1, true), said)
end)

harness.test('the page in the package has no link that leads out of it', function()
  local page = table.concat(vim.fn.readfile(clone() .. '/README.md'), '\n')
  harness.truthy(page:find('](https://github.com/elicit-engine/elicit/blob/main/docs/guardians.md)', 1, true), page)
  harness.truthy(page:find('](https://github.com/elicit-engine/elicit/raw/main/docs/images/', 1, true), page)
  harness.equal(page:match('%]%(%.%.[^)]*%)'), nil)
end)

harness.test('a changed library is not installed', function()
  local cloned = clone(machine .. '=' .. library.path)
  local path = cloned .. '/lib/linux-' .. machine .. '/libelicit.so.1'
  local file = assert(io.open(path, 'r+b'))
  file:seek('set', 100000)
  file:write('changed')
  file:close()
  local _, said = child(cloned, (build:gsub('build.lua', cloned .. '/build.lua')))
  harness.truthy(said:find('nothing was installed', 1, true), said)
  harness.equal(vim.fn.filereadable(cloned .. '/libelicit.so.1'), 0)
end)

harness.test('without a library for this system the C is compiled', function()
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder)
  vim.fn.writefile({ 'int elicit_abi(void);' }, folder .. '/elicit.h')
  vim.fn.writefile({ '#include "elicit.h"', 'int elicit_abi(void) { return 0; }' }, folder .. '/elicit.c')
  local cloned = clone('other=' .. library.path, 'c=' .. folder)
  local _, said = child(cloned, (build:gsub('build.lua', cloned .. '/build.lua')))
  harness.equal(said:match('built$'), 'built', said)
  harness.equal(vim.fn.filereadable(cloned .. '/libelicit.so.1'), 1)
  vim.fn.writefile({ 'int elicit_abi(void); //' }, cloned .. '/c/elicit.h')
  _, said = child(cloned, (build:gsub('build.lua', cloned .. '/build.lua')))
  harness.truthy(said:find('nothing was installed', 1, true), said)
end)

harness.test('a system without either is told so', function()
  local cloned = clone()
  local _, said = child(cloned, (build:gsub('build.lua', cloned .. '/build.lua')))
  harness.truthy(said:find('no library for this system', 1, true), said)
end)
