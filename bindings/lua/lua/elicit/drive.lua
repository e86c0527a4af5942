--- The loop around the machine of one connection: messages and events go in one after the other, effects are performed
--- in their order. What an effect means is decided by the machine (docs/relay.md).
local Engine = require('elicit.engine')
local clock = require('elicit.clock')
local consult = require('elicit.consult')

local Driver = {}
Driver.__index = Driver

local function nothing() end

--- `relay` configures the connection. Options, none required: `send(to, message)` writes to the "client" or "server".
--- `journal(record)` keeps a record until it is durable, or throws; without a record it begins another journal.
--- `consult(effect, answer)` asks a guardian. `broken(fault)`: the machine takes nothing any more. Two members may be set:
--- `host`, functions by the names of effects, and `after`, a function that is called when turns were taken.
function Driver.new(relay, options)
  options = vim.tbl_extend('keep', options or {}, { send = nothing, journal = nothing, broken = nothing })
  local self = setmetatable({ options = options, host = {}, turns = {}, after = nothing }, Driver)
  self.machine, self.timer = Engine.connection(relay), (vim.uv or vim.loop).new_timer()
  self:perform(self.machine.beginning)
  return self
end

--- Gives the machine an event, a table. `sift`, see elicit.consult, chooses what is performed.
function Driver:give(event, sift)
  self:take({ event = event, sift = sift })
end

--- Gives the machine a message, without its line end, as received from the "client" or the "server".
function Driver:receive(from, message)
  self:take({ from = from, message = message })
end

--- Settles what is open for both ends and ends the machine, then calls `done`. It may be called again.
function Driver:close(done)
  self:give({ event = 'ended', ['end'] = 'host' })
  self:give({ event = 'ended', ['end'] = 'server' })
  self:take({ close = done or nothing })
end

--- Takes a turn. One that comes while effects are performed waits. The first error is thrown when no turn is left.
function Driver:take(turn)
  table.insert(self.turns, turn)
  if self.busy then
    return
  end
  self.busy = true
  local failed
  while #self.turns > 0 do
    local ok, why = pcall(self.step, self, table.remove(self.turns, 1))
    failed = failed or not ok and { why = why }
  end
  self.busy = false
  self.after()
  if failed then
    error(failed.why, 0)
  end
end

function Driver:step(turn)
  if self.closed then
    return
  elseif turn.close then
    self.closed = true
    self.timer:close()
    self.machine:close()
    return turn.close()
  end
  local work = self.machine[turn.from and 'receive' or 'step']
  local ok, effects = pcall(work, self.machine, turn.from or turn.event, turn.message)
  if not ok and effects.status == 'internal' then
    return self.options.broken(effects)
  elseif turn.sift then
    effects = turn.sift(ok, effects)
  elseif not ok then
    error(effects, 0)
  end
  self:perform(effects, turn.message)
end

--- Performs effects in order. Where a record cannot be kept it stops, and the machine says what is to be done instead.
function Driver:perform(effects, message)
  for _, effect in ipairs(effects) do
    local ok, why = pcall(self.hand, self, effect, message)
    if not ok then
      vim.schedule_wrap(vim.notify)('elicit: ' .. tostring(why), vim.log.levels.ERROR)
    end
    if not ok and (effect.effect == 'append' or effect.effect == 'new_journal') then
      return self:perform(self.machine:step({ event = 'append_failed' }))
    end
  end
end

function Driver:hand(effect, message)
  local name, options = effect.effect, self.options
  if name == 'append' or name == 'new_journal' then
    options.journal(effect.record)
  elseif name == 'forward' or name == 'send' then
    options.send(effect.to, effect.message or message)
  elseif name == 'wake' then
    self:wake(effect.at)
  elseif name == 'consult' then
    consult(self, effect, options.consult)
  elseif self.host[name] then
    self.host[name](effect)
  end
end

--- Replaces the timer. A tick that comes early makes the machine ask for another.
function Driver:wake(at)
  self.timer:stop()
  if at > 0 then
    self.timer:start(math.min(math.max(at - clock(), 1), 2 ^ 31 - 1), 0, vim.schedule_wrap(function()
      self:give({ event = 'ticked' })
    end))
  end
end

return Driver
