--- The text of a question's windows: lines, the positions of colours, and the lines of the fields. Nothing here touches
--- a window.
local alike = require('elicit.alike')
local Lines = require('elicit.lines')
local beside = require('elicit.beside')
local document = require('elicit.document')
local message = require('elicit.message')
local plain = require('elicit.plain')

local M = {}
local width = vim.fn.strdisplaywidth

local function clock(milliseconds)
  local seconds = math.max(0, math.ceil(milliseconds / 1000))
  return ('%d:%02d left'):format(math.floor(seconds / 60), seconds % 60)
end

--- The number of waiting questions, and the time left for this one.
local function aside(question, state)
  local parts = {}
  if (state.waiting or 0) > 0 then
    parts[#parts + 1] = state.waiting .. ' more waiting'
  end
  if question.show.deadline then
    parts[#parts + 1] = clock(question.show.deadline - state.now)
  end
  return table.concat(parts, ' · ')
end

local function begin(question, state, what)
  local out = Lines.new(state.columns)
  local show = question.show
  out:spread(plain.line(show.server) .. what, 'ElicitServer', aside(question, state))
  if show.tool then
    out:line({ 'while it runs ' .. plain.line(show.tool), 'ElicitQuiet' })
  end
  out:line()
  message.draw(out, question)
  message.tool(out, show)
  local findings, voices = state.findings or {}, state.voices or {}
  if #findings + #voices > 0 then
    out:line()
  end
  for _, sentence in ipairs(voices) do
    out:text(sentence, 'ElicitMedium')
  end
  for _, finding in ipairs(findings) do
    local group = 'Elicit' .. finding.severity:sub(1, 1):upper() .. finding.severity:sub(2)
    for i, line in ipairs(plain.lines(finding.text, out.columns - 12)) do
      out:line({ i == 1 and ('%-9s'):format(finding.severity) or (' '):rep(9), group }, { line, group })
    end
  end
  out:line()
  return out
end

--- Adds keys from pairs of a key and its action, in as many lines as they need. A pair without a key is left out.
local function keys(out, list)
  local parts, used = {}, 1
  for _, pair in ipairs(list) do
    if pair[1] then
      local columns = width(pair[1]) + 1 + width(pair[2])
      if used > 1 and used + columns > out.columns then
        out:line(unpack(parts))
        parts, used = {}, 1
      end
      vim.list_extend(parts, { { pair[1], 'ElicitKey' }, ' ' .. pair[2] .. '   ' })
      used = used + columns + 3
    end
  end
  out:line(unpack(parts))
end

local function is_set(question, field)
  return question.typed[field.name] ~= nil
end

local function titled(field, value)
  for i, choice in ipairs(field.choices or {}) do
    if choice.text == value or tostring(choice.value) == tostring(value) then
      field.labels = field.labels or alike.labels(field.choices)
      return field.labels[i]
    end
  end
  return plain.line(tostring(value))
end

--- The text of a field's value, and whether it has one.
function M.value(question, field)
  local value = question.typed[field.name]
  local default = value == nil
  if default then
    value = field.initial
  end
  if field.kind == 'boolean' then
    if value == nil then
      return '[-] not answered', false
    end
    return value and '[x] yes' or '[ ] no', true
  elseif value == nil or value == '' and not (default and field.initial == '') then
    return field.choices and 'nothing chosen' or '', false
  elseif field.kind == 'choices' then
    local titles = {}
    for i, item in ipairs(value) do
      titles[i] = titled(field, item)
    end
    return #titles > 0 and table.concat(titles, ', ') or 'nothing chosen', #titles > 0
  elseif field.kind == 'choice' then
    return titled(field, default and (field.initial_text or value) or value), true
  end
  local text = default and field.initial_text or tostring(value)
  if text == '' then
    return '(empty)', true
  end
  if field.sensitive then
    return ('•'):rep(#plain.characters(text)), true
  end
  return plain.line(text), true
end

local function between(least, most, what)
  if least and most then
    return least == most and ('%s %s'):format(most, what) or ('%s to %s %s'):format(least, most, what)
  end
  return least and ('at least %s %s'):format(least, what) or most and ('at most %s %s'):format(most, what) or nil
end

local kinds = {
  number = 'a number',
  integer = 'a whole number',
  boolean = 'yes or no',
  choice = 'one of a list',
  choices = 'some of a list',
}
local formats = {
  email = 'an e-mail address',
  uri = 'a web address',
  date = 'a date, such as 2026-11-21',
  ['date-time'] = 'a time, such as 2026-11-21T09:30:00Z',
}

--- The values that a field accepts, in words.
function M.hint(field, is_document)
  local c = not is_document and field.constraints or {}
  local parts = { is_document and 'a JSON document' or formats[c.format] or c.format or kinds[field.kind] or 'text' }
  parts[#parts + 1] = between(c.minLength, c.maxLength, 'characters')
  parts[#parts + 1] = between(c.minimum, c.maximum, '')
  parts[#parts + 1] = between(c.minItems, c.maxItems, 'of them')
  parts[#parts + 1] = c.note and plain.line(c.note) or nil
  parts[#parts + 1] = field.required and 'required' or 'optional'
  if field.sensitive then
    parts[#parts + 1] = 'looks like a secret'
  end
  return (table.concat(parts, ' · '):gsub('%s+·', ' ·'))
end

--- Draws a form. `state`: columns, now, waiting, findings, current (a field's position), problems (by field), keys,
--- notice, help.
function M.form(question, state)
  local out = begin(question, state, question.show.kind == 'approval' and ' asks for approval' or ' asks')
  local label_columns = 8
  for _, field in ipairs(question.fields) do
    local most = math.min(30, math.floor(out.columns / 3))
    label_columns = math.max(label_columns, math.min(width(plain.line(field.label)) + 2, most))
  end
  out.value_from = label_columns + 4
  out.value_columns = math.max(12, math.min(36, out.columns - out.value_from - 2))
  for place, field in ipairs(question.fields) do
    local is_document = document.is(field, question.fields)
    local label = plain.cut(plain.line(field.label), label_columns - 2)
    local value, has = M.value(question, field)
    value = is_document and has and '' or plain.cut(value, out.value_columns)
    local parts = {
      { place == state.current and '▸ ' or '  ', 'ElicitKey' },
      { label, 'ElicitLabel' },
      { field.required and ' *' or '  ', 'ElicitRequired' },
      (' '):rep(label_columns - 2 - width(label) + 1),
      { value, (not has or not is_set(question, field)) and 'ElicitDefault' or 'ElicitValue' },
    }
    if has and not is_set(question, field) then
      parts[#parts + 1] = { '  default', 'ElicitDefault' }
    end
    out.rows[#out.lines] = place
    out:line(unpack(parts))
    if is_document then
      M.document(out, question, field, place == state.current and state.editing)
    end
  end
  if #question.fields > 0 then
    out:line()
  end
  M.about(out, question, question.fields[state.current], state)
  local k = state.keys
  if state.editing then
    keys(out, { { '<Tab>', 'next' }, { '<S-Tab>', 'back' }, { '<Esc>', 'done' }, { '<C-s>', 'submit' } })
  elseif state.help then
    M.all_keys(out, k, question)
  else
    local submit = #question.fields > 0 and 'submit' or 'yes'
    keys(out, {
      { k.submit, submit }, { k.decline, 'decline' }, { k.cancel, 'cancel' }, { k.later, 'later' },
      { k.help, 'more keys' },
    })
    keys(out, beside.keys(k, question))
  end
  return out
end

--- The rows in which a document is typed.
M.document_rows = 8

--- Adds the lines of a document. While it is edited, its window stands over them.
function M.document(out, question, field, is_editing)
  local lines = vim.split(question.typed[field.name] or field.initial or '', '\n', { plain = true })
  local many = is_editing and M.document_rows or math.min(#lines, M.document_rows)
  for i = 1, many do
    local line = is_editing and '' or plain.cut(plain.line(lines[i]), out.columns - 6)
    out:line('    ', { line, 'ElicitValue' })
  end
  if #lines > many and not is_editing then
    out:line('    ', { ('… %d more lines'):format(#lines - many), 'ElicitQuiet' })
  end
end

--- Adds the help of the field under the cursor, and its problem.
function M.about(out, question, field, state)
  if field then
    if field.help then
      out:peer(field.help)
    end
    out:line({ M.hint(field, document.is(field, question.fields)), 'ElicitQuiet' })
    local problem = state.problems and state.problems[field.name]
    if problem then
      out:text(problem.sentence, 'ElicitProblem')
    end
  end
  local written = beside.draw(out, question)
  local whole = state.problems and state.problems['']
  if whole then
    out:text(whole.sentence, 'ElicitProblem')
  end
  if state.notice then
    out:text(state.notice, 'ElicitMedium')
  end
  if field or whole or state.notice or written then
    out:line()
  end
end

function M.all_keys(out, k, question)
  local has_fields = #question.fields > 0
  keys(out, has_fields and {
    { k.edit[1], 'change' }, { k.toggle, 'yes / no, choose' }, { k.clear, 'empty' }, { '<Tab>', 'next' },
  } or {})
  keys(out, {
    { k.submit, has_fields and 'submit' or 'yes' }, { k.decline, 'decline' }, { k.cancel, 'cancel, no answer' },
    { k.later, 'later' },
  })
  keys(out, {
    { k.mute, 'decline and hear no more of this server' },
    { question.show.deadline and k.more_time, 'a minute more' },
    { #out.folds > 0 and k.fold, 'open or close a fold' }, { #out.folds > 0 and k.unfold, 'open all folds' },
  })
end

--- The host of an address, and the positions of its first and last byte in it.
function M.host(url)
  local from = select(2, url:find('^%a[%w+.-]*://'))
  if not from then
    return nil
  end
  local stop = (url:find('[/?#\\]', from + 1) or #url + 1) - 1
  local authority = url:sub(from + 1, stop)
  local user = authority:match('^.*()@') or 0
  local host = authority:sub(user + 1):gsub(':%d*$', '')
  return host, from + user + 1, from + user + #host
end

--- Adds the whole address in lines, with its host marked, and returns the host.
function M.address(out, url)
  local host, from, to = M.host(url)
  local at, most = 1, out.columns - 6
  while at <= #url do
    local part = url:sub(at, at + most - 1)
    local parts, row = { '  ' }, at
    if host and from <= at + #part - 1 and to >= at then
      local first, last = math.max(from, row) - row + 1, math.min(to, row + #part - 1) - row + 1
      vim.list_extend(parts, {
        { plain.line(part:sub(1, first - 1)), 'ElicitQuiet' },
        { plain.line(part:sub(first, last)), 'ElicitHost' },
        { plain.line(part:sub(last + 1)), 'ElicitQuiet' },
      })
    else
      parts[2] = { plain.line(part), 'ElicitQuiet' }
    end
    out:line(unpack(parts))
    at = at + #part
  end
  return host
end

--- Draws the consent to a page, or the wait for its completion.
function M.page(question, state)
  local out = begin(question, state, state.awaiting and ': waiting for the page' or ' asks you to visit a page')
  local host = M.address(out, question.show.url)
  out:line()
  if state.notice then
    out:text(state.notice, 'ElicitMedium')
    out:line()
  end
  local k = state.keys
  if state.awaiting then
    keys(out, { { 'o', 'open again' }, { 'd', 'I am done' }, { k.cancel, 'close this, go on waiting' } })
    return out
  end
  out:text('The page opens in your browser. Nothing is fetched before you agree, and what you do there stays between '
    .. 'you and it.', 'ElicitQuiet')
  out:line()
  keys(out, {
    { k.submit, 'open ' .. plain.line(host or 'it') }, { k.decline, 'decline' }, { k.cancel, 'cancel' },
    { k.later, 'later' }, { state.help and k.mute, 'mute this server' },
  })
  return out
end

--- Draws the notice of a question that ended without this person.
function M.over(question, sentence, key, columns)
  local out = Lines.new(columns)
  out:line({ plain.line(question.show.server) .. ': the question is over', 'ElicitServer' })
  out:line()
  out:text(sentence, 'ElicitMedium')
  out:line()
  keys(out, { { key, 'close' } })
  return out
end

return M
