--- One question for a person. Its texts come from the peer. They are drawn through elicit.plain and never run.
local Engine = require('elicit.engine')
local document = require('elicit.document')
local json = require('elicit.json')

local Question = {}
Question.__index = Question

--- The options with which a schema compiles to the same form that the engine shows.
local function reading_options(given)
  local limits = given.limits or {}
  local out = { bytes = limits.schema, fields = limits.fields, choices = limits.choices, text = limits.text }
  return { profile = given.profile, limits = next(out) and out or nil }
end

--- Adds the exact text of numbers to the defaults and choices, as the server wrote them.
local function spelled(fields, text)
  local form = json.member(text, 'form')
  local raws = form and json.items(json.member(form, 'fields'))
  for _, field in ipairs(fields) do
    local raw = raws()
    local initial = json.member(raw, 'initial')
    field.initial_text = initial and not initial:find('^["%[tf]') and initial or nil
    local choices = field.choices and json.items(json.member(raw, 'choices'))
    for _, choice in ipairs(field.choices or {}) do
      local value = json.member(choices(), 'value')
      choice.text = value:byte() == 0x22 and choice.value or value
    end
  end
  return fields
end

--- `driver` takes the answer, `show` is the effect, `schema` the exact text of its schema, and `config` the engine's
--- configuration as a table.
function Question.new(driver, show, schema, config)
  local fields = show.form and spelled(show.form.fields, show.text) or {}
  local self = setmetatable({ driver = driver, show = show, schema = schema, fields = fields }, Question)
  self.id, self.session, self.over = show.id, show.session, false
  --- The typed or picked values by field: text, a list, true or false. A field that the person did not touch is absent.
  self.typed = {}
  --- The text that the person writes beside the fields: a note, and the edited arguments of the held call as JSON text.
  self.beside = {}
  --- The parts of the message that the person has opened, and those that were on the screen, by the places of
  --- elicit.message.
  self.unfolded, self.seen = {}, {}
  self.reading = reading_options(config or {})
  self:restore(show.draft)
  return self
end

function Question:restore(draft)
  for _, field in ipairs(draft and self.fields or {}) do
    local value = draft[field.name]
    if type(value) == 'number' then
      local raw = json.member(self.show.text, 'draft', field.name)
      value = raw
    end
    self.typed[field.name] = value
  end
end

local function name_in(pointer)
  return ((pointer:match('^/([^/]*)') or ''):gsub('~1', '/'):gsub('~0', '~'))
end

--- The sentences of problems by field name. The name "" is for problems about no single field. A field has only its
--- first problem, except that every problem of a guardian is added.
local function by_field(problems)
  local out, sentences = {}, Engine.explain('problems', problems)
  for i, problem in ipairs(problems) do
    local name = name_in(problem.pointer)
    if not out[name] then
      out[name] = { code = problem.code, sentence = sentences[i] }
    elseif problem.args and problem.args.guardian then
      out[name].sentence = out[name].sentence .. '; ' .. sentences[i]
    end
  end
  return out
end

--- Reads the typed values: the content as exact JSON text, and the problems by field.
function Question:read()
  if not self.schema then
    return '{}', {}
  end
  local text = next(self.typed) and self.typed or json.object()
  local input = vim.tbl_extend('error', { schema_text = self.schema, text = text }, self.reading)
  local ok, out = pcall(Engine.eval, 'coerce', input)
  if not ok then
    return nil, { [''] = { code = 'bad_input', sentence = tostring(out) } }
  end
  local problems = json.member(out, 'problems')
  local wrong = by_field(problems and json.decode(problems) or {})
  for _, field in ipairs(self.fields) do
    if document.is(field, self.fields) and not wrong[field.name] then
      wrong[field.name] = document.problem(self.typed[field.name] or field.initial or '')
    end
  end
  return json.member(out, 'content'), wrong
end

