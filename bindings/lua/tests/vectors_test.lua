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

local families = {}
for text in json.items(read(root .. 'index.json')) do
  local vector = json.decode(text)
  families[vector.family] = families[vector.family] or {}
  table.insert(families[vector.family], vector)
end

local ran = 0
for family, vectors in pairs(families) do
  harness.test('vectors ' .. family, function()
    local wrong = {}
    for _, vector in ipairs(vectors) do
      local text = read(root .. vector.tcId .. '.json')
      local want = json.compact(json.member(text, 'want'))
      local got = library.eval(vector.op, json.member(text, 'in'))
      ran = ran + 1
      if got ~= want then
        wrong[#wrong + 1] = ('%s\n got %s\nwant %s'):format(vector.tcId, got, want)
      end
    end
    harness.equal(#wrong, 0, table.concat(wrong, '\n', 1, math.min(#wrong, 3)))
  end)
end

harness.test('vectors ran', function()
  io.stdout:write(('vectors through LuaJIT: %d\n'):format(ran))
  harness.truthy(ran > 1900, 'too few vectors: ' .. ran)
end)
