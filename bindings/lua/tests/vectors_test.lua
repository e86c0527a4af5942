--- Every vector through LuaJIT's FFI, byte for byte.
local harness = require('harness')
local json = require('elicit.json')
local library = require('elicit.library')

local root = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h:h') .. '/testdata/vectors/'

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

--- The text without the white space between its tokens.
local function compact(text)
  local quoted, escaped = false, false
  return (text:gsub('.', function(c)
    if quoted then
      quoted, escaped = escaped or c ~= '"', not escaped and c == '\\'
      return nil
    end
    quoted = c == '"'
    return c:find('%s') and '' or nil
  end))
end

local ran, failed = 0, 0
for _, path in ipairs(vim.fn.glob(root .. '*/*.json', true, true)) do
  local topic = path:sub(#root + 1)
  harness.test('vectors ' .. topic, function()
    local wrong = {}
    for text in json.items(read(path)) do
      local want = compact(json.member(text, 'want'))
      local got = library.eval(json.decode(json.member(text, 'op')), json.member(text, 'in'))
      ran = ran + 1
      if got ~= want then
        local name = json.decode(json.member(text, 'tcId')):match('[^/]+$')
        wrong[#wrong + 1] = ('%s#%s\n got %s\nwant %s'):format(topic, name, got, want)
      end
    end
    failed = failed + #wrong
    harness.equal(#wrong, 0, table.concat(wrong, '\n', 1, math.min(#wrong, 3)))
  end)
end

harness.test('vectors ran', function()
  io.stdout:write(('vectors through LuaJIT: %d\n'):format(ran))
  harness.truthy(ran > 1900, 'too few vectors: ' .. ran)
  if vim.env.ELICIT_HOSTS then
    local record = assert(io.open(vim.env.ELICIT_HOSTS, 'a'))
    record:write(('Neovim vectors %d %d\n'):format(ran - failed, ran))
    record:close()
  end
end)
