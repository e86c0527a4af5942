--- Draws the message of a question: texts, commands, diffs that fold, and tables of permissions. All of it is text of
--- the peer.
local parts = require('elicit.parts')
local plain = require('elicit.plain')

local M = {}
local width = vim.fn.strdisplaywidth

--- Draws one line of the message. The person must have had its last row on the screen.
local function need(out, show, ...)
  show(out, ...)
  out.needs[#out.needs + 1] = { row = #out.lines - 1 }
end

local function codes(out, lines, group)
  for _, line in ipairs(lines) do
    need(out, out.code, line, group)
  end
end

local signs = { ['+'] = 'ElicitAdded', ['-'] = 'ElicitRemoved', ['@'] = 'ElicitHunk', ['\\'] = 'ElicitHunk' }

--- Adds a line of ours for a fold, and keeps its row.
local function fold_line(out, block, key, is_open)
  local many = #block.body == 1 and '1 line' or #block.body .. ' lines'
  local text = ('%s %s, +%d −%d'):format(is_open and '▾' or '▸', many, block.added, block.removed)
  out.folds[#out.folds + 1] = { key = key, row = #out.lines, open = is_open }
  out:line({ text, 'ElicitFold' })
end

local draw = {}

function draw.text(out, part)
  for _, line in ipairs(part.lines) do
    need(out, out.peer, line)
  end
end

function draw.command(out, part)
  codes(out, part.lines, 'ElicitCommand')
end

function draw.directory(out, part)
  codes(out, part.lines, 'ElicitDirectory')
end

--- Draws the lines of a block, or the fold in their place. Their needs keep their places when the fold opens.
local function body(out, block, is_open)
  for _, line in ipairs(block.body) do
    if is_open then
      need(out, out.code, line, signs[line:sub(1, 1)])
    else
      out.needs[#out.needs + 1] = { row = #out.lines - 1, closed = true }
    end
  end
end

function draw.diff(out, part, question)
  part.blocks = part.blocks or parts.blocks(part.lines)
  for _, block in ipairs(part.blocks) do
    for _, line in ipairs(block.head) do
      need(out, out.code, line, vim.startswith(line, '@@') and 'ElicitHunk' or 'ElicitFile')
    end
    local key = #out.needs
    local is_open = not block.fold or question.unfolded[key] == true
    if block.fold then
      fold_line(out, block, key, is_open)
    end
    body(out, block, is_open)
    if block.fold then
      local fold = out.folds[#out.folds]
      fold.last, fold.from, fold.to = #out.lines - 1, key + 1, key + #block.body
    end
  end
end

--- The access and the place of a line, such as "read /etc" or "Network: every host".
local function permission(line)
  local access, place = line:match('^(%S+) (.+)$')
  return (access or ''):gsub(':$', ''), place or line
end

function draw.access(out, part)
  local rows, columns = {}, 6
  for _, line in ipairs(part.lines) do
    local access, place = permission(line)
    rows[#rows + 1] = { plain.line(access), plain.line(place) }
    columns = math.max(columns, width(rows[#rows][1]))
  end
  columns = math.min(columns, math.max(6, math.floor(out.columns / 3)))
  out:line('  ', { 'access' .. (' '):rep(columns - 6) .. ' │ place', 'ElicitQuiet' })
  for _, row in ipairs(rows) do
    local access = plain.hard(row[1], columns)
    local place = plain.hard(row[2], out.columns - 7 - columns)
    for i = 1, math.max(#access, #place) do
      local left = access[i] or ''
      out:line({ '▌', 'ElicitServer' }, { i == 1 and ' ' or '↪', 'ElicitQuiet' }, { left, 'ElicitAccess' },
        (' '):rep(columns - width(left)), { ' │ ', 'ElicitQuiet' }, place[i] or '')
    end
    out.needs[#out.needs + 1] = { row = #out.lines - 1 }
  end
end

--- Draws what the server says of the tool whose call waits for the answer.
function M.tool(out, show)
  local marks = {}
  for _, name in ipairs({ 'read_only', 'destructive', 'idempotent', 'open_world' }) do
    local said = (show.annotations or {})[name]
    if said ~= nil then
      marks[#marks + 1] = name:gsub('_', ' ') .. ': ' .. (said and 'yes' or 'no')
    end
  end
  if show.description or #marks > 0 then
    out:line()
    out:text('The server says of the tool:', 'ElicitQuiet')
    out:peer(vim.trim(show.description or ''), 'ElicitQuiet')
    out:peer(table.concat(marks, ', '), 'ElicitQuiet')
  end
end

--- The texts around a change that are shown with it, in bytes.
local near = 40

--- A text that did not change, shortened in its middle. `first` and `last` say that no change is before or after it.
local function shortened(text, first, last)
  local characters = plain.characters(text)
  local before, after = first and 0 or near, last and 0 or near
  if #characters <= before + after + 20 then
    return text
  end
  local from, to = table.concat(characters, '', 1, before), table.concat(characters, '', #characters - after + 1)
  return from .. ' … ' .. to
end

--- The signs around new and gone text: the first ones that no text has in it, so that a peer's words cannot pass for a
--- mark.
local signs_of_changes = { { '[+', '+]', '[-', '-]' }, { '{+', '+}', '{-', '-}' }, { '<<+', '+>>', '<<-', '->>' } }

local function signs_for(list)
  local all = {}
  for i, one in ipairs(list) do
    all[i] = one.text
  end
  local text = table.concat(all, '\n')
  for _, marks in ipairs(signs_of_changes) do
    local is_free = true
    for _, mark in ipairs(marks) do
      is_free = is_free and not text:find(mark, 1, true)
    end
    if is_free then
      return marks
    end
  end
  return signs_of_changes[#signs_of_changes]
end

--- Draws what changed since the person last accepted this: a list of {is, text}.
local function changes(out, list)
  local pieces, is_changed, marks = {}, false, signs_for(list)
  for i, one in ipairs(list) do
    if one.is == 'new' then
      pieces[i] = { marks[1] .. one.text .. marks[2], 'ElicitNew' }
    elseif one.is == 'gone' then
      pieces[i] = { marks[3] .. one.text .. marks[4], 'ElicitGone' }
    else
      pieces[i] = { shortened(one.text, i == 1, i == #list) }
    end
    is_changed = is_changed or one.is ~= 'same'
  end
  if not is_changed then
    return
  end
  out:line()
  out:text('Changed since you last said yes:', 'ElicitMedium')
  out:pieces(pieces)
end

--- Draws the message. `out.folds` gets the rows of the folds. `out.needs` gets, for each line of the message, the row
--- that a person must have had on the screen before a yes. A line in a closed fold has none.
function M.draw(out, question)
  local show = question.show
  out.folds, out.needs = {}, {}
  question.parts = question.parts or parts.of(show)
  for i, part in ipairs(question.parts) do
    local before = question.parts[i - 1]
    local beside = part.is == 'directory' and before and before.is == 'command'
    if before and not beside then
      out:line({ '▌', 'ElicitServer' })
    end
    (draw[part.is] or draw.text)(out, part, question)
  end
  changes(out, show.changed or {})
end

return M
