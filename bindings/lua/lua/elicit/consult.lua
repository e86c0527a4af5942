--- Asks a guardian that the library does not run, and gives its verdict to the machine.
local Fault = require('elicit.fault')

--- A guardian's answer as the members of a `consulted` event. No answer counts as a fault, and so does an answer that
--- is not text.
local function members(said)
  local all = type(said) == 'table' and said or { output = said }
  if all.fault ~= nil or all.output == nil then
    return { fault = type(all.fault) == 'string' and all.fault or 'unavailable' }
  elseif type(all.output) ~= 'string' or all.output == '' then
    return { fault = 'bad_output' }
  end
  return { output = all.output, principal = type(all.principal) == 'string' and all.principal or nil }
end

local over = { consult_over = true, unknown_request = true }

--- The effects without the problems about the guardian's verdict, and whether the round still waits for a verdict.
local function without_guardian(effects)
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

--- Gives the machine a verdict. If it cannot use the output, the guardian counts as faulty, and the person does not see
--- the problem.
local function give(driver, effect, said)
  local of = { event = 'consulted', session = effect.session, id = effect.id, round = effect.round }
  local event = vim.tbl_extend('force', said, of)
  driver:give(event, function(ok, effects)
    if not ok and not (Fault.is(effects) and effects.status == 'invalid') then
      error(effects, 0)
    end
    local used, unused = without_guardian(ok and effects or {})
    if not said.fault and (unused or not ok) then
      give(driver, effect, { fault = ok and 'unavailable' or 'bad_output' })
    end
    return used
  end)
end

--- Calls `ask(effect, answer)` to ask a guardian. `ask` calls answer('…') with the guardian's text, now or later. It
--- can also call answer({output = '…', principal = '…'}) with the verdict of another person, or answer({fault = '…'}).
--- Only the first call counts. Without `ask`, or if `ask` throws, the guardian fails at once.
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
      give(driver, effect, members(said))
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
