--- The pure functions: text made visible, JSON cut, addresses read, secrets kept.
local harness = require('harness')
local test, equal, truthy = harness.test, harness.equal, harness.truthy
local Entry = require('elicit.entry')
local json = require('elicit.json')
local options = require('elicit.options')
local plain = require('elicit.plain')
local view = require('elicit.view')

for name, case in pairs({
  ['ordinary text'] = { 'Wohin? größer 東京 ✓', 'Wohin? größer 東京 ✓' },
  ['control characters'] = { 'a\27[0m\0\127', 'a^[[0m^@^?' },
  ['line ends and tabs'] = { 'a\nb\tc', 'a⏎b    c' },
  ['C1 controls'] = { 'a\194\155b', 'a<U+009B>b' },
  ['bidirectional marks'] = { '\226\128\174a\226\129\166', '<U+202E>a<U+2066>' },
  ['what has no width'] = { 'a\226\128\139b\239\187\191', 'a<U+200B>b<U+FEFF>' },
  ['tags'] = { '\243\160\129\129', '<U+E0041>' },
  ['bytes that are no UTF-8'] = { 'a\255\192\175', 'a<ff><c0><af>' },
  ['a surrogate in UTF-8'] = { '\237\160\128', '<ed><a0><80>' },
  ['a character cut short'] = { 'a\226\130', 'a<e2><82>' },
  ['soft hyphen'] = { 'a\194\173b', 'a<U+00AD>b' },
}) do
  test('plain line: ' .. name, function()
    equal(plain.line(case[1]), case[2])
  end)
end

