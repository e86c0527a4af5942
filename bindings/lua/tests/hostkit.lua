--- Runs scripts of internal/hostkit through the driver, in a headless Neovim. internal/hostscript/host.go says what it
--- reads and writes.
local Driver = require('elicit.drive')

local zeros = ('\0'):rep(32)
local items, keeps, at, elapsed, waits, driver

local function perform(effect)
  items[#items + 1] = effect.text
end

local options = {
  times = function()
    return at, elapsed >= 0 and elapsed or nil
  end,
  random = function()
    return zeros
  end,
  journal = function(record)
    if keeps == 0 then
      error('disk full', 0)
    end
    keeps = keeps - 1
    items[#items + 1] = record and 'append ' .. record or 'new_journal'
  end,
  send = function(to, message)
    items[#items + 1] = to .. ' ' .. message
  end,
  consult = perform,
  host = setmetatable({}, { __index = function()
    return perform
  end }),
}

function Driver.set_timer(_, wait) -- the script says when a timer ends
  waits = wait
end
vim.notify = function() end -- each failing journal says so

for line in io.lines() do
  local kind = line:match('^%a+')
  local numbers = vim.tbl_map(tonumber, vim.split(line:sub(#kind + 2), ' '))
  local input = numbers[#numbers] > 0 and io.read(numbers[#numbers]) or ''
  items, at, elapsed = {}, numbers[#numbers - 2], numbers[#numbers - 1]
  if kind == 'close' then
    driver.timer:close()
    driver.machine:close()
  else
    if kind == 'open' or kind == 'alone' then
      keeps = numbers[1]
      options.consult = kind == 'open' and perform or nil
      driver = Driver.new(input:match('"relay":(.*)}$'), options)
    elseif kind == 'pass' then
      driver:turn()
    elseif kind == 'event' then
      driver:take('step', input)
    else
      driver:receive(kind, input)
    end
    for _, item in ipairs(items) do
      io.write(#item, '\n', item, '\n')
    end
    io.write('wait ', waits, '\n')
    io.flush()
  end
end
