--- A host of today reads what a later version writes: unknown effects and members change nothing of what it knows.
local harness = require('harness')
local json = require('elicit.json')
local library = require('elicit.library')
local Engine = require('elicit.engine')

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local steps = table.concat(vim.fn.readfile(here .. '/../../../testdata/later.json'))

--- The members of a value that another value has too, without the exact text that the binding adds.
local function known(value, of)
  if type(value) ~= 'table' or type(of) ~= 'table' then
    return value
  end
  local out = {}
  for name, one in pairs(of) do
    if name ~= 'text' then
      out[name] = known(value[name], one)
    end
  end
  return out
end

harness.test('effects and members of a later version change nothing of what is known', function()
  local step, output, count = library.step, nil, 0
  library.step = function()
    return output
  end
  for text in json.items(steps) do
    local case = json.decode(text)
    local function read(of)
      output = of
      return Engine.step({}, { event = 'ticked' })
    end
    local want, names, got = read(case.plain), {}, {}
    for _, effect in ipairs(want) do
      names[effect.effect] = true
    end
    for _, effect in ipairs(read(case.later)) do
      got[#got + 1] = names[effect.effect] and effect or nil
    end
    harness.equal(#got, #want, case.later)
    harness.equal(known(got, want), known(want, want), case.later)
    count = count + 1
  end
  library.step = step
  harness.truthy(count > 50, 'no steps')
end)
