--- The loop around the machine of one connection. The library has the order of all steps and what follows when the
--- journal fails (elicit_next, docs/reference/abi.md). The machine makes all decisions (docs/reference/relay.md).
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local consult = require('elicit.consult')

local Driver = {}
Driver.__index = Driver

local function nothing() end

--- `relay` configures the connection. All options may be left out. `send(to, message)` writes to the "client" or
--- "server". `journal(record)` returns when the record is durable, or throws; without a record it begins another
--- journal. `consult(effect, answer)` asks a guardian. `broken(fault)` is called when the machine broke and takes no
--- more input. `host` has functions by the names of effects. `times()` returns the milliseconds of the wall clock and
--- of one that nobody sets, and `random()` 32 bytes; the library has its own. The caller may set the members `host` and
--- `after`, which is called when nothing is left to perform.
function Driver.new(relay, options)
  local defaults = { send = nothing, journal = nothing, broken = nothing, times = nothing, host = {} }
  options = vim.tbl_extend('keep', options or {}, defaults)
  local self = setmetatable({ options = options, host = options.host, after = nothing, said = {} }, Driver)
  self.machine = Engine.pulled(relay, options.random, options.times())
  self.timer = (vim.uv or vim.loop).new_timer()
  self.calls = { random = options.random, append = options.journal, consult = consult.asker(self, options.consult) }
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
    Fault.guarded(self.options.broken, self.machine[kind], self.machine, ...)
    self:turn()
  end
end

--- Performs effects until nothing is due, and sets the timer.
function Driver:turn()
  if self.busy or self.closed then
    return
  end
  self.busy = true
  local ok, wait = pcall(self.perform_all, self)
  self.busy = false
  self:set_timer(ok and wait or error(wait, 0))
  if self.closing then
    self.closed = true
    self.timer:close()
    self.machine:close()
    self.closing()
  end
  self.after()
end

--- Performs what there is, and returns for how long nothing is due: -1 without end.
function Driver:perform_all()
  while true do
    local broken, next = self.options.broken, self.machine.next
    local effect, message = Fault.guarded(broken, next, self.machine, self.calls, self.options.times())
    if not effect or effect.wait then
      return effect and effect.wait or -1
    end
    consult.told(pcall(self.perform, self, effect, message))
  end
end

function Driver:perform(effect, message)
  if message then
    self.options.send(effect.to, message)
  elseif not consult.perform(self, effect) and self.host[effect.effect] then
    self.host[effect.effect](effect)
  end
end

function Driver:set_timer(wait)
  self.timer:stop()
  if wait >= 0 then
    self.timer:start(math.max(wait, 1), 0, vim.schedule_wrap(function()
      self:turn()
    end))
  end
end

return Driver
