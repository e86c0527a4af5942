--- The parts of a message that were on the screen. A yes needs all of it: a diff that is folded, or a text below the
--- window, is not agreed to.
local options = require('elicit.options')

local M = {}

local function counted(n, one, many)
  return n == 1 and '1 ' .. one or n .. ' ' .. many
end

--- The number of folds with unread lines that are closed, and the first row that must be on the screen and was not.
local function unread(sheet)
  local closed, row, seen = 0, nil, sheet.question.seen
  for key, need in ipairs(sheet.drawn.needs) do
    if not seen[key] then
      row = need.row
      break
    end
  end
  for _, fold in ipairs(sheet.drawn.folds) do
    for key = fold.from, fold.open and 0 or fold.to do
      if not seen[key] then
        closed = closed + 1
        break
      end
    end
  end
  return closed, row
end

--- Notes what is on the screen, and says below the window what is not.
function M.look(sheet)
  if sheet.ended or not sheet.window:is_open() then
    return
  end
  local top, bottom = sheet.window:visible()
  for key, need in ipairs(sheet.drawn.needs) do
    if not need.closed and need.row >= top and need.row <= bottom then
      sheet.question.seen[key] = true
    end
  end
  local closed, row = unread(sheet)
  sheet.hurried = sheet.hurried and row ~= nil
  local more = #sheet.drawn.lines - 1 - bottom
  local said = { hurried = sheet.hurried, closed = closed, skipped = row and row < top, more = more }
  local group = sheet.hurried and 'ElicitProblem' or row and 'ElicitMedium' or 'ElicitQuiet'
  sheet.window:hint(M.hint(said, sheet.window.shape.width - 4), group)
end

--- The text on the border. `said`: hurried (a yes came too early), skipped (unread lines are above the window),
--- closed (the number of folds that were not opened), more (the lines below).
function M.hint(said, columns)
  local k, long, brief = options.current.keys, {}, {}
  local closed, more = said.closed, said.more
  if said.hurried then
    long[1], brief[1] = 'Read it all first', 'Unread'
  end
  if said.skipped then
    long[#long + 1], brief[#brief + 1] = '↑ skipped lines', '↑'
  end
  if closed > 0 then
    local folds = counted(closed, 'fold', 'folds')
    long[#long + 1] = ('%s: %s opens, %s all'):format(folds, k.fold, k.unfold)
    brief[#brief + 1] = ('%s (%s, %s)'):format(folds, k.fold, k.unfold)
  end
  if more > 0 then
    long[#long + 1], brief[#brief + 1] = '↓ ' .. counted(more, 'more line', 'more lines'), '↓ ' .. more
  end
  local text = table.concat(long, ' · ')
  return vim.fn.strdisplaywidth(text) <= columns and text or table.concat(brief, ' · ')
end

--- Whether all of the message was on the screen. If not, it goes a page on, or to the first closed fold.
function M.is_read(sheet)
  M.look(sheet)
  local _, row = unread(sheet)
  if not row then
    return true
  end
  sheet.hurried = true
  local _, bottom = sheet.window:visible()
  sheet.window:go(math.min(row, bottom))
  if row > bottom then
    vim.cmd('normal! zt')
  end
  M.look(sheet)
  return false
end

--- Opens or closes the fold at the cursor, or else the next one.
local function toggle(sheet)
  local row, found = sheet.window:row(), nil
  for _, fold in ipairs(sheet.drawn.folds) do
    local at_it = row >= fold.row and row <= fold.last
    if at_it or not fold.open and (fold.row > row or not found) then
      found = fold
      if at_it or fold.row > row then
        break
      end
    end
  end
  if found then
    sheet.question.unfolded[found.key] = not found.open
    sheet:redraw()
    sheet.window:go(found.row)
    M.look(sheet)
  end
end

local function open_all(sheet)
  for _, fold in ipairs(sheet.drawn.folds) do
    sheet.question.unfolded[fold.key] = true
  end
  sheet:redraw()
end

--- Maps the keys of folds, and looks whenever another part of the message comes on the screen.
function M.begin(sheet)
  local k = options.current.keys
  if #sheet.drawn.folds > 0 then
    sheet:map(k.fold, function()
      toggle(sheet)
    end, 'open or close a fold')
    sheet:map(k.unfold, function()
      open_all(sheet)
    end, 'open all folds')
  end
  sheet.window:on({ 'CursorMoved', 'WinScrolled' }, function()
    M.look(sheet)
  end)
  M.look(sheet)
end

return M
