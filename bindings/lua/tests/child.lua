--- A Neovim of its own, driven by keys as a person drives it.
local harness = require('harness')

local Child = {}
Child.__index = Child

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')

--- Inside the child: servers that ask through real connections and the queue, and the answers that they get.
local peer = [[
local elicit = require('elicit')
T = { replies = {}, sent = {}, opened = {}, told = {}, servers = {}, calls = 0 }
vim.notify = function(text) table.insert(T.told, text) end
function T.begin(options, server)
  if options then
    options.opener = options.opener or function(url) table.insert(T.opened, url) end
    elicit.setup(options)
  end
  server = server or 'build'
  local declared = { version = '2025-11-25', declared = { 'form', 'url' } }
  local driver = elicit.attach({ name = server, session = declared, send = function(to, message)
    table.insert(to == 'server' and T.sent or {}, message)
  end })
  local show, settled = driver.host.show, driver.host.settled
  driver.host.show = function(effect) show(vim.tbl_extend('force', effect, T.shown or {})) end
  driver.host.settled = function(effect) table.insert(T.replies, effect.reply); settled(effect) end
  T.servers[server] = driver
end
function T.say(message, server)
  T.servers[server or 'build']:receive('server', type(message) == 'table' and vim.json.encode(message) or message)
end
function T.ask(id, given, server)
  if given.tool then
    T.calls = T.calls + 1
    local call = { jsonrpc = '2.0', id = 'call ' .. T.calls, method = 'tools/call', params = { name = given.tool } }
    T.servers[server or 'build']:receive('client', vim.json.encode(call))
  end
  local params = { mode = given.mode or 'form', message = given.message or 'Where to?', url = given.url }
  params.elicitationId = params.mode == 'url' and (given.link or 'l1') or nil
  local text = vim.json.encode(params)
  if given.schema_text then
    text = text:sub(1, -2) .. ',"requestedSchema":' .. given.schema_text:gsub('\n', ' ') .. '}'
  end
  T.say('{"jsonrpc":"2.0","id":' .. id .. ',"method":"elicitation/create","params":' .. text .. '}', server)
end
function T.floats()
  local list = {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= '' then table.insert(list, win) end
  end
  return list
end
function T.screen()
  for _, win in ipairs(T.floats()) do
    local buf = vim.api.nvim_win_get_buf(win)
    if vim.bo[buf].filetype == 'elicit' then
      return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
    end
  end
  return ''
end
function T.border()
  for _, win in ipairs(T.floats()) do
    local config = vim.api.nvim_win_get_config(win)
    if not config.focusable then
      return vim.trim(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)[1])
    end
  end
  return ''
end
function T.groups(text)
  local list, space = {}, vim.api.nvim_create_namespace('elicit')
  for _, win in ipairs(T.floats()) do
    local buf = vim.api.nvim_win_get_buf(win)
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
      local line = vim.api.nvim_buf_get_lines(buf, mark[2], mark[2] + 1, false)[1]
      if line:sub(mark[3] + 1, mark[4].end_col) == text then table.insert(list, mark[4].hl_group) end
    end
  end
  return list
end
function T.diagnostics()
  local list = {}
  for _, d in ipairs(vim.diagnostic.get()) do
    local line = vim.api.nvim_buf_get_lines(d.bufnr, d.lnum, d.lnum + 1, false)[1]
    table.insert(list, { code = d.code, message = d.message, line = line })
  end
  return list
end
]]

function Child.start(environment)
  local self = setmetatable({}, Child)
  local cmd = {
    'nvim', '--embed', '--headless', '-i', 'NONE', '-n', '-u', 'NONE',
    '--cmd', 'set rtp^=' .. here, '-c', 'runtime plugin/elicit.lua',
    '--cmd', 'set lines=50 columns=120'
  }
  self.job = vim.fn.jobstart(cmd, { rpc = true, env = environment })
  self:lua(peer)
  return self
end

--- Runs a test in a Neovim of its own, with a session open if there are options.
function Child.test(name, options, run)
  harness.test(name, function()
    local child = Child.start()
    local ok, why = pcall(function()
      if options then
        child:lua('T.begin(...)', options)
      end
      run(child)
    end)
    child:stop()
    if not ok then
      error(why, 0)
    end
  end)
end

--- Runs Lua in the child and returns what it returns.
function Child:lua(code, ...)
  return vim.fn.rpcrequest(self.job, 'nvim_exec_lua', code, { ... })
end

--- Types keys, in the notation of mappings.
function Child:type(keys)
  vim.fn.rpcrequest(self.job, 'nvim_input', keys)
end

--- Types keys that end the child. It asks for no reply, because the child may be gone before it gives one.
function Child:leave(keys)
  vim.fn.rpcnotify(self.job, 'nvim_input', keys)
end

--- The mode the child is in, "blocked" when it waits inside of something.
function Child:mode()
  local mode = vim.fn.rpcrequest(self.job, 'nvim_get_mode')
  return mode.blocking and 'blocked' or mode.mode
end

function Child:screen()
  return self:mode() == 'blocked' and '' or self:lua('return T.screen()')
end

--- Waits until the form or page shows a text.
function Child:sees(text, most)
  local last
  local ok, why = pcall(harness.wait, text, function()
    last = self:screen()
    return last:find(text, 1, true)
  end, most)
  if not ok then
    error(why .. " " .. last:gsub("\n", "|") .. '\nmode ' .. self:mode(), 2)
  end
  return last
end

--- Waits until Lua code is true in the child, and returns what it gave.
function Child:until_true(code, most)
  local ok, value = pcall(harness.wait, code, function()
    local got = self:mode() ~= 'blocked' and self:lua('return ' .. code)
    return got ~= vim.NIL and got
  end, most)
  if not ok then
    error(value .. '\n' .. "\n" .. self:screen() .. vim.inspect(self:lua('return T.told')), 2)
  end
  return value
end

function Child:stop()
  vim.fn.jobstop(self.job)
end

return Child
