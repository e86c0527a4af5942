--- The loop around Engine.step: a clock, a timer, a journal, and each effect to the host it is for.
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local json = require('elicit.json')
local uv = (vim.uv or vim.loop)

local Driver = {}
Driver.__index = Driver

--- Milliseconds since 1970-01-01 UTC.
function Driver.clock()
  local seconds, micro = uv.gettimeofday()
  return seconds * 1000 + math.floor(micro / 1000)
end

--- `options.journal(line)` returns when the line is durable and throws when it cannot be: nothing that follows from a record
--- happens before it is kept. `options.now` is the clock, `options.replaced(fault)` is told when an engine broke,
--- `options.consult(effect, answer)` asks a guardian for sessions whose hosts do not; see Driver:consult.
--- `after` may be set to a function that is called when events were taken.
function Driver.new(config, options)
  options = options or {}
  local self = setmetatable({
    config = config,
    journal = options.journal,
    now = options.now or Driver.clock,
    replaced = options.replaced,
    asks = options.consult,
    hosts = {},
    events = {},
    sessions = {},
    open = {},
  }, Driver)
  self.timer = uv.new_timer()
  self.engine = Engine.open(config, self.now())
  self:perform(self.engine.beginning)
  return self
end

--- Hands the effects of one session to a host, a table of functions by the names of effects, or takes it away again.
function Driver:join(session, host)
  self.hosts[session] = host
end

--- Gives the engine an event; `raw`, JSON text of an object, is more members of it in their own spelling. Events take
--- turns: one given by a host while effects are performed comes after them.
function Driver:give(event, raw)
  self:queue({ event = event, raw = raw })
end

function Driver:queue(turn)
  table.insert(self.events, turn)
  if self.busy then
    return
  end
  self.busy = true
  local ok, why = true, nil
  while ok and #self.events > 0 do
    local turn = table.remove(self.events, 1)
    ok, why = pcall(turn.heard and self.hear or self.take, self, turn.event, turn.heard or turn.raw)
  end
  self.busy = false
  if self.after then
    self.after()
  end
  if not ok then
    error(why, 0)
  end
end

--- How many requests have no reply yet.
function Driver:waiting()
  local count = 0
  for _, refs in pairs(self.open) do
    count = count + vim.tbl_count(refs)
  end
  return count
end

