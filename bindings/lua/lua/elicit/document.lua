--- Fields and texts of JSON: which fields have one, and where a text is wrong.
local Engine = require('elicit.engine')
local json = require('elicit.json')
local plain = require('elicit.plain')

local M = {}

--- Whether the value of a field is the text of a JSON document. A question whose answer may be any JSON has one field
--- `json` (docs/reference/protocols.md). A secret is never drawn as a document.
function M.is(field, fields)
  if field.sensitive then
    return false
  end
  return field.widget == 'json' or field.kind == 'text' and field.name == 'json' and #fields == 1
end

--- The line and the column of a byte of a text, from 1. A column counts characters.
function M.place(text, byte)
  local before = text:sub(1, byte)
  local line = select(2, before:gsub('\n', '')) + 1
  return line, #plain.characters(before:match('[^\n]*$')) + 1
end

--- Why a text is no JSON document: {code, sentence, from, to}, with the bytes that are wrong, from 0. It returns nil
--- for a document, and for an empty text.
function M.problem(text)
  if text:find('^%s*$') then
    return nil
  end
  local problem = (json.decode(Engine.eval('parse', { document_text = text })).problems or {})[1]
  if not problem then
    return nil
  end
  local from = problem.start or #text
  local line, column = M.place(text, from)
  local sentence = ('line %d, column %d: %s'):format(line, column, Engine.explain('problems', { problem })[1])
  return { code = problem.code, sentence = sentence, from = from, to = problem['end'] or #text }
end

return M
