--- The text that a person writes beside the fields of a question: a note to whoever asked, and other arguments for the
--- call that waits for the answer.
local Entry = require('elicit.entry')
local Window = require('elicit.window')
local json = require('elicit.json')
local options = require('elicit.options')
local plain = require('elicit.plain')

local M = {}

local function takes_note(question)
  return question:takes('decline_note', 'accept_note')
end

local function takes_edit(question)
  return question:takes('edit') and question.show.arguments ~= nil
end

--- The keys for the footer.
function M.keys(k, question)
  local list = {}
  if takes_note(question) then
    list[1] = { k.note, question:takes('accept_note') and 'note' or 'note, read if you decline' }
  end
  if takes_edit(question) then
    list[#list + 1] = { k.arguments, 'edit the arguments' }
  end
  return list
end

--- Draws what was written, and returns whether there is anything.
function M.draw(out, question)
  local written = question.beside
  if written.note then
    out:text('Your note: ' .. plain.line(written.note), 'ElicitValue')
  end
  if written.arguments then
    out:text('Edited arguments: ' .. plain.line(written.arguments), 'ElicitValue')
  end
  return next(written) ~= nil
end

--- Maps the keys in the window of a form.
function M.map(form)
  local k = options.current.keys
  local function map(key, part, about)
    form:map(key, function()
      M.write(form, part)
    end, about)
  end
  if takes_note(form.question) then
    map(k.note, 'note', 'write a note')
  end
  if takes_edit(form.question) then
    map(k.arguments, 'arguments', 'edit the arguments of the call')
  end
end

--- Opens a window to write into, over the message.
function M.write(form, part)
  local question = form.question
  local written = question.beside
  local original = part == 'arguments' and M.spread(json.member(question.show.text, 'arguments')) or ''
  local row, column = form.window:screen(0, 2)
  form.entry = Entry.open({
    win = form.window.win,
    row = row,
    column = column,
    columns = math.max(20, Window.columns() - 4),
    lines = part == 'note' and 4 or 10,
    text = written[part] or original,
    changed = function(now)
      written[part] = now ~= original and now or nil
      question:note('first_input')
    end,
    done = function()
      form.entry = nil
      if not form.ended then
        form.notice = part == 'arguments' and question:misread() or nil
        form:check()
      end
    end,
  })
  form.entry.beside = true
  form:redraw()
end

--- JSON text over several lines. Numbers keep their spelling.
function M.spread(text)
  local out, indent, at = {}, '', 1
  while at <= #text do
    local c, stop = text:sub(at, at), at
    if c == '"' then
      repeat
        stop = text:find('["\\]', stop + 1)
        local is_escape = text:sub(stop, stop) == '\\'
        stop = is_escape and stop + 1 or stop
      until not is_escape
      c = text:sub(at, stop)
    elseif c == '{' or c == '[' then
      local close = text:match('^%s*([%]}])', at + 1)
      if close then
        c, stop = c .. close, text:find(close, at + 1, true)
      else
        indent = indent .. '  '
        c = c .. '\n' .. indent
      end
    elseif c == '}' or c == ']' then
      indent = indent:sub(3)
      c = '\n' .. indent .. c
    elseif c == ',' then
      c = ',\n' .. indent
    elseif c == ':' then
      c = ': '
    elseif c:find('%s') then
      c = ''
    end
    out[#out + 1] = c
    at = stop + 1
  end
  return table.concat(out)
end

return M
