--- A floating window for the lines and marks of elicit.view.
local plain = require('elicit.plain')

local Window = {}
Window.__index = Window

local space = vim.api.nvim_create_namespace('elicit')
local api = vim.api

--- The place of a window with so many rows. A window that is open already neither moves nor shrinks while it fits, so
--- that text does not move while the person reads it.
local function geometry(columns, rows, last)
  local free = vim.o.lines - vim.o.cmdheight
  local stays = last and last.width == columns and last.free == free
  local height = math.max(1, math.min(math.max(rows, stays and last.height or 0), free - 4))
  local middle = math.max(0, math.floor((free - height) / 2) - 1)
  local row = stays and math.min(last.row, math.max(0, free - height - 2)) or middle
  local col = math.max(0, math.floor((vim.o.columns - columns) / 2) - 1)
  return { row = row, col = col, width = columns, height = height, free = free }
end

local function config(shape)
  return { relative = 'editor', row = shape.row, col = shape.col, width = shape.width, height = shape.height }
end

--- The columns of a window on this screen.
function Window.columns()
  return math.max(24, math.min(vim.o.columns - 4, 100))
end

--- Opens a window. `options`: filetype, focus, and closed(), which is called if something else closes the window.
function Window.open(view, options)
  local self = setmetatable({ before = api.nvim_get_current_win() }, Window)
  self.buf = api.nvim_create_buf(false, true)
  for name, value in pairs({ bufhidden = 'wipe', swapfile = false, undolevels = -1, modeline = false }) do
    vim.bo[self.buf][name] = value
  end
  self.shape = geometry(view.columns, #view.lines)
  local shape = vim.tbl_extend('force', config(self.shape), { style = 'minimal', border = 'rounded', zindex = 60 })
  -- Autocommands of other plugins see the window only with all of its settings.
  self.win = api.nvim_open_win(self.buf, options.focus, shape)
  local settings = {
    wrap = false,
    cursorline = false,
    spell = false,
    winhighlight = 'Normal:ElicitWindow,FloatBorder:ElicitBorder',
    foldenable = false,
    scrolloff = 1,
  }
  for name, value in pairs(settings) do
    vim.wo[self.win][name] = value
  end
  self:draw(view)
  vim.bo[self.buf].filetype = options.filetype
  vim.bo[self.buf].syntax = ''
  self.group = api.nvim_create_augroup('elicit-' .. self.buf, {})
  api.nvim_create_autocmd('WinClosed', {
    group = self.group,
    pattern = tostring(self.win),
    callback = function()
      if not self.closing then
        self.closing = true
        vim.schedule(function()
          self:end_hint()
          options.closed()
        end)
      end
    end,
  })
  return self
end

function Window:draw(view)
  if not self:is_open() then
    return
  end
  vim.bo[self.buf].modifiable = true
  api.nvim_buf_set_lines(self.buf, 0, -1, false, view.lines)
  vim.bo[self.buf].modifiable = false
  vim.bo[self.buf].modified = false
  api.nvim_buf_clear_namespace(self.buf, space, 0, -1)
  for _, mark in ipairs(view.marks) do
    if mark.to > mark.from then
      api.nvim_buf_set_extmark(self.buf, space, mark.row, mark.from, { end_col = mark.to, hl_group = mark.group })
    end
  end
  self.shape = geometry(view.columns, #view.lines, self.shape)
  api.nvim_win_set_config(self.win, config(self.shape))
end

--- The first and the last row that are on the screen.
function Window:visible()
  return unpack(api.nvim_win_call(self.win, function()
    return { vim.fn.line('w0') - 1, vim.fn.line('w$') - 1 }
  end))
end

--- Says something on the lower border of the window, where it stays while the text moves; nothing for "".
function Window:hint(text, group)
  text = text ~= '' and ' ' .. plain.cut(text, self.shape.width - 4) .. ' ' or text
  if text == '' or not self:is_open() then
    return self:end_hint()
  end
  local place = {
    relative = 'editor', row = self.shape.row + self.shape.height + 1, col = self.shape.col + 2,
    width = vim.fn.strdisplaywidth(text), height = 1, focusable = false, zindex = 61, style = 'minimal',
  }
  if not self.below or not api.nvim_win_is_valid(self.below) then
    local buf = api.nvim_create_buf(false, true)
    vim.bo[buf].bufhidden = 'wipe'
    self.below = api.nvim_open_win(buf, false, vim.tbl_extend('error', place, { border = 'none', noautocmd = true }))
  else
    api.nvim_win_set_config(self.below, place)
  end
  vim.wo[self.below].winhighlight = 'Normal:' .. group
  api.nvim_buf_set_lines(api.nvim_win_get_buf(self.below), 0, -1, false, { text })
end

function Window:end_hint()
  if self.below and api.nvim_win_is_valid(self.below) then
    api.nvim_win_close(self.below, true)
  end
  self.below = nil
end

--- The position on the screen of a position in the text, both from 0. Neovim's own function for this ignores the border
--- in version 0.7.
function Window:screen(row, column)
  local top = api.nvim_win_call(self.win, function()
    return vim.fn.line('w0') - 1
  end)
  return self.shape.row + 1 + row - top, self.shape.col + 1 + column
end

function Window:is_open()
  return not self.closing and api.nvim_win_is_valid(self.win)
end

function Window:is_current()
  return self:is_open() and api.nvim_get_current_win() == self.win
end

function Window:focus()
  if self:is_open() then
    api.nvim_set_current_win(self.win)
  end
end

function Window:row()
  return api.nvim_win_get_cursor(self.win)[1] - 1
end

function Window:go(row, column)
  if self:is_open() then
    pcall(api.nvim_win_set_cursor, self.win, { row + 1, column or 0 })
  end
end

--- Maps a key, or each key of a list, in normal mode.
function Window:map(keys, run, about)
  for _, key in ipairs(type(keys) == 'table' and keys or { keys }) do
    vim.keymap.set('n', key, run, { buffer = self.buf, nowait = true, silent = true, desc = about })
  end
end

function Window:on(event, run)
  api.nvim_create_autocmd(event, { group = self.group, buffer = self.buf, callback = run })
end

--- Closes the window. If it was current, it returns to the window where the person was before.
function Window:close()
  if self.closing then
    return
  end
  local here = self:is_current()
  self.closing = true
  self:end_hint()
  pcall(api.nvim_del_augroup_by_id, self.group)
  if api.nvim_win_is_valid(self.win) then
    api.nvim_win_close(self.win, true)
  end
  if here and api.nvim_win_is_valid(self.before) then
    api.nvim_set_current_win(self.before)
  end
end

return Window
