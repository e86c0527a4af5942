--- Calls of tools that wait for a person, as the person meets them.
local harness = require('harness')
local equal, truthy = harness.equal, harness.truthy
local Child = require('child')

local function test(name, options, run)
  Child.test(name, vim.tbl_extend('keep', options, { calm = 50, open = 'ask' }), run)
end

--- Holds a call, and opens its question at once.
local function hold(child, arguments)
  child:lua([[
    local driver = require('elicit').attach({ name = 'files', hold_calls = true, send = function(to, message)
      table.insert(to == 'server' and T.sent or T.got, message)
    end })
    T.got = {}
    driver:receive('client', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete","arguments":'
      .. select(1, ...) .. '}}')
  ]], arguments)
  child:type(':Elicit<CR>')
  child:sees('files asks')
end

test('what the server says of the tool stands behind a bar', {}, function(child)
  child:lua([[
    local driver = require('elicit').attach({ name = 'files', hold_calls = true, send = function() end })
    driver:receive('client', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    driver:receive('server', '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"delete","inputSchema":{},'
      .. '"description":"Deletes a file.","annotations":{"destructiveHint":true}}]}}')
    driver:receive('client', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete"}}')
  ]])
  child:type(':Elicit<CR>')
  child:sees('The server says of the tool:')
  child:sees('▌ Deletes a file.')
  child:sees('▌ destructive: yes')
end)

test('a declined call has the note of the person', {}, function(child)
  hold(child, '{"path":"/tmp/a"}')
  child:sees('N note, read if you decline')
  child:type('NNot that file.<CR>Ask Ann.<Esc>')
  child:sees('Your note: Not that file.')
  child:type('D')
  local got = child:until_true('T.got[1]')
  truthy(got:find('The user declined this tool call. The user says: Not that file.\\nAsk Ann.', 1, true), got)
end)

test('a call goes on with edited arguments, and only with an object', {}, function(child)
  hold(child, '{"path":"/tmp/a","n":1.50}')
  child:sees('E edit the arguments')
  child:type('E')
  child:until_true('#T.floats() == 2')
  child:type('<C-End>x<Esc>')
  child:sees('The arguments are not JSON')
  child:type('S')
  child:sees('The arguments are not JSON')
  equal(child:lua('return #T.sent'), 0)
  child:type('E')
  child:until_true('#T.floats() == 2')
  child:type('<C-End><BS><Up><End>0,<CR>"more": true<Esc>')
  child:sees('Edited arguments:')
  child:type('S')
  local sent = child:until_true('T.sent[1]')
  truthy(sent:find('"arguments":{"path":"/tmp/a","n":1.500,"more":true}', 1, true), sent)
end)
