--- One question before a person. Its texts are the peer's: they are drawn through elicit.plain and never run.
local Engine = require('elicit.engine')
local json = require('elicit.json')

local Question = {}
Question.__index = Question

--- How a schema has to be read to give the form that the engine shows.
local function reading_options(given)
  local limits = given.limits or {}
  local out = { bytes = limits.schema, fields = limits.fields, choices = limits.choices, text = limits.text }
  return { profile = given.profile, limits = next(out) and out or nil }
end

--- Numbers among the defaults and choices as the server spelled them.
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

--- `show` is the effect, `schema` the exact text of its schema, `driver` takes the answer; `config` is the engine's
--- configuration, a table.
function Question.new(driver, show, schema, config)
  local fields = show.form and spelled(show.form.fields, show.text) or {}
  local self = setmetatable({ driver = driver, show = show, schema = schema, fields = fields }, Question)
  self.id, self.session, self.over = show.id, show.session, false
  --- What was typed or picked, by field: text, a list, true or false. A field that nobody touched is not in it.
  self.typed = {}
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

--- The field's problem as a sentence by its name; "" holds what is about no single field. Every guardian's problem is told.
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

--- Reads what was typed: the content as exact JSON text, and what is wrong by field.
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
  return json.member(out, 'content'), by_field(problems and json.decode(problems) or {})
end

--- Fields with a default that the person emptied.
function Question:cleared(content)
  local names = {}
  for _, field in ipairs(self.fields) do
    if self.typed[field.name] == '' and field.initial ~= nil and not json.member(content, field.name) then
      names[#names + 1] = field.name
    end
  end
  return #names > 0 and names or nil
end

function Question:answer(action, more)
  if self.over then
    return
  end
  local event = { event = 'answered', session = self.session, id = self.id, action = action }
  self.driver:give(vim.tbl_extend('error', event, more or {}))
end

--- Answers yes, and says whether it could. What is wrong with it comes back to `rejected` of the host and the question
--- stays open.
function Question:accept(more)
  if self.show.mode == 'url' then
    self:answer('accept', more)
    return true
  end
  local content = self:read()
  if content then
    self:answer('accept', vim.tbl_extend('force', { content_text = content, cleared = self:cleared(content) }, more or {}))
  end
  return content ~= nil
end

--- `more.mute`: this server may not ask again in this session.
function Question:decline(more)
  self:answer('decline', more)
end

function Question:cancel(more)
  self:answer('cancel', more)
end

--- The person says the page is finished.
function Question:done()
  if self.link then
    self.driver:give({ event = 'completed', session = self.session, link = self.link })
  end
end

--- Tells that it was "shown", "focused", or had its "first_input".
function Question:note(receipt)
  self.receipts = self.receipts or {}
  if not self.over and not self.receipts[receipt] then
    self.receipts[receipt] = true
    self.driver:give({ event = 'noted', session = self.session, id = self.id, receipt = receipt })
  end
end

--- Asks for more time.
function Question:extend(milliseconds)
  if not self.over and self.show.deadline then
    self.driver:give({ event = 'extended', session = self.session, id = self.id, ['until'] = self.show.deadline + milliseconds })
  end
end

local voices = {
  guardian_asked = true, guardian_denied = true, guardian_fault = true,
  second_person_refused = true, second_person_missing = true,
  reviewer_asked = true, reviewer_denied = true, reviewer_beyond = true, reviewer_failed = true, reviewer_timed_out = true,
}

--- The findings, the gravest first, each with its sentence.
function Question:findings()
  local grave = { critical = 1, high = 2, medium = 3, low = 4, info = 5 }
  local list, sentences = {}, Engine.explain('findings', self.show.findings)
  for i, finding in ipairs(self.show.findings or {}) do
    list[i] = { code = finding.code, severity = finding.severity, sentence = sentences[i], place = i }
  end
  table.sort(list, function(a, b)
    local one, other = grave[a.severity] or 0, grave[b.severity] or 0
    return one == other and a.place < b.place or one < other
  end)
  return list
end

--- What guardians said, among reasons, that brought a question before a person or ended it.
function Question.voices(reasons)
  return Engine.explain('reasons', vim.tbl_filter(function(reason)
    return voices[reason.code]
  end, reasons or {}))
end

--- Keeps why the engine did not take an answer until the fields that it is about change.
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
