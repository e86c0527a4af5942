--- The functions of the commands in plugin/elicit.lua.
local elicit = require('elicit')
local clock = require('elicit.clock')
local json = require('elicit.json')
local options = require('elicit.options')
local plain = require('elicit.plain')
local reader = require('elicit.reader')
local uv = (vim.uv or vim.loop)

local M = {}

--- Runs a command. An error is shown as one line, without a stack trace.
function M.run(what, ...)
  local ok, why = pcall(M[what], ...)
  if not ok then
    vim.notify(tostring(why), vim.log.levels.ERROR)
  end
end

M.open, M.log = elicit.open, elicit.log

local function age(milliseconds)
  local seconds = math.max(0, math.floor(milliseconds / 1000))
  return seconds < 60 and seconds .. ' s' or math.floor(seconds / 60) .. ' min'
end

--- Lists the waiting questions. The return key opens one.
function M.pending()
  local list = elicit.pending()
  local lines = {}
  for i, one in ipairs(list) do
    local first = vim.split(one.message, '\n')[1]
    local state = one.awaiting and 'waiting for its page: ' or ''
    lines[i] = plain.line(('%s  (%s)  %s%s'):format(one.server, age(clock() - one.since), state, first))
  end
  reader.open('elicit://pending', { lines = #lines > 0 and lines or { 'Nobody waits for an answer.' } }, {
    ['<CR>'] = function(row)
      if list[row] then
        vim.cmd('close')
        elicit.open(list[row].id)
      end
    end,
  })
end

-- A plugin's directory is often a symbolic link into its repository.
local source = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')
local root = vim.fn.fnamemodify(uv.fs_realpath(source) or source, ':h:h:h:h:h')

--- The servers for trying the plugin. They may not be installed.
local function demos()
  local list = options.current.demo and { options.current.demo } or {}
  list[#list + 1] = { cmd = { root .. '/dist/demoserver' }, tool = 'profile' }
  local everything = '/testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js'
  list[#list + 1] = { cmd = { 'node', root .. everything, 'stdio' }, tool = 'trigger-elicitation-request' }
  return list
end

local function is_there(cmd)
  local file = cmd[1] == 'node' and cmd[2] or cmd[1]
  return (uv.fs_stat(file) or vim.fn.executable(file) == 1) and vim.fn.executable(cmd[1]) == 1
end

--- Starts a server, calls one of its tools, which asks a question, and shows the tool's result. `given` is a list: the
--- name of the tool, and then the server's command line. Both may be left out.
function M.demo(given)
  local tool, demo = given[1], nil
  for _, candidate in ipairs(#given > 1 and { { cmd = vim.list_slice(given, 2) } } or demos()) do
    if is_there(candidate.cmd) then
      demo = candidate
      break
    end
  end
  if not demo then
    error('elicit: there is no server to try. Give one: :ElicitDemo trigger-elicitation-request '
      .. 'npx -y @modelcontextprotocol/server-everything', 0)
  end
  tool = tool or demo.tool
  local client
  client = elicit.connect({
    name = 'demo',
    cmd = demo.cmd,
    ready = function()
      client:tool(tool, nil, function(result, failed)
        M.said(tool, result, failed)
        client:stop()
      end)
    end,
  })
end

--- Shows the result of a tool.
function M.said(tool, result, failed)
  local lines = {}
  -- Lua has no value for some JSON texts, such as half of a surrogate pair. Then the JSON itself is shown.
  local read, said = pcall(json.decode, result or '{}')
  local parts = { { text = result or 'failed: ' .. tostring(failed) } }
  if result and read then
    parts = said.content or {}
  end
  for _, part in ipairs(parts) do
    for _, line in ipairs(vim.split(part.text or part.type or '', '\n')) do
      lines[#lines + 1] = plain.line(line)
    end
  end
  reader.open('elicit://said', { lines = vim.list_extend({ 'The tool ' .. plain.line(tool) .. ' says:', '' }, lines) })
  -- The person may be working elsewhere by now, so the cursor does not move to the result.
  vim.cmd('wincmd p')
end

return M
