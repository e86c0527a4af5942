--- The build step of a plugin manager: lazy.nvim runs this file after an installation and after an update. It puts
--- libelicit.so.1 beside lua/, where the plugin looks for it: the library of this system from lib/, or the C of c/,
--- compiled. The loader finds neither before its SHA-256 digest was compared with the one in SHA256SUMS.
local uv = vim.uv or vim.loop
local root = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local bit = require('bit')
local band, bor, bxor, bnot, ror = bit.band, bit.bor, bit.bxor, bit.bnot, bit.ror
local rshift, tobit, tohex = bit.rshift, bit.tobit, bit.tohex

--- The first 32 bits of the fraction of a root of the first primes.
local function fractions(many, exponent)
  local out, n = {}, 2
  while #out < many do
    local prime = true
    for d = 2, math.sqrt(n) do
      prime = prime and n % d ~= 0
    end
    if prime then
      out[#out + 1] = tobit(math.floor(n ^ exponent % 1 * 2 ^ 32))
    end
    n = n + 1
  end
  return out
end

local constants = fractions(64, 1 / 3)

--- Adds one block of 64 bytes, which begins at `at`, to the state `h`.
local function block(h, w, text, at)
  for i = 1, 16 do
    local a, b, c, d = text:byte(at + i * 4 - 4, at + i * 4 - 1)
    w[i] = bor(a * 2 ^ 24, b * 2 ^ 16, c * 2 ^ 8, d)
  end
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    local s, t = bxor(ror(x, 7), ror(x, 18), rshift(x, 3)), bxor(ror(y, 17), ror(y, 19), rshift(y, 10))
    w[i] = tobit(w[i - 16] + s + w[i - 7] + t)
  end
  local a, b, c, d, e, f, g, k = unpack(h)
  for i = 1, 64 do
    local s = bxor(ror(e, 6), ror(e, 11), ror(e, 25))
    local t = tobit(k + s + bxor(band(e, f), band(bnot(e), g)) + constants[i] + w[i])
    local u = tobit(bxor(ror(a, 2), ror(a, 13), ror(a, 22)) + bxor(band(a, b), band(a, c), band(b, c)))
    a, b, c, d, e, f, g, k = tobit(t + u), a, b, c, tobit(d + t), e, f, g
  end
  for i, x in ipairs({ a, b, c, d, e, f, g, k }) do
    h[i] = tobit(h[i] + x)
  end
end

--- The SHA-256 digest of a text, in hex. vim.fn.sha256 ends at the first zero byte.
local function digest(text)
  local size, h, w = #text, fractions(8, 1 / 2), {}
  local tail = text:sub(size - size % 64 + 1) .. '\128'
  tail = tail .. ('\0'):rep((56 - #tail) % 64) .. ('\0'):rep(4)
  tail = tail .. string.char(band(rshift(size, 21), 255), band(rshift(size, 13), 255), band(rshift(size, 5), 255),
    band(size * 8, 255))
  for at = 1, size - 63, 64 do
    block(h, w, text, at)
  end
  for at = 1, #tail, 64 do
    block(h, w, tail, at)
  end
  return table.concat(vim.tbl_map(tohex, h))
end

local function read(path)
  local file = assert(io.open(root .. '/' .. path, 'rb'))
  local text = file:read('*a')
  file:close()
  return text
end

--- The text of a file of this plugin, after a comparison of its digest.
local function checked(path)
  local text = read(path)
  local want = (read('SHA256SUMS'):gsub('%s+', ' ') .. ' '):match('(%x+) ' .. vim.pesc(path) .. ' ')
  local got = digest(text)
  if got ~= want then
    error(('elicit: %s has the SHA-256 digest %s, and not %s: nothing was installed'):format(path, got, want), 0)
  end
  return text
end

local function install(text, name)
  local new = root .. '/' .. name .. '.new'
  local file = assert(io.open(new, 'wb'))
  assert(file:write(text))
  file:close()
  assert(uv.fs_rename(new, root .. '/' .. name))
end

--- Compiles the files of c/ with the system's compiler.
local function compile(name)
  local files = vim.fn.glob(root .. '/c/*.c', true, true)
  if #files == 0 or vim.fn.executable('cc') == 0 then
    error('elicit: there is no library for this system, and no C compiler `cc`: see README.md', 0)
  end
  for _, file in ipairs(vim.fn.glob(root .. '/c/*.[ch]', true, true)) do
    checked('c/' .. vim.fn.fnamemodify(file, ':t'))
  end
  local out = vim.fn.tempname()
  local command = { 'cc', '-std=c11', '-Os', '-fPIC', '-shared', '-w', '-o', out }
  local said = vim.fn.system(vim.list_extend(vim.list_extend(command, files), { '-lm', '-lpthread' }))
  if vim.v.shell_error ~= 0 then
    error('elicit: the compiler failed: ' .. said:sub(1, 400), 0)
  end
  local file = assert(io.open(out, 'rb'))
  install(file:read('*a'), name)
  file:close()
end

local mac = vim.fn.has('mac') == 1
local name = mac and 'libelicit.1.dylib' or 'libelicit.so.1'
local system = uv.os_uname()
local built = ('lib/%s-%s/%s'):format(system.sysname:lower(), system.machine, name)
if uv.fs_stat(root .. '/' .. built) then
  install(checked(built), name)
else
  compile(name)
end
