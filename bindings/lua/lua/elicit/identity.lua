--- The identity of a server, for grants with scope `always`: its program and arguments. `elicit proxy` makes the same
--- text, so a grant holds for both.
local Engine = require('elicit.engine')
local json = require('elicit.json')
local uv = (vim.uv or vim.loop)

--- The most bytes of an identity that the engine accepts.
local most = 1024

local function absolute(path, base)
  path = path:sub(1, 1) == '/' and path or base .. '/' .. path
  path = vim.fn.simplify(path)
  return #path > 1 and path:gsub('/+$', '') or path
end

--- The program that a command names, searched for as the system does; nil if there is none.
local function found(name, base, path)
  if name:find('/', 1, true) then
    path, name = nil, absolute(name, base)
    return vim.fn.executable(name) == 1 and name or nil
  end
  for _, directory in ipairs(vim.split(path or '', ':', { plain = true })) do
    local at = absolute(directory .. '/' .. name, base)
    if directory ~= '' and vim.fn.executable(at) == 1 and vim.fn.isdirectory(at) == 0 then
      return at
    end
  end
end

--- A value as the engine's canonical JSON; nil if a text in it is not UTF-8.
local function spelled(value)
  local ok, out = pcall(Engine.eval, 'parse', { document_text = json.encode(value) })
  return ok and json.member(out, 'canonical') or nil
end

local names = { 'token', 'secret', 'passw', 'pwd', 'credential', 'bearer', 'api.?key', '://[^/"]*@' }

--- Whether arguments may contain a secret, so that they should not be kept as text.
local function is_secretive(list)
  local lower = list:lower()
  for _, name in ipairs(names) do
    if lower:find(name) then
      return true
    end
  end
  local out = Engine.eval('inspect', '{"content":{"arguments":' .. list .. '}}')
  return #json.decode(out).findings > 0
end

local function digest(all)
  local text = {}
  for i, one in ipairs(all) do
    text[i] = #one .. ':' .. one
  end
  return vim.fn.sha256(table.concat(text))
end

--- Returns the identity of the server that `cmd` starts in `cwd`, with `env` added to our environment; nil if there is
--- no such program. A digest replaces arguments that are too long or look like a secret, because journals and grants
--- keep the identity.
return function(cmd, cwd, env)
  local base = absolute(cwd or '.', uv.cwd())
  local program = found(cmd[1], base, env and env.PATH or vim.env.PATH)
  if not program then
    return nil
  end
  local arguments = {}
  for i, argument in ipairs(vim.list_slice(cmd, 2)) do
    -- `node server.js` is another server in another directory.
    local path = absolute(argument, base)
    arguments[i] = argument ~= '' and argument:sub(1, 1) ~= '-' and uv.fs_lstat(path) and path or argument
  end
  local file = uv.fs_realpath(program) or program
  local list, from = spelled(#arguments > 0 and arguments or {}), spelled({ file })
  local all = vim.list_extend({ program, file }, arguments)
  local readable = list and from and spelled({ program })
  if readable and not is_secretive(list) then
    local text = program .. ' ' .. list .. (file ~= program and ' -> ' .. from:sub(2, -2) or '')
    if #text <= most then
      return text
    end
  end
  local text = ('%s sha256:%s'):format(program, digest(all))
  return spelled({ program }) and #text <= most and text or 'sha256:' .. digest(all)
end
