--- The loop around the machine of one connection. It gives the machine one message or event at a time, and performs the
--- effects in their order. The machine makes all decisions (docs/relay.md).
local Engine = require('elicit.engine')
local clock = require('elicit.clock')
local consult = require('elicit.consult')

local Driver = {}
Driver.__index = Driver

local function nothing() end

--- `relay` configures the connection. All options may be left out. `send(to, message)` writes to the "client" or
--- "server". `journal(record)` returns when the record is durable, or throws; without a record it begins another
--- journal. `consult(effect, answer)` asks a guardian. `broken(fault)` is called when the machine broke and takes no
--- more input. The caller may set two members: `host`, functions by the names of effects, and `after`, which is called
--- when the queue of turns is empty.
function Driver.new(relay, options)
  options = vim.tbl_extend('keep', options or {}, { send = nothing, journal = nothing, broken = nothing })
  local self = setmetatable({ options = options, host = {}, turns = {}, after = nothing }, Driver)
  self.machine, self.timer = Engine.connection(relay), (vim.uv or vim.loop).new_timer()
  self:perform(self.machine.beginning)
  return self
end

--- Gives the machine an event, a table. `filter(ok, effects)` returns the effects to perform (see elicit.consult).
function Driver:give(event, filter)
  self:take({ event = event, filter = filter })
end

--- Gives the machine a message from the "client" or the "server", unchanged but without its line end.
function Driver:receive(from, message)
  self:take({ from = from, message = message })
end

--- Settles the open questions, ends the machine and then calls `done`. It may be called again.
function Driver:close(done)
  self:give({ event = 'ended', ['end'] = 'host' })
  self:give({ event = 'ended', ['end'] = 'server' })
  self:take({ close = done or nothing })
end

--- Takes a turn: an event, a message or the end. During another turn it only queues the new one. When the queue is
--- empty, it throws the first error of the turns.
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
  elseif turn.filter then
    effects = turn.filter(ok, effects)
  elseif not ok then
    error(effects, 0)
  end
  self:perform(effects, turn.message)
end

--- Performs effects in order. If a record cannot be kept, it stops and performs the effects of `append_failed` instead.
function Driver:perform(effects, message)
  for _, effect in ipairs(effects) do
    local ok, why = pcall(self.perform_one, self, effect, message)
    if not ok then
      vim.schedule_wrap(vim.notify)('elicit: ' .. tostring(why), vim.log.levels.ERROR)
    end
    if not ok and (effect.effect == 'append' or effect.effect == 'new_journal') then
      return self:perform(self.machine:step({ event = 'append_failed' }))
    end
  end
end

function Driver:perform_one(effect, message)
  local name, options = effect.effect, self.options
  if name == 'append' or name == 'new_journal' then
    options.journal(effect.record)
  elseif name == 'forward' or name == 'send' then
    options.send(effect.to, effect.message or message)
  elseif name == 'wake' then
    self:set_timer(effect)
  elseif name == 'consult' then
    consult(self, effect, options.consult)
  elseif self.host[name] then
    self.host[name](effect)
  end
end

--- Replaces the timer. It may tick early, because it does not count suspended time: the machine then asks for another.
function Driver:set_timer(wake)
  self.timer:stop()
  if wake.at > 0 then
    local wait = wake['in'] and math.min(wake['in'], 20000) or wake.at - clock()
    self.timer:start(math.min(math.max(wait, 1), 2 ^ 31 - 1), 0, vim.schedule_wrap(function()
      self:give({ event = 'ticked' })
    end))
  end
end

return Driver
