--- The window of a form: one line for each field. The engine checks the values at every change.
local Sheet = require('elicit.sheet')
local Window = require('elicit.window')
local beside = require('elicit.beside')
local options = require('elicit.options')
local picker = require('elicit.picker')
local plain = require('elicit.plain')
local reading = require('elicit.reading')
local typing = require('elicit.typing')
local view = require('elicit.view')

local Form = setmetatable({}, { __index = Sheet })
Form.__index = Form

local space = vim.api.nvim_create_namespace('elicit-problems')

function Form.open(question, queue, asked_for)
  question.touched = question.touched or {}
  local self = Sheet.begin(Form, question, queue, asked_for)
  self.place = math.max(1, math.min(question.place or 1, #question.fields))
  if question.place or self:row_of(self.place) + 1 < self.window.shape.height then
    self:go(self.place)
  end
  self:check()
  return self
end

function Form:view()
  local problems = {}
  for name, problem in pairs(self.problems or {}) do
    if self:shows_problem(name) then
      problems[name] = problem
    end
  end
  local more = { current = self.place or 1, problems = problems, editing = self.entry ~= nil }
  local state = vim.tbl_extend('error', self:state(), more)
  self.drawn = view.form(self.question, state)
  return self.drawn
end

function Form:redraw()
  Sheet.redraw(self)
  if self.entry and not self.entry.beside and self.window:is_open() then
    self.entry:move(typing.place(self))
  end
end

--- Whether to show a field's problem. It stays hidden until the person has touched the field or tried to submit.
function Form:shows_problem(name)
  local refused = self.question.refused
  return self.tried or name == '' or self.question.touched[name] or refused and refused[name]
end

function Form:row_of(place)
  for row, at in pairs(self.drawn.rows) do
    if at == place then
      return row
    end
  end
  return 0
end

function Form:field()
  return self.question.fields[self.place or 1]
end

--- Moves to a field. A position outside the fields counts as the first or the last one.
function Form:go(place)
  self.place = math.max(1, math.min(place, #self.question.fields))
  self:redraw()
  self.window:go(self:row_of(self.place), self.drawn.value_from)
end

--- Whether the cursor is in a message that does not fit the window.
function Form:in_message()
  local fits = #self.drawn.lines <= self.window.shape.height
  return not self:field() or not fits and self.window:row() < self:row_of(1)
end

--- Goes to the next field or the one before. In a long message, and above the first field, it goes by lines.
function Form:step(step)
  local _, bottom = self.window:visible()
  local is_reading = self:in_message()
  if self:field() and is_reading and step == 1 and self:row_of(1) <= bottom then
    return self:go(1)
  end
  local up = step == -1 and self.place == 1 and #self.drawn.lines > self.window.shape.height
  if is_reading or up then
    return vim.cmd('normal! ' .. (step == 1 and 'j' or 'k'))
  end
  self:go(self.place + step)
end

--- Makes the field nearest to the cursor the current one.
function Form:follow()
  local row, nearest, distance = self.window:row(), self.place or 1, math.huge
  for at, place in pairs(self.drawn.rows) do
    if math.abs(at - row) < distance then
      nearest, distance = place, math.abs(at - row)
    end
  end
  if nearest ~= self.place then
    self.place = nearest
    local cursor = vim.api.nvim_win_get_cursor(self.window.win)
    self:redraw()
    pcall(vim.api.nvim_win_set_cursor, self.window.win, cursor)
  end
end

function Form:own_keys()
  local k = options.current.keys
  local function map(keys, run, about)
    self:map(keys, function()
      if self:field() then
        run(self)
      end
    end, about)
  end
  map(k.edit, self.change, 'change the field')
  map(k.toggle, self.toggle, 'toggle or choose')
  map(k.clear, self.clear, 'empty the field')
  map('<Tab>', function()
    self:go(self.place + (self:in_message() and 0 or 1))
  end, 'next field')
  map('<S-Tab>', function()
    self:go(self.place - 1)
  end, 'field before')
  for step, keys in pairs({ [1] = { 'j', '<Down>' }, [-1] = { 'k', '<Up>' } }) do
    self:map(keys, function()
      self:step(step)
    end, step == 1 and 'next line or field' or 'line or field before')
  end
  beside.map(self)
  self.window:on('CursorMoved', function()
    if not self.ended and self:field() and not self.entry then
      self:follow()
    end
  end)
end

--- Reads the typed values and draws their problems: those of the form, and those of the last rejected answer.
function Form:check()
  local _, problems = self.question:read()
  self.unfit = vim.deepcopy(problems)
  self.problems = vim.tbl_extend('keep', problems, self.question.refused or {})
  self:redraw()
  self:mark()
end

--- Puts each problem beside its field.
function Form:mark()
  local problems = self.problems
  if not self.window:is_open() then
    return
  end
  local list = {}
  for row, place in pairs(self.drawn.rows) do
    local name = self.question.fields[place].name
    if problems[name] and self:shows_problem(name) then
      list[#list + 1] = {
        lnum = row, col = self.drawn.value_from, severity = vim.diagnostic.severity.ERROR,
        message = plain.line(problems[name].sentence), source = 'elicit', code = problems[name].code,
      }
    end
  end
  local text = { prefix = '✗', spacing = 2 }
  local how = { virtual_text = text, underline = false, signs = false, update_in_insert = true }
  vim.diagnostic.set(space, self.window.buf, list, how)
end

--- Sets the value of a field; nil makes it untouched.
function Form:set(field, value)
  self.question.typed[field.name] = value
  self.question.touched[field.name] = true
  self.notice = nil
  if self.question.refused then
    self.question.refused[field.name], self.question.refused[''] = nil, nil
  end
  self.question:note('first_input')
  self:check()
end

function Form:change()
  local field = self:field()
  if field.kind == 'boolean' then
    return self:toggle()
  elseif field.kind == 'choice' or field.kind == 'choices' then
    return self:choose(field)
  end
  typing.open(self, field)
end

--- Switches between yes, no and, if the field is optional, no answer.
function Form:toggle()
  local field = self:field()
  if field.kind ~= 'boolean' then
    return self:change()
  end
  local now = self.question.typed[field.name]
  if now == nil then
    now = field.initial
  end
  if now == false and field.initial == nil and not field.required then
    self:set(field, nil)
  else
    self:set(field, not now)
  end
end

--- Empties the field. Its default does not return.
function Form:clear()
  local field = self:field()
  self:set(field, field.kind == 'choices' and {} or field.kind ~= 'boolean' and '' or nil)
end

function Form:near()
  local row, column = self.window:screen(self:row_of(self.place), self.drawn.value_from)
  return { win = self.window.win, row = row, column = column }
end

function Form:choose(field)
  local now = self.question.typed[field.name] or field.initial
  if field.kind == 'choices' then
    local chosen = {}
    for _, text in ipairs(type(now) == 'table' and now or {}) do
      chosen[text] = true
    end
    self.list = picker.list(field.choices, self:near(), {
      chosen = chosen,
      changed = function()
        local list = {}
        for _, choice in ipairs(field.choices) do
          list[#list + 1] = chosen[choice.text] and choice.text or nil
        end
        self:set(field, list)
      end,
    })
    return
  end
  local items = vim.list_slice(field.choices)
  if not field.required then
    items[#items + 1] = { title = 'no answer', none = true }
  end
  self.list = picker.one(items, field.label, self:near(), function(choice)
    if not self.ended then
      self:set(field, choice.none and '' or choice.text)
      self.window:focus()
    end
  end)
end

function Form:submit()
  if self.ended then
    return
  end
  if self.entry then
    self.entry:finish('stay')
  end
  if not reading.is_read(self) then
    return
  end
  self.tried, self.notice = true, self.question:misread()
  self.question.refused = nil
  self:check()
  if self.notice then
    return
  end
  for place, field in ipairs(self.question.fields) do
    if self.unfit[field.name] then
      self:go(place)
      return
    end
  end
  if self.question:accept() then
    self:wait()
  end
end

--- Shows the problems of an answer that the engine rejected.
function Form:rejected(problems)
  self.question:refuse(problems)
  local place
  for at, field in ipairs(self.question.fields) do
    if self.question.refused[field.name] and not place then
      place = at
    end
  end
  local may = vim.tbl_contains(vim.tbl_map(function(problem)
    return problem.code == 'secret_unconfirmed' or problem.code == 'guardian_unconfirmed'
  end, problems), true)
  self.notice = may and ('Press %s again to send it all the same.'):format(options.current.keys.submit) or nil
  self:check()
  self:go(place or self.place or 1)
end

function Form:is_current()
  local win = vim.api.nvim_get_current_win()
  return Window.is_current(self.window) or self.entry ~= nil and win == self.entry.win or self.list ~= nil
end

--- Closes the windows above the form, and then ends as every sheet does.
function Form:over(cause)
  self.question.place = self.place
  local at_it = self:is_current()
  if self.entry then
    self.ended = true
    self.entry:finish('stay')
    self.ended = nil
  end
  if self.list then
    self.list.close()
  end
  self.list = nil
  if at_it then
    self.window:focus()
  end
  vim.diagnostic.reset(space, self.window.buf)
  Sheet.over(self, cause)
end

function Form:put_aside()
  self.question.place = self.place
  Sheet.put_aside(self)
end

return Form
