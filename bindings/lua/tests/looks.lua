--- Records in a file how often the queue looks for a moment to open a question, so that a test can wait for a number of
--- looks. A file also works while Neovim waits for a key and answers no request.
local harness = require('harness')

local M = {}

--- Lua code for the Neovim under test; it must run before the first question. It writes "k" for every key that is
--- typed, and "." for every look of the queue's timer. With `hold` no question opens before the first key.
function M.code(path, hold)
  return ([[
    local uv = vim.uv or vim.loop
    local file = assert(uv.fs_open(%q, 'a', 384))
    local typed = %s
    vim.on_key(function()
      typed = true
      uv.fs_write(file, 'k')
    end)
    local queue = require('elicit.queue')
    local calm, watch = queue.calm, queue.watch
    function queue.calm()
      return typed and calm()
    end
    function queue:watch()
      local wrap = vim.schedule_wrap
      vim.schedule_wrap = function(look)
        local later = wrap(look)
        return function()
          uv.fs_write(file, '.')
          later()
        end
      end
      watch(self)
      vim.schedule_wrap = wrap
    end
  ]]):format(path, hold and 'false' or 'true')
end

--- Waits until the queue has looked `n` times in a row without a key between.
function M.wait(path, n)
  harness.wait(n .. ' looks', function()
    local file = io.open(path)
    local text = file and file:read('*a') or ''
    if file then
      file:close()
    end
    return #text:match('%.*$') >= n
  end, 20000)
end

return M