test('the cases that all interfaces share are drawn alike', function()
  local cases = vim.json.decode(table.concat(vim.fn.readfile('../../testdata/plain.json'), '\n'))
  truthy(#cases >= 30, 'cases')
  for _, case in ipairs(cases) do
    equal({ case.name, plain.line(case['in']) }, { case.name, case.out })
  end
end)

for name, case in pairs({
  ['different'] = { { { title = 'Eu' }, { title = 'Us' } }, { 'Eu', 'Us' } },
  ['one title'] = {
    { { title = 'Go', text = 'p' }, { title = 'Go', text = 's' } },
    { 'Go (value "p")', 'Go (value "s")' },
  },
  ['other letters'] = {
    { { title = 'pay' }, { title = 'p\208\176y' } },
    { 'pay ("pay")', 'p\208\176y ("p\\xd0\\xb0y")' },
  },
  ['invisible ones'] = { { { title = 'pay' }, { title = 'pay\227\133\164' } }, { 'pay', 'pay<U+3164>' } },
  ['the end differs'] = {
    { { title = ('x'):rep(300) .. 'a' }, { title = ('x'):rep(300) .. 'b' } },
    { ('x'):rep(132) .. '…' .. ('x'):rep(66) .. 'a', ('x'):rep(132) .. '…' .. ('x'):rep(66) .. 'b' },
  },
  ['the middle differs'] = {
    { { title = ('x'):rep(200) .. 'a' .. ('x'):rep(200) }, { title = ('x'):rep(200) .. 'b' .. ('x'):rep(200) } },
    vim.tbl_map(function(letter)
      local middle = ' (from character 191: "' .. ('x'):rep(10) .. letter .. ('x'):rep(29) .. '")'
      return ('x'):rep(39) .. '…' .. ('x'):rep(20) .. middle
    end, { 'a', 'b' }),
  },
  ['titled like a sign'] = {
    { { title = 'a', text = 'p' }, { title = 'a', text = 'q' }, { title = 'a (value "p")', text = 'r' } },
    { '1: a (value "p")', '2: a (value "q")', '3: a (value "p")' },
  },
}) do
  test('choices that look alike are told apart: ' .. name, function()
    equal(require('elicit.alike').labels(case[1]), case[2])
  end)
end

test('a bar stands before each line of the message and of help', function()
  local field = { name = 'a', label = 'A', kind = 'text', help = ('help '):rep(30) }
  local question = { show = { server = 'demo', message = 'one\n' .. ('two '):rep(40) }, fields = { field }, typed = {} }
  question.beside, question.takes = {}, function() return false end
  local said = 0
  for _, line in ipairs(view.form(question, { columns = 40, keys = {}, current = 1 }).lines) do
    if line:find('one') or line:find('two') or line:find('help') then
      said = said + 1
      equal(line:sub(1, 5), ' ▌ ', line)
    end
  end
  truthy(said >= 8, 'lines')
end)

test('plain lines are wrapped by width, and long words are cut', function()
  equal(plain.lines('one two three', 9), { 'one two', 'three' })
  equal(plain.lines('a\r\n\nb', 20), { 'a', '', 'b' })
  equal(plain.lines(('x'):rep(20), 8), { ('x'):rep(8), ('x'):rep(8), ('x'):rep(4) })
  equal(plain.lines('東京東京東京', 8), { '東京東京', '東京' })
  equal(plain.lines('a   b', 9), { 'a   b' })
  equal(plain.lines('  indented text', 12), { '  indented', 'text' })
end)

test('a line is cut between characters', function()
  equal(plain.cut('größer', 6), 'größer')
  equal(plain.cut('größer', 4), 'grö…')
  equal(plain.cut('東京東京', 5), '東京…')
end)

test('JSON is cut without changing a byte', function()
  local text = ' {"a" : "x\\"}]," , "n":1.50,"l":[ 1e400 ,{"k":[]} ],"t":true}'
  equal(json.member(text, 'a'), '"x\\"}],"')
  equal(json.member(text, 'n'), '1.50')
  equal(json.member(text, 't'), 'true')
  equal(json.member(text, 'l'), '[ 1e400 ,{"k":[]} ]')
  equal(json.member(text, 'nothing'), nil)
  local items = {}
  for item in json.items(json.member(text, 'l')) do
    items[#items + 1] = item
  end
  equal(items, { '1e400', '{"k":[]}' })
  equal(json.joined('{}', '{"a":1}'), '{"a":1}')
  equal(json.joined('{"b":2}', '{"a":1}'), '{"b":2,"a":1}')
  equal(json.joined('{"b":2}', '{}'), '{"b":2}')
end)

for url, host in pairs({
  ['https://example.org/a?b#c'] = 'example.org',
  ['https://example.org:8443/'] = 'example.org',
  ['https://bank.example@evil.test/x'] = 'evil.test',
  ['https://a@b@evil.test'] = 'evil.test',
  ['https://evil.test\\@bank.example/'] = 'evil.test',
  ['https://evil.test?@bank.example'] = 'evil.test',
  ['http://[::1]:80/'] = '[::1]',
}) do
  test('the host of ' .. url, function()
    local found, from, to = view.host(url)
    equal(found, host)
    equal(url:sub(from, to), host)
  end)
end

test('an address has no host without an authority', function()
  equal(view.host('mailto:a@b.c'), nil)
end)

for name, case in pairs({
  ['nothing changed'] = { 'abc', '•••', 3, 'abc' },
  ['one deleted at the end'] = { 'abc', '••', 2, 'ab' },
  ['one deleted in the middle'] = { 'abc', '••', 1, 'ac' },
  ['all deleted'] = { 'abc', '', 0, '' },
  ['pasted at the end'] = { 'abc', '•••de', 5, 'abcde' },
  ['pasted in the middle'] = { 'abc', '•XY••', 3, 'aXYbc' },
  ['pasted over all'] = { 'abc', 'XY', 2, 'XY' },
  ['pasted over the middle'] = { 'abcd', '•X•', 2, 'aXd' },
  ['characters of several bytes'] = { 'größe', '••••', 4, 'größ' },
}) do
  test('a secret after its dots were changed: ' .. name, function()
    equal(Entry.after_change(case[1], case[2], case[3]), case[4])
  end)
end

test('policies are taken as a table, by layer, or from a file', function()
  local file = vim.fn.tempname()
  vim.fn.writefile({ '{"version": 1, "approval_policy": "never"}' }, file)
  options.set({ policy = { version = 1, mode = 'never' } })
  equal(options.config().policy.user.mode, 'never')
  options.set({ policy = { managed = file, project = { version = 1 } } })
  truthy(options.config().policy.managed_text:find('never'), 'the text of the file')
  options.set({ policy = file })
  truthy(options.config().policy.user_text:find('never'), 'the text of the file')
  options.set({ policy = file .. '.gone' })
  equal(pcall(options.config), false)
  options.set({ policy = { everybody = {} } })
  equal(pcall(options.config), false)
  options.set()
end)
