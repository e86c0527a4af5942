--- Asks a guardian that the library does not run, and brings what it says to the machine.
local Fault = require('elicit.fault')

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

local over = { consult_over = true, unknown_request = true }

--- The effects without the problems about what the guardian said, and whether its round still waits for an answer.
local function sifted(effects)
  local used, unused = {}, false
  for _, effect in ipairs(effects) do
    if effect.effect == 'problem' and effect.about == 'guardian' then
      unused = unused or not over[effect.problems[1].code]
    else
      used[#used + 1] = effect
    end
  end
  return used, unused
end

--- Gives the machine what was said. An output that it cannot use counts as none, and the person does not read of it.
local function give(driver, effect, said)
  local of = { event = 'consulted', session = effect.session, id = effect.id, round = effect.round }
  local event = vim.tbl_extend('force', said, of)
  driver:give(event, function(ok, effects)
    if not ok and not (Fault.is(effects) and effects.status == 'invalid') then
      error(effects, 0)
    end
    local used, unused = sifted(ok and effects or {})
    if not said.fault and (unused or not ok) then
      give(driver, effect, { fault = ok and 'unavailable' or 'bad_output' })
    end
    return used
  end)
end

--- Lets `ask(effect, answer)` ask a guardian, now or later. It calls answer('…') with the guardian's text,
--- answer({output = '…', principal = '…'}) with another person's word, or answer({fault = '…'}). The first call counts. A
--- guardian fails at once when nobody can ask it, or when `ask` breaks.
return function(driver, effect, ask)
  local answered = false
  local function answer(said)
    if vim.in_fast_event() then
      return vim.schedule(function()
        answer(said)
      end)
    end
    if not answered then
      answered = true
      give(driver, effect, told(said))
    end
  end
  if not ask then
    return answer({ fault = (effect.host or not effect.digest) and 'unavailable' or 'not_loaded' })
  end
  local ok, why = pcall(ask, effect, answer)
  if not ok then
    answer({ fault = 'unavailable' })
    error(why, 0)
  end
end
