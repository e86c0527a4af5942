--- Types into a field of a form, in a window over its value.
local Entry = require('elicit.entry')
local document = require('elicit.document')
local view = require('elicit.view')

local M = {}

--- The place on the screen to type in. A document is typed below its label.
function M.place(form)
  if document.is(form:field(), form.question.fields) then
    return form.window:screen(form:row_of(form.place) + 1, 5)
  end
  return form.window:screen(form:row_of(form.place), form.drawn.value_from)
end

--- Marks in the text that is typed where a document is wrong.
local function point_out(form, field, text)
  if form.entry and document.is(field, form.question.fields) then
    local problem = document.problem(text)
    form.entry:mark(problem and problem.from, problem and problem.to)
  end
end

--- Opens a window to type into, over the field's value.
function M.open(form, field)
  local typed = form.question.typed[field.name]
  local text = typed or field.initial_text or (field.initial ~= nil and tostring(field.initial)) or ''
  local is_document = document.is(field, form.question.fields)
  local row, column = M.place(form)
  local many = is_document or field.widget == 'multiline' or text:find('\n') ~= nil
  form.entry = Entry.open({
    win = form.window.win,
    row = row,
    column = column,
    columns = is_document and form.drawn.columns - 6 or form.drawn.value_columns,
    lines = is_document and view.document_rows or many and 5 or nil,
    text = text,
    secret = field.sensitive,
    changed = function(now)
      form:set(field, now)
      point_out(form, field, now)
    end,
    done = function(how)
      form.entry = nil
      if form.ended then
        return
      end
      form.question.touched[field.name] = true
      form:check()
      if how == 'next' or how == 'back' then
        form:go(form.place + (how == 'next' and 1 or -1))
      else
        form:go(form.place)
      end
      if how == 'submit' then
        form:submit()
      end
    end,
  })
  form:redraw()
  point_out(form, field, text)
end

return M
