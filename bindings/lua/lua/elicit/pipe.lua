--- A program on the other end of two pipes, a line a message. Nothing here waits for it.
local uv = (vim.uv or vim.loop)

local Pipe = {}
Pipe.__index = Pipe

--- A longer message ends the connection, because the machine of a connection would not read it.
Pipe.most = 64 * 1024 * 1024

--- Milliseconds that a program may stay once its input is closed, and again once it got a signal to end. Its output may
--- stay open for as long once it has ended.
Pipe.grace = 500

--- `options`: cmd (a list; no shell reads it), cwd, env (added to ours), line(text), gone(why). Both functions are called on
--- Neovim's main loop; gone comes last, after every line. Throws when the program cannot be started.
function Pipe.open(options)
  local self = setmetatable({ options = options, rest = {}, size = 0, errors = {} }, Pipe)
  self.stdin, self.stdout, self.stderr = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local env = nil
  if options.env then
    env = {}
    for name, value in pairs(vim.tbl_extend('force', vim.fn.environ(), options.env)) do
      env[#env + 1] = name .. '=' .. value
    end
  end
  local arguments = vim.list_slice(options.cmd, 2)
  local stdio = { self.stdin, self.stdout, self.stderr }
  local why
  self.handle, why = uv.spawn(options.cmd[1], { args = arguments, cwd = options.cwd, env = env, stdio = stdio, hide = true }, function(code, signal)
    self.handle:close()
    self.exit = signal ~= 0 and ('it was ended by signal %d'):format(signal) or ('it ended with status %d'):format(code)
    -- What it said last may not have been read yet, and what it started may hold its output open.
    self:after(Pipe.grace, function()
      self:over(self.exit)
    end)
  end)
  if not self.handle then
    self:close()
    error(('%s cannot be started: %s'):format(options.cmd[1], why), 0)
  end
  self.stdout:read_start(function(failed, chunk)
    if failed or not chunk then
      self:read_all(failed)
    else
      self:read(chunk)
    end
  end)
  self.stderr:read_start(function(_, chunk)
    if chunk then
      self:complain(chunk)
    end
  end)
  return self
end

--- Cuts what came into lines.
function Pipe:read(chunk)
  local at = 1
  while true do
    local stop = chunk:find('\n', at, true)
    if not stop then
      break
    end
    self.rest[#self.rest + 1] = chunk:sub(at, stop - 1)
    local line = table.concat(self.rest)
    self.rest, self.size, at = {}, 0, stop + 1
    if #line > Pipe.most then
      return self:too_long()
    end
    self:hand(line)
  end
  self.rest[#self.rest + 1] = chunk:sub(at)
  self.size = self.size + #chunk - at + 1
  if self.size > Pipe.most then
    self:too_long()
  end
end

function Pipe:hand(line)
  if line:find('%S') then
    vim.schedule(function()
      if not self.ended then
        self.options.line(line)
      end
    end)
  end
end

--- Its output is over. A last line without an end is a line.
function Pipe:read_all(failed)
  self:hand(table.concat(self.rest))
  self.rest = {}
  if self.exit or failed then
    return self:over(self.exit or failed)
  end
  self:after(50, function()
    self:over(self.exit or 'it closed its output')
  end)
end

function Pipe:after(milliseconds, run)
  local timer = uv.new_timer()
  timer:start(milliseconds, 0, function()
    timer:close()
    run()
  end)
end

function Pipe:too_long()
  self.rest = {}
  self:over(('it sent a line of more than %d bytes'):format(Pipe.most))
end

--- Keeps the end of what the program says on its error output.
function Pipe:complain(chunk)
  for line in chunk:gmatch('[^\n]+') do
    table.insert(self.errors, line:sub(1, 500))
    if #self.errors > 50 then
      table.remove(self.errors, 1)
    end
  end
end

function Pipe:write(text)
  if not self.ended and not self.stdin:is_closing() then
    self.stdin:write(text .. '\n')
  end
end

function Pipe:over(why)
  if self.why then
    return
  end
  self.why = why
  vim.schedule(function()
    if not self.ended then
      self:close()
      self.options.gone(why)
    end
  end)
end

--- Closes the pipes, behind what was written. A program that does not leave by itself gets a signal, and is then killed.
--- It may be called again. Neither line nor gone is called after it.
function Pipe:close()
  if self.ended then
    return
  end
  self.ended = true
  if not self.stdin:is_closing() then
    local shutting = self.stdin:shutdown(function()
      self.stdin:close()
    end)
    if not shutting then
      self.stdin:close()
    end
  end
  for _, pipe in ipairs({ self.stdout, self.stderr }) do
    if not pipe:is_closing() then
      pipe:close()
    end
  end
  self:after(Pipe.grace, function()
    self:kill('sigterm')
    self:after(Pipe.grace, function()
      self:kill('sigkill')
    end)
  end)
end

--- Ends the program at once, for who cannot wait.
function Pipe:kill(signal)
  if self.handle and not self.handle:is_closing() then
    self.handle:kill(signal)
  end
end

return Pipe
