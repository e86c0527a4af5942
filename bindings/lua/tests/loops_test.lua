--- The vectors of connections through the driver, byte for byte: as they are, with a journal that fails, and with a
--- wall clock that is set while timers end. `internal/loops` describes the scripts.
local harness = require('harness')
local test, equal, truthy = harness.test, harness.equal, harness.truthy
local Driver = require('elicit.drive')
local json = require('elicit.json')

local top = vim.fn.fnamemodify(vim.fn.getcwd(), ':h:h')

--- The scripts, or nil without Go, which writes them.
local function scripts()
  local path = vim.fn.tempname()
  if vim.fn.executable('go') == 0 then
    return nil
  end
  local said = vim.fn.system({ 'sh', '-c', 'cd "$1" && go run ./internal/loops/write "$2"', 'sh', top, path })
  equal(vim.v.shell_error, 0, said)
  return io.lines(path)
end

local zeros = ('\0'):rep(32)

--- Runs one script, and returns a sentence about the first step that is performed otherwise.
local function run(script)
  local step, items, keeps, driver = script.steps[1], {}, script.keeps, nil
  local function perform(effect)
    items[#items + 1] = effect.text
  end
  local options = {
    times = function()
      return step.at, step.elapsed >= 0 and step.elapsed or nil
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
  local set_timer, waits = Driver.set_timer, nil
  Driver.set_timer = function(_, wait) -- the script says when a timer ends
    waits = wait
  end
  local ok, wrong = pcall(function()
    for at, one in ipairs(script.steps) do
      step, items = one, {}
      local input = one.hex and one.hex:gsub('..', function(byte)
        return string.char(tonumber(byte, 16))
      end) or one.input
      if one.kind == 'open' then
        driver = Driver.new(script.relay, options)
      elseif one.kind == 'pass' then
        driver:turn()
      elseif one.kind == 'event' then
        driver:take('step', input)
      else
        driver:receive(one.kind, input or '')
      end
      local want = vim.tbl_filter(function(item) -- a problem of a guardian is for the driver
        return not item:find('^{"effect":"problem","about":"guardian"')
      end, one.want)
      if waits ~= one.wait or not vim.deep_equal(items, want) then
        return ('%s, step %d: wait %d, want %d\n got %s\nwant %s'):format(script.name, at, waits, one.wait,
          table.concat(items, '\n     '), table.concat(want, '\n     '))
      end
    end
  end)
  Driver.set_timer = set_timer
  driver.timer:close()
  driver.machine:close()
  return not ok and script.name .. ': ' .. tostring(wrong) or wrong
end

test('the vectors of connections run through the driver', function()
  local ran, notify = 0, vim.notify
  vim.notify = function() end -- each failing journal says so
  for line in scripts() or function() end do
    local wrong = run(json.decode(line))
    truthy(not wrong, wrong)
    ran = ran + 1
  end
  vim.notify = notify
  print('vectors through the loop of LuaJIT: ' .. ran .. '\n')
  truthy(ran > 3000 or vim.fn.executable('go') == 0, 'they are all there')
end)
