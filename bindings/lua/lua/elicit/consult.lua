--- Asks a guardian that the library does not run, and gives its verdict to the machine.
local Fault = require('elicit.fault')
local json = require('elicit.json')

local M = {}

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

local function key(effect)
  return (effect.session or '') .. '\n' .. (effect.id or '')
end

--- Gives the machine a verdict. An output that cannot be read counts as faulty.
local function give(driver, effect, said)
  local of = { event = 'consulted', session = effect.session, id = effect.id, round = effect.round }
  driver.said[key(effect)] = not said.fault and of or nil
  local ok, why = pcall(driver.give, driver, vim.tbl_extend('force', said, of))
  local unread = not ok and Fault.is(why) and (why.status == 'invalid' or why.status == 'too_large')
  if unread and not said.fault then
    give(driver, effect, { fault = 'bad_output' })
  elseif not ok and not unread then
    error(why, 0)
  end
end

--- Performs an effect as far as it concerns guardians, and returns whether nothing else is to be done for it. If the
--- machine cannot use an output, the guardian counts as faulty, and the person does not see the problem.
function M.perform(driver, effect)
  local of = effect.reply or effect
  local said = driver.said[key(of)]
  if effect.effect == 'settled' or effect.effect == 'withdraw' then
    driver.said[key(of)] = nil
  elseif effect.effect == 'problem' and effect.about == 'guardian' then
    if said then
      give(driver, said, { fault = 'unavailable' })
    end
    return true
  end
  return false
end

--- Tells the person of a function of the host that failed.
function M.told(ok, why)
  if not ok then
    vim.schedule_wrap(vim.notify)('elicit: ' .. tostring(why), vim.log.levels.ERROR)
  end
end

--- Returns the function that asks a guardian for the text of a `consult`; nil without `ask`, and then the guardian
--- fails at once. It calls `ask(effect, answer)`. `ask` calls answer('…') with the guardian's text, now or later.
--- It can also call answer({output = '…', principal = '…'}) with the verdict of another person, or
--- answer({fault = '…'}). Only the first call counts. If `ask` throws, the guardian fails at once.
function M.asker(driver, ask)
  return ask and function(text)
    local effect, answered = json.decode(text), false
    effect.text = text
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
    local ok, why = pcall(ask, effect, answer)
    if not ok then
      answer({ fault = 'unavailable' })
      M.told(false, why)
    end
  end or nil
end

return M
