--- The loop around the machine of one connection. The library has the order of all steps and what follows when the
--- journal fails (elicit_next, docs/abi.md). The machine makes all decisions (docs/relay.md).
local Engine = require('elicit.engine')
local consult = require('elicit.consult')

local Driver = {}
Driver.__index = Driver

local function nothing() end

--- `relay` configures the connection. All options may be left out. `send(to, message)` writes to the "client" or
--- "server". `journal(record)` returns when the record is durable, or throws; without a record it begins another
--- journal. `consult(effect, answer)` asks a guardian. `broken(fault)` is called when the machine broke and takes no
--- more input. `times()` returns the milliseconds of the wall clock and of one that nobody sets, and `random()` 32
--- bytes; the library has its own. The caller may set two members: `host`, functions by the names of effects, and
--- `after`, which is called when nothing is left to perform.
function Driver.new(relay, options)
  options = vim.tbl_extend('keep', options or {}, { send = nothing, journal = nothing, broken = nothing })
  local self = setmetatable({ options = options, host = {}, after = nothing, said = {} }, Driver)
  local at, elapsed = (options.times or nothing)()
  self.machine = Engine.pulled(relay, at, elapsed, options.random)
  self.timer = (vim.uv or vim.loop).new_timer()
  self.calls = { random = options.random, append = options.journal, consult = options.consult and function(text)
    consult.ask(self, text, options.consult)
  end }
  self:turn()
  return self
end

--- Gives the machine an event, a table. It throws a fault for one that cannot be read.
function Driver:give(event)
  self:take('step', event)
end

--- Gives the machine a message from the "client" or the "server", unchanged but without its line end.
function Driver:receive(from, message)
  self:take('receive', from, message)
end

--- Settles the open questions, ends the machine and then calls `done`. It may be called again.
function Driver:close(done)
  self:give({ event = 'ended', ['end'] = 'host' })
  self.closing = self.closing or done or nothing
  self:give({ event = 'ended', ['end'] = 'server' })
end

--- Gives the machine an input. During a turn it waits in the library.
function Driver:take(kind, ...)
  if not self.closed then
    self:tried(self.machine[kind], self.machine, ...)
    self:turn()
  end
end

--- Calls a function of the machine. `broken` gets the fault of a machine that broke. Any other error is thrown.
function Driver:tried(work, ...)
  local ok, one, two = pcall(work, ...)
  if not ok and type(one) == 'table' and one.status == 'internal' then
    return self.options.broken(one)
  end
  return ok and one or error(one, 0), two
end

--- Performs effects until nothing is due, and sets the timer.
function Driver:turn()
  if self.busy or self.closed then
    return
  end
  self.busy = true
  local times, effect, message = self.options.times or nothing, nil, nil
  repeat
    effect, message = self:tried(self.machine.next, self.machine, self.calls, times())
    local wait = not effect or effect.wait
    if not wait then
      self.told(pcall(self.perform, self, effect, message))
    end
  until wait
  self.busy = false
  self.timer:stop()
  if self.closing then
    self.closed = true
    self.timer:close()
    self.machine:close()
    self.closing()
  elseif effect and effect.wait >= 0 then
    self.timer:start(math.max(effect.wait, 1), 0, vim.schedule_wrap(function()
      self:turn()
    end))
  end
  self.after()
end

--- Tells the person of a function of the host that failed.
function Driver.told(ok, why)
  if not ok then
    vim.schedule_wrap(vim.notify)('elicit: ' .. tostring(why), vim.log.levels.ERROR)
  end
end

function Driver:perform(effect, message)
  if message then
    self.options.send(effect.to, message)
  elseif not consult.perform(self, effect) and self.host[effect.effect] then
    self.host[effect.effect](effect)
  end
end

return Driver
