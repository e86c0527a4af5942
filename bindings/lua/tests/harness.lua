--- Runs the files named in $ELICIT_TESTS inside a headless Neovim and prints a line for every failure, then the counts.
local M = { passed = 0, failed = 0 }

function M.test(name, run)
  local ok, why = xpcall(run, function(e)
    return tostring(e) .. '\n' .. debug.traceback('', 2):sub(1, 600)
  end)
  if ok then
    M.passed = M.passed + 1
  else
    M.failed = M.failed + 1
    io.stderr:write(('FAIL %s\n%s\n'):format(name, why))
  end
end

function M.equal(got, want, what)
  if not vim.deep_equal(got, want) then
    error(('%s\n got %s\nwant %s'):format(what or 'not equal', vim.inspect(got), vim.inspect(want)), 2)
  end
end

function M.truthy(got, what)
  if not got then
    error(what or 'not true', 2)
  end
  return got
end

--- Lets Neovim's loop run until `done` says so, for at most `most` milliseconds.
function M.wait(what, done, most)
  local found
  vim.wait(most or 5000, function()
    found = done()
    return found
  end, 10)
  return found or error('waited in vain for ' .. what, 2)
end

--- Runs everything that is scheduled so far. Neovim keeps the order.
function M.settle()
  local ran
  vim.schedule(function()
    ran = true
  end)
  M.wait('what is scheduled', function()
    return ran
  end)
end

function M.main(files)
  for _, file in ipairs(files) do
    local loaded, why = pcall(dofile, file)
    if not loaded then
      M.failed = M.failed + 1
      io.stderr:write(('FAIL %s does not load\n%s\n'):format(file, tostring(why)))
    end
  end
  io.stdout:write(('%d passed, %d failed\n'):format(M.passed, M.failed))
  vim.cmd((M.failed > 0 or M.passed == 0) and 'cquit' or 'qall!')
end

return M