--- The effects without the problems about what the guardian said, and whether its round still waits for an answer.
local function sifted(effects)
  local used, unused = {}, false
  for _, effect in ipairs(effects) do
    if effect.effect == 'problem' and effect.about == 'guardian' then
      unused = unused or effect.problems[1].code ~= 'consult_over'
    else
      used[#used + 1] = effect
    end
  end
  return used, unused
end

--- Settles everything that is open with the cause shutdown and stops the timer. It may be called again.
function Driver:shutdown()
  for _, session in ipairs(vim.tbl_keys(self.sessions)) do
    if not self.broken then
      self:give({ event = 'closed', session = session, cause = 'shutdown' })
    end
  end
  self:wake(0)
  if not self.timer:is_closing() then
    self.timer:close()
  end
end

function Driver:take(event, raw)
  if self.broken then
    self:refuse(event, 'journal_failed')
    return
  end
  local text = json.encode(event)
  local ok, effects = pcall(self.engine.step, self.engine, raw and json.joined(text, raw) or text, self.now())
  if ok then
    self:note(event)
    self:perform(effects)
  elseif Fault.is(effects) and effects.status == 'internal' then
    self:replace(effects)
    self:refuse(event, 'internal')
  else
    self:refuse(event, 'bad_input')
    error(effects, 0)
  end
end

--- Takes what a guardian said. What the engine cannot use of it is as good as nothing, and not for the person to read.
function Driver:hear(event, engine)
  if self.broken or self.engine ~= engine then
    return
  end
  local ok, effects = pcall(self.engine.step, self.engine, json.encode(event), self.now())
  if not ok and Fault.is(effects) and effects.status == 'internal' then
    return self:replace(effects)
  end
  local used, unused = sifted(ok and effects or {})
  self:perform(used)
  if not event.fault and (unused or not ok) then
    self:hear({ event = 'consulted', session = event.session, id = event.id, round = event.round, fault = ok and 'unavailable' or 'bad_output' }, engine)
  end
end

function Driver:note(event)
  local session = event.session
  if event.event == 'opened' then
    self.sessions[session] = true
  elseif event.event == 'closed' then
    self.sessions[session], self.open[session] = nil, nil
  elseif event.event == 'asked' then
    self.open[session] = self.open[session] or {}
    self.open[session][event.ref] = true
  end
end

--- Makes the record durable before anything else of the batch happens.
function Driver:perform(effects)
  for _, effect in ipairs(effects) do
    if effect.effect == 'append' and self.journal then
      local kept, why = pcall(self.journal, effect.record)
      if not kept then
        self:fail_closed(effects, why)
        return
      end
    end
  end
  for _, effect in ipairs(effects) do
    if effect.effect == 'wake' then
      self:wake(effect.at)
    elseif effect.effect ~= 'append' then
      self:hand(effect)
    end
  end
end

local function complain(why)
  vim.schedule(function()
    vim.notify('elicit: ' .. tostring(why), vim.log.levels.ERROR)
  end)
end

function Driver:hand(effect)
  if effect.effect == 'reply' and self.open[effect.session] then
    self.open[effect.session][effect.ref] = nil
  end
  local host = self.hosts[effect.session]
  if effect.effect == 'consult' then
    return self:consult(effect, host and host.consult or self.asks)
  end
  local perform = host and host[effect.effect]
  if not perform then
    return
  end
  local ok, why = pcall(perform, effect)
  if not ok then
    complain(why)
  end
end

--- What a guardian said, as the event has it. Nothing is not an output, and an output is text.
local function told(said)
  local all = type(said) == 'table' and said or { output = said }
  if all.fault ~= nil or all.output == nil then
    return { fault = type(all.fault) == 'string' and all.fault or 'unavailable' }
  elseif type(all.output) ~= 'string' or all.output == '' then
    return { fault = 'bad_output' }
  end
  return { output = all.output, principal = type(all.principal) == 'string' and all.principal or nil }
end

--- Lets `ask(effect, answer)` ask a guardian, now or later: answer('…') with what it wrote, answer({output = '…', principal = '…'})
--- for another person's word, answer({fault = '…'}). Whom nobody can ask, or whose asking breaks, has said so at once. The
--- first answer counts, and a late one makes no difference.
function Driver:consult(effect, ask)
  local engine, answered = self.engine, false
  local function answer(said)
    if vim.in_fast_event() then
      return vim.schedule(function()
        answer(said)
      end)
    end
    -- An engine that was replaced asks anew.
    if answered or self.engine ~= engine or self.timer:is_closing() then
      return
    end
    answered = true
    local of = { event = 'consulted', session = effect.session, id = effect.id, round = effect.round }
    self:queue({ event = vim.tbl_extend('force', told(said), of), heard = engine })
  end
  if not ask then
    return answer({ fault = (effect.host or not effect.digest) and 'unavailable' or 'missing' })
  end
  local ok, why = pcall(ask, effect, answer)
  if not ok then
    complain(why)
    answer({ fault = 'unavailable' })
  end
end

--- A question that cannot be asked is answered all the same.
function Driver:refuse(event, code)
  if event.event == 'asked' then
    self:hand(self:failed(event.session, event.ref, code))
  end
end

function Driver:failed(session, ref, code, id)
  local problems = { { code = code, pointer = '' } }
  local effect = { effect = 'reply', session = session, id = id, ref = ref, outcome = 'error', cause = 'shutdown', problems = problems }
  effect.text = json.encode(effect)
  return effect
end

--- Nothing that was not kept has happened: whoever waits gets an error, and nothing is decided any more.
function Driver:fail_closed(effects, why)
  self.broken = Fault.new('journal', 'a record could not be kept: ' .. tostring(why))
  self:wake(0)
  for _, effect in ipairs(effects) do
    if effect.effect == 'withdraw' or effect.effect == 'problem' then
      self:hand(effect)
    end
  end
  for session, refs in pairs(self.open) do
    for _, ref in ipairs(vim.tbl_keys(refs)) do
      self:hand(self:failed(session, ref, 'journal_failed'))
    end
    local host = self.hosts[session]
    if host and host.over then
      host.over('shutdown')
    end
  end
  error(self.broken, 0)
end

--- Goes on with a new engine that knows every session as it was before the event that broke the old one.
function Driver:replace(fault)
  local states = {}
  for session in pairs(self.sessions) do
    states[#states + 1] = self.engine:save(session)
  end
  self.engine:close()
  self.engine = Engine.open(self.config, self.now())
  self:perform(self.engine.beginning)
  for _, state in ipairs(states) do
    self:perform(self.engine:step({ event = 'resumed', state_text = state }, self.now()))
  end
  if self.replaced then
    self.replaced(fault)
  end
end

--- Replaces the timer. A clock that was set back since makes it come again.
function Driver:wake(at)
  if self.timer:is_closing() then
    return
  end
  self.timer:stop()
  self.wakes = at
  if at == 0 then
    return
  end
  local delay = math.min(math.max(at - self.now(), 1), 2 ^ 31 - 1)
  self.timer:start(delay, 0, vim.schedule_wrap(function()
    if self.now() < self.wakes then
      self:wake(self.wakes)
    elseif not self.broken and self.wakes > 0 then
      self:give({ event = 'ticked' })
    end
  end))
end

return Driver
