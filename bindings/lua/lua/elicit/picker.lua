--- Lets the person pick one or several choices of a list.
local alike = require('elicit.alike')
local plain = require('elicit.plain')
local options = require('elicit.options')
local api = vim.api

local M = {}

--- Whether a plugin has replaced vim.ui.select. Neovim's own one stops the event loop until the person types a number,
--- and with it deadlines and withdrawals.
local function replaced()
  local source = debug.getinfo(vim.ui.select, 'S').source
  return not source:find('vim/ui.lua', 1, true)
end

--- Lets the person pick one of the choices `items`. `picked(choice)` is called once, or never.
function M.one(items, prompt, near, picked)
  local kind = options.current.picker
  if kind == 'select' or kind == 'auto' and replaced() then
    local labels, places = alike.labels(items), {}
    for i, choice in ipairs(items) do
      places[choice] = i
    end
    local function label(choice)
      return labels[places[choice]]
    end
    vim.ui.select(items, { prompt = plain.line(prompt), kind = 'elicit', format_item = label }, function(choice)
      if choice then
        picked(choice)
      end
    end)
    return nil
  end
  return M.list(items, near, { picked = picked })
end

--- Opens a list beside the field. `how.picked(choice)` gets the choice. With `how.chosen`, a set of texts, the person
--- can pick several, and `how.changed()` is called at every change.
function M.list(items, near, how)
  local several = how.chosen ~= nil
  local labels = alike.labels(items)
  local function line(i)
    return (several and (how.chosen[items[i].text] and '[x] ' or '[ ] ') or ' ') .. labels[i] .. ' '
  end
  local widest, lines = 10, {}
  for i in ipairs(items) do
    lines[i] = line(i)
    widest = math.max(widest, vim.fn.strdisplaywidth(lines[i]))
  end
  local columns, rows = math.min(widest, math.max(10, vim.o.columns - near.column - 6)), 0
  for _, text in ipairs(lines) do
    rows = rows + math.ceil(vim.fn.strdisplaywidth(text) / columns)
  end
  local buf = api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local below = math.max(3, vim.o.lines - near.row - 4)
  local win = api.nvim_open_win(buf, true, {
    relative = 'editor', row = near.row + 1, col = math.max(0, near.column - 2),
    width = columns, height = math.min(rows, below, 12),
    style = 'minimal', border = 'rounded', zindex = 70,
  })
  vim.wo[win].cursorline = true
  vim.wo[win].wrap = true -- the person must be able to read a whole label
  vim.wo[win].breakindent = true
  vim.wo[win].breakindentopt = 'shift:4'
  vim.wo[win].winhighlight = 'Normal:ElicitWindow,FloatBorder:ElicitBorder'
  vim.bo[buf].modifiable = false
  local picker = {}
  function picker.close()
    if api.nvim_win_is_valid(win) then
      local here = api.nvim_get_current_win() == win
      api.nvim_win_close(win, true)
      if here and api.nvim_win_is_valid(near.win) then
        api.nvim_set_current_win(near.win)
      end
    end
  end
  local function current()
    return items[api.nvim_win_get_cursor(win)[1]]
  end
  local function toggle()
    local choice = current()
    how.chosen[choice.text] = not how.chosen[choice.text] or nil
    vim.bo[buf].modifiable = true
    local row = api.nvim_win_get_cursor(win)[1]
    api.nvim_buf_set_lines(buf, row - 1, row, false, { line(row) })
    vim.bo[buf].modifiable = false
    how.changed()
  end
  local function map(keys, run)
    for _, key in ipairs(keys) do
      vim.keymap.set('n', key, run, { buffer = buf, nowait = true, silent = true })
    end
  end
  map({ '<Esc>', 'q' }, picker.close)
  map({ '<CR>' }, function()
    local choice = current()
    picker.close()
    if not several then
      how.picked(choice)
    end
  end)
  map({ '<Space>', 'x' }, several and toggle or function() end)
  api.nvim_create_autocmd('WinLeave', { buffer = buf, once = true, callback = function()
    vim.schedule(picker.close)
  end })
  if how.at then
    api.nvim_win_set_cursor(win, { how.at, 0 })
  end
  return picker
end

return M
