--- Fields whose value is a JSON document: an editor of several lines that says where the text is wrong.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')

--- The form of a question whose answer may be any JSON, as engine/wire/interrupts writes it.
local schema = '{"type":"object","properties":{"json":{"type":"string","title":"Answer as JSON","minLength":1}},'
  .. '"required":["json"]}'

local function test(name, columns, lines, run)
  Child.test(('%s (%dx%d)'):format(name, columns, lines), { calm = 50, open = 'ask', grace = 0 }, function(child)
    child:lua('vim.o.columns, vim.o.lines = ...', columns, lines)
    child:lua('T.ask(...)', '1', { message = 'Which plan?', schema_text = schema })
    child:type(':Elicit<CR>')
    child:sees('a JSON document · required')
    run(child)
  end)
end

for _, size in ipairs({ { 80, 24 }, { 40, 20 } }) do
  test('a document is typed over several lines, and its mistake has a line and a column', size[1], size[2],
    function(child)
    child:type('i{<CR>"päge": trx<CR>}')
    child:sees('line 2, column 9')
    local place = child:lua([[
      local space = vim.api.nvim_create_namespace('elicit-entry')
      local mark = vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })[1]
      local line = vim.api.nvim_buf_get_lines(0, mark[2], mark[2] + 1, false)[1]
      return { mark[2], line:sub(mark[3] + 1, mark[4].end_col), mark[4].hl_group }]])
    equal(place, { 1, 'trx', 'ElicitWrong' })
    child:type('<C-s>')
    child:sees('line 2, column 9')
    equal(child:lua('return #T.replies'), 0)
    child:type('i<Down><End><BS>ue')
    child:until_true('T.screen():find("column", 1, true) == nil')
    child:type('<Esc>')
    child:sees('"päge": true')
    child:type('S')
    local content = child:until_true('T.sent[1] and require("elicit.json").member(T.sent[1], "result", "content")')
    equal(require('elicit.json').decode(content).json, '{\n"päge": true\n}')
  end)
end

test('a document without an end, and one with a key twice, are wrong', 80, 24, function(child)
  child:type('i[1,')
  child:sees('line 1, column 4: the document ends too early')
  child:type('<C-u>{"a":1,"a":2}')
  child:sees('line 1, column 8: this key occurs twice')
  child:type('<C-u>[]')
  child:until_true('T.screen():find("column", 1, true) == nil')
end)

harness.test('a field is a document by its mark, not by its name among others', function()
  local document = require('elicit.document')
  local one = { name = 'json', kind = 'text', widget = 'text' }
  truthy(document.is(one, { one }), 'alone')
  equal(document.is(one, { one, one }), false)
  truthy(document.is({ name = 'x', kind = 'text', widget = 'json' }, { one, one }), 'by its widget')
  equal(document.is({ name = 'json', kind = 'text', sensitive = true }, { one }), false)
  equal({ document.place('a\nbä', 4) }, { 2, 3 })
  equal(document.problem(' \n'), nil)
end)
