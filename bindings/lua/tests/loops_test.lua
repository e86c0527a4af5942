--- The driver does what every host must do, with each vector of a connection. See internal/hostkit.
local harness = require('harness')
local test, equal, truthy = harness.test, harness.equal, harness.truthy

test('the vectors of connections run through the driver', function()
  if vim.fn.executable('go') == 0 then
    return
  end
  local kit = 'go run ./internal/hostkit -host Neovim bindings/lua/tests/hostkit.sh'
  local said = vim.fn.system({ 'sh', '-c', 'cd ../.. && ' .. kit .. ' 2>&1' })
  equal(vim.v.shell_error, 0, said:sub(-4000))
  local ran = tonumber(said:match('(%d+) of %d+ scripts passed'))
  print('through the loop of LuaJIT: ' .. ran .. '\n')
  truthy(ran > 3000, 'they are all there')
end)
