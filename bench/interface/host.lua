-- Runs inside Neovim with the plugin. It reads lines "NAME TIMES THREADS" on descriptor 3 and answers each with
-- nanoseconds on descriptor 4. It reads its documents from the directory in $ELICIT_BENCH.
local library = require('elicit.library')
local uv = vim.uv or vim.loop

local function text(name)
  local file = assert(io.open(vim.env.ELICIT_BENCH .. '/' .. name, 'rb'))
  local all = file:read('*a')
  file:close()
  return all
end

-- Splits a document at a mark, so that inserting text there needs no search.
local function cut(document, mark)
  local from, to = document:find(mark, 1, true)
  return document:sub(1, from - 1), document:sub(to + 1)
end

local answer, check, tick = text('answer'), text('check'), text('tick')
local form, engine = library.form(text('form')), library.open(text('config'))
library.step(engine, text('opened'))
local asked, asked_rest = cut(text('asked'), '"at":0')
local answered, answered_rest = cut(text('answered'), '$1')
answered_rest = cut(answered_rest, '"at":0')
-- The engine's clock started with the system's and never goes back, so the questions have times in the year 2100.
local at = 4102444800000

local calls = {
  check = function()
    assert(library.check(form, answer) == '{"problems":[]}')
  end,
  eval = function()
    assert(#library.eval('check', check) > 300)
  end,
  tick = function()
    library.step(engine, tick)
  end,
  -- Asks and answers once: two steps, from text to text.
  step = function()
    at = at + 20
    local now = ('"at":%.0f'):format(at)
    local shown = library.step(engine, asked .. now .. asked_rest)
    local _, found = shown:find('"id":"', assert(shown:find('"effect":"show"', 1, true)), true)
    local settled = library.step(engine, answered .. shown:sub(found + 1, found + 32) .. answered_rest .. now .. '}')
    assert(settled:find('"effect":"reply"', 1, true))
  end,
}

local out = assert(io.open('/dev/fd/4', 'w'))
for line in io.lines('/dev/fd/3') do
  local name, times = line:match('^(%S+) (%d+)')
  local run, start = calls[name], uv.hrtime()
  for _ = 1, tonumber(times) do
    run()
  end
  out:write(('%.0f\n'):format(uv.hrtime() - start))
  out:flush()
end
vim.cmd('qall!')
