--- A window to type into, over the value of a field. Text typed into a sensitive field never enters a buffer, a
--- register or an undo history. The buffer holds a dot for each character.
local plain = require('elicit.plain')
local api = vim.api

local Entry = {}
Entry.__index = Entry

local dot = '•'

--- The secret after its line was changed to `line`, with the cursor after `before` characters. Dots are characters that
--- stayed. Other characters were pasted. Missing ones were deleted at the cursor.
function Entry.after_change(secret, line, before)
  local old, now = plain.characters(secret), plain.characters(line)
  local head = 0
  while now[head + 1] == dot do
    head = head + 1
  end
  if head == #now then
    local gone = #old - #now
    if gone <= 0 then
      return secret
    end
    return table.concat(old, '', 1, before) .. table.concat(old, '', before + gone + 1)
  end
  local tail = 0
  while now[#now - tail] == dot do
    tail = tail + 1
  end
  local pasted = table.concat(now, '', head + 1, #now - tail)
  return table.concat(old, '', 1, head) .. pasted .. table.concat(old, '', #old - tail + 1)
end

--- Opens the window and starts insert mode. `options`: win (the window to return to), row and column of the screen,
--- columns, text, secret (true for a sensitive field), lines (the height, for a text of several lines), changed(text),
--- and done(how) with how "next", "back", "stay" or "submit".
function Entry.open(options)
  local self = setmetatable({ options = options, secret = options.secret and options.text }, Entry)
  self.buf = api.nvim_create_buf(false, true)
  local undolevels = options.secret and -1 or 100
  local settings = { bufhidden = 'wipe', swapfile = false, modeline = false, textwidth = 0, undolevels = undolevels }
  for name, value in pairs(settings) do
    vim.bo[self.buf][name] = value
  end
  local dots = options.secret and { dot:rep(#plain.characters(options.text)) }
  local shown = dots or vim.split(options.text, '\n', { plain = true })
  api.nvim_buf_set_lines(self.buf, 0, -1, false, shown)
  self.win = api.nvim_open_win(self.buf, true, {
    relative = 'editor', row = options.row, col = options.column,
    width = options.lines and options.columns or 2, height = options.lines or 1,
    style = 'minimal', border = 'none', zindex = 70,
  })
  vim.wo[self.win].winhighlight = 'Normal:ElicitEntry'
  vim.wo[self.win].wrap = (options.lines or 1) > 1
  vim.bo[self.buf].filetype = 'elicit-entry'
  self.reported = options.text
  self:fit()
  self:keys()
  self:watch()
  vim.cmd('startinsert!')
  return self
end

function Entry:keys()
  local function map(key, how)
    vim.keymap.set('i', key, function()
      self:finish(how)
    end, { buffer = self.buf, nowait = true, silent = true })
  end
  if not self.options.lines then
    map('<CR>', 'next')
  end
  map('<Tab>', 'next')
  map('<S-Tab>', 'back')
  map('<Esc>', 'stay')
  map('<C-c>', 'stay')
  map('<C-s>', 'submit')
end

function Entry:watch()
  self.group = api.nvim_create_augroup('elicit-entry-' .. self.buf, {})
  local function on(events, run)
    api.nvim_create_autocmd(events, { group = self.group, buffer = self.buf, callback = run })
  end
  if self.options.secret then
    on('InsertCharPre', function()
      self:settle()
      local old, before = plain.characters(self.secret), self:before()
      self.secret = table.concat(old, '', 1, before) .. vim.v.char .. table.concat(old, '', before + 1)
      vim.v.char = dot
    end)
  end
  on({ 'TextChangedI', 'TextChangedP', 'TextChanged' }, function()
    self:changed()
  end)
  on({ 'InsertLeave', 'WinLeave' }, function()
    self:finish('stay')
  end)
end

--- The number of characters before the cursor.
function Entry:before()
  local column = api.nvim_win_get_cursor(self.win)[2]
  return #plain.characters(api.nvim_get_current_line():sub(1, column))
end

--- Applies the changes of the line to the secret. Neovim reports several keys in a row as one change.
function Entry:settle()
  local line = table.concat(api.nvim_buf_get_lines(self.buf, 0, -1, false), '')
  self.secret = Entry.after_change(self.secret, line, self:before())
  return line
end

function Entry:changed()
  if self.options.secret then
    local line = self:settle()
    local dots = dot:rep(#plain.characters(self.secret))
    if line ~= dots or api.nvim_buf_line_count(self.buf) > 1 then
      local column = api.nvim_win_get_cursor(self.win)[2]
      local at = #plain.characters(line:sub(1, column))
      api.nvim_buf_set_lines(self.buf, 0, -1, false, { dots })
      api.nvim_win_set_cursor(self.win, { 1, math.min(at * #dot, #dots) })
    end
  end
  self:fit()
  self:report()
end

--- Calls `changed` if the text is not the one that it got last.
function Entry:report()
  local text = self:text()
  if text ~= self.reported then
    self.reported = text
    self.options.changed(text)
  end
end

--- Makes the window as wide as its text and the cursor, so that the text beside the field stays visible.
function Entry:fit()
  if self.options.lines then
    return
  end
  local wanted = vim.fn.strdisplaywidth(api.nvim_get_current_line()) + 2
  api.nvim_win_set_width(self.win, math.max(2, math.min(wanted, self.options.columns)))
  if wanted <= self.options.columns then
    vim.fn.winrestview({ leftcol = 0 })
  end
end

function Entry:text()
  if self.options.secret then
    return self.secret
  end
  local lines = api.nvim_buf_get_lines(self.buf, 0, -1, false)
  return table.concat(lines, self.options.lines and '\n' or ' ')
end

local wrong = api.nvim_create_namespace('elicit-entry')

--- Marks the bytes of the text from `from` to `to`, from 0, as wrong; none without `from`.
function Entry:mark(from, to)
  if self.finished then
    return
  end
  api.nvim_buf_clear_namespace(self.buf, wrong, 0, -1)
  if not from then
    return
  end
  local text = self:text()
  from = math.min(from, math.max(0, #text - 1))
  local function at(byte)
    local before = text:sub(1, byte)
    return select(2, before:gsub('\n', '')), #before:match('[^\n]*$')
  end
  local row, column = at(from)
  local last, stop = at(math.min(math.max(to, from + 1), #text))
  api.nvim_buf_set_extmark(self.buf, wrong, row, column, { end_row = last, end_col = stop, hl_group = 'ElicitWrong' })
end

--- Moves the window with the line below it.
function Entry:move(row, column)
  if not self.finished then
    api.nvim_win_set_config(self.win, { relative = 'editor', row = row, col = column })
  end
end

--- Closes the window and calls `done(how)`. It may be called again.
function Entry:finish(how)
  if self.finished then
    return
  end
  if api.nvim_win_is_valid(self.win) and api.nvim_get_current_win() == self.win then
    if self.options.secret then
      self:settle()
    end
    self:report()
  end
  self.finished = true
  api.nvim_del_augroup_by_id(self.group)
  vim.cmd('stopinsert')
  if api.nvim_win_is_valid(self.options.win) then
    api.nvim_set_current_win(self.options.win)
  end
  if api.nvim_win_is_valid(self.win) then
    api.nvim_win_close(self.win, true)
  end
  self.options.done(how)
end

return Entry
