--- A program that is connected by pipes and sends one message a line. No function here waits for the program.
local uv = (vim.uv or vim.loop)

local Pipe = {}
Pipe.__index = Pipe

--- The most bytes of a message. A longer one ends the connection, because the machine would refuse it.
Pipe.most = 64 * 1024 * 1024

--- The milliseconds that a program may run after its input is closed, and again after a signal to end. After the
--- program has ended, its output may stay open for as long.
Pipe.grace = 500

--- Starts a program. `options`: cmd (a list; no shell reads it), cwd, env (added to ours), line(text), gone(why). Both
--- functions are called on Neovim's main loop, and gone is called last. It throws if the program cannot be started.
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
  local how = { args = arguments, cwd = options.cwd, env = env, stdio = stdio, hide = true }
  self.handle, why = uv.spawn(options.cmd[1], how, function(code, signal)
    self.handle:close()
    self.exit = signal ~= 0 and ('it was ended by signal %d'):format(signal) or ('it ended with status %d'):format(code)
    -- Its last output may not have been read yet, and a program that it started may keep the output open.
    self:after(Pipe.grace, function()
      self:end_with(self.exit)
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
      self:keep_errors(chunk)
    end
  end)
  return self
end

--- Splits the output into lines.
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
    self:pass_on(line)
  end
  self.rest[#self.rest + 1] = chunk:sub(at)
  self.size = self.size + #chunk - at + 1
  if self.size > Pipe.most then
    self:too_long()
  end
end

function Pipe:pass_on(line)
  if line:find('%S') then
    vim.schedule(function()
      if not self.ended then
        self.options.line(line)
      end
    end)
  end
end

--- The output has ended. A last line without a line end counts as a line.
function Pipe:read_all(failed)
  self:pass_on(table.concat(self.rest))
  self.rest = {}
  if self.exit or failed then
    return self:end_with(self.exit or failed)
  end
  self:after(50, function()
    self:end_with(self.exit or 'it closed its output')
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
  self:end_with(('it sent a line of more than %d bytes'):format(Pipe.most))
end

--- Keeps the last 50 lines of the program's error output.
function Pipe:keep_errors(chunk)
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

function Pipe:end_with(why)
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

--- Closes the pipes after the written text has been sent. A program that does not end gets a signal and is then killed.
--- It may be called again. It stops all calls of line and gone.
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

--- Sends the program a signal at once, for a caller that cannot wait.
function Pipe:kill(signal)
  if self.handle and not self.handle:is_closing() then
    self.handle:kill(signal)
  end
end

return Pipe