--- The names of fields with a default that the person emptied; nil if there are none.
function Question:cleared(content)
  local names = {}
  for _, field in ipairs(self.fields) do
    if self.typed[field.name] == '' and field.initial ~= nil and not json.member(content, field.name) then
      names[#names + 1] = field.name
    end
  end
  return #names > 0 and names or nil
end

--- Whether the question takes one of the named parts of an answer: "edit", "decline_note", "accept_note".
function Question:takes(...)
  for _, part in ipairs({ ... }) do
    if vim.tbl_contains(self.show.takes or {}, part) then
      return true
    end
  end
  return false
end

--- Why the edited arguments are no JSON object; nil if they are, or were not edited.
function Question:misread()
  local text = self.beside.arguments
  if not text then
    return nil
  end
  local problem = document.problem(text)
  if problem then
    return 'The arguments are not JSON: ' .. problem.sentence
  end
  local is_object = text:find('^%s*{') ~= nil
  return not is_object and 'The arguments must be one JSON object.' or nil
end

function Question:answer(action, more)
  if self.over then
    return
  end
  local event = { event = 'answered', session = self.session, id = self.id, action = action }
  if action ~= 'cancel' then
    event.note = self.beside.note
  end
  if action == 'accept' then
    event.arguments_text = self.beside.arguments
  end
  self.driver:give(vim.tbl_extend('error', event, more or {}))
end

--- Answers yes, and returns whether the values could be read. If the engine rejects the answer, it gives a `problem`
--- effect, and the question stays open.
function Question:accept(more)
  if self.show.mode == 'url' then
    self:answer('accept', more)
    return true
  end
  local content = self:read()
  if content then
    local given = { content_text = content, cleared = self:cleared(content) }
    self:answer('accept', vim.tbl_extend('force', given, more or {}))
  end
  return content ~= nil
end

--- Answers no. With `more.mute`, this server may not ask again in this session.
function Question:decline(more)
  self:answer('decline', more)
end

function Question:cancel(more)
  self:answer('cancel', more)
end

--- Reports that the person has completed the page.
function Question:done()
  if self.link then
    self.driver:give({ event = 'completed', session = self.session, link = self.link })
  end
end

--- Records a receipt once: the question was "shown" or "focused", or had its "first_input".
function Question:note(receipt)
  self.receipts = self.receipts or {}
  if not self.over and not self.receipts[receipt] then
    self.receipts[receipt] = true
    self.driver:give({ event = 'noted', session = self.session, id = self.id, receipt = receipt })
  end
end

--- Asks for a deadline that is later by so many milliseconds.
function Question:extend(milliseconds)
  if not self.over and self.show.deadline then
    local deadline = self.show.deadline + milliseconds
    self.driver:give({ event = 'extended', session = self.session, id = self.id, ['until'] = deadline })
  end
end

local voices = {
  guardian_asked = true, guardian_denied = true, guardian_fault = true,
  second_person_refused = true, second_person_missing = true,
  reviewer_asked = true, reviewer_denied = true, reviewer_beyond = true, reviewer_failed = true,
  reviewer_timed_out = true,
}

--- The findings as lines {severity, text}, the worst first. Alike findings share a line.
function Question:findings()
  return Engine.explain('warnings', self.show.findings)
end

--- The sentences of those reasons in which a guardian or reviewer asked the person or ended the question.
function Question.voices(reasons)
  return Engine.explain('reasons', vim.tbl_filter(function(reason)
    return voices[reason.code]
  end, reasons or {}))
end

--- Keeps the problems of a rejected answer, until the fields that they are about change.
function Question:refuse(problems)
  local known = {}
  for _, field in ipairs(self.fields) do
    known[field.name] = true
  end
  self.refused = by_field(vim.tbl_map(function(problem)
    local name = name_in(problem.pointer)
    return known[name] and problem or vim.tbl_extend('force', problem, { pointer = '' })
  end, problems))
end

return Question
