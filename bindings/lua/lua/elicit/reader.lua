--- A window for reading: the log, the waiting questions, or the output of a tool.
local options = require('elicit.options')
local api = vim.api
local space = api.nvim_create_namespace('elicit-reader')

local M = {}

--- Shows {lines, marks} in a split. `keys` maps keys to functions that get the number of the line under the cursor.
function M.open(name, view, keys)
  options.highlights()
  local old = vim.fn.bufnr(('^%s$'):format(name))
  if old ~= -1 then
    api.nvim_buf_delete(old, { force = true })
  end
  vim.cmd('botright new')
  local buf = api.nvim_get_current_buf()
  local settings = { buftype = 'nofile', bufhidden = 'wipe', swapfile = false, undolevels = -1, modeline = false }
  for option, value in pairs(settings) do
    vim.bo[buf][option] = value
  end
  api.nvim_buf_set_name(buf, name)
  api.nvim_buf_set_lines(buf, 0, -1, false, view.lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = 'elicit-reader'
  for _, mark in ipairs(view.marks or {}) do
    api.nvim_buf_set_extmark(buf, space, mark.row, mark.from, { end_col = mark.to, hl_group = mark.group })
  end
  vim.wo.wrap, vim.wo.linebreak, vim.wo.breakindent = true, true, true
  local rows = 0
  for _, line in ipairs(view.lines) do
    rows = rows + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / vim.o.columns))
  end
  api.nvim_win_set_height(0, math.max(3, math.min(rows + 1, math.floor(vim.o.lines / 2))))
  local function map(key, run)
    vim.keymap.set('n', key, run, { buffer = buf, nowait = true, silent = true })
  end
  map('q', '<Cmd>close<CR>')
  for key, run in pairs(keys or {}) do
    map(key, function()
      run(api.nvim_win_get_cursor(0)[1])
    end)
  end
  return buf
end

return M
