--- Finds libelicit and calls its C interface (cabi/elicit.h).
local Fault = require('elicit.fault')
local json = require('elicit.json')
local uv = (vim.uv or vim.loop)

local M = {
  --- The version of the ABI that this plugin was written for.
  abi = 1,
  --- The place to look first: the option `library` of setup.
  configured = nil,
  --- The place where the library was found.
  path = nil,
}

local statuses = { [0] = 'ok', 'invalid', 'unknown_handle', 'too_large', 'conflict', 'internal', 'forked', 'no_memory' }

local declarations = [[
typedef uint64_t elicit_handle;
typedef struct elicit_bytes { const char *data; size_t size; } elicit_bytes;
uint32_t elicit_abi(void);
int elicit_describe(elicit_bytes *out);
int elicit_selfcheck(elicit_bytes *out);
int elicit_open(const char *config, size_t size, elicit_handle *engine, elicit_bytes *out);
int elicit_step(elicit_handle engine, const char *input, size_t size, elicit_bytes *out);
int elicit_receive(elicit_handle relay, int from, const char *message, size_t size, elicit_bytes *out);
typedef struct elicit_host {
  void *data;
  int (*append)(void *data, const char *record, size_t size);
  int (*consult)(void *data, const char *effect, size_t size);
  int (*random)(void *data, unsigned char *bytes);
} elicit_host;
int elicit_next(elicit_handle relay, const elicit_host *host, int64_t at, int64_t elapsed, elicit_bytes *out,
  elicit_bytes *message);
int elicit_eval(const char *op, const char *input, size_t size, elicit_bytes *out);
int elicit_guest(const uint8_t *module, size_t size, elicit_bytes *out);
int elicit_data(const uint8_t *document, size_t size, elicit_bytes *out);
int elicit_close(elicit_handle handle);
void elicit_release(elicit_bytes *out);
]]

-- A plugin's directory is often a symbolic link into its repository.
local source = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p')
local root = vim.fn.fnamemodify(uv.fs_realpath(source) or source, ':h:h:h')

--- The places to look for the library, in order. The loader searches its own paths for a name without a slash.
function M.places()
  local mac = vim.fn.has('mac') == 1
  local name = mac and 'libelicit.1.dylib' or 'libelicit.so.1'
  local places = {}
  for _, place in ipairs({ M.configured or '', vim.env.ELICIT_LIBRARY or '' }) do
    if place ~= '' then
      places[#places + 1] = vim.fn.expand(place)
    end
  end
  vim.list_extend(places, { root .. '/' .. name, vim.fn.fnamemodify(root, ':h:h') .. '/dist/' .. name, name })
  return places
end

local ffi, C
-- Keeps libuv's handler for SIGCHLD installed.
local children

--- Installs libuv's handler for SIGCHLD before the library loads. When Go loads, it adds SA_ONSTACK to the handlers
--- that exist, so that they run on a stack with enough room. libuv would install this one only with the first job.
local function before_load()
  children = children or uv.new_signal()
  children:start('sigchld', function() end)
  children:unref()
end

local function load()
  local ok, loaded = pcall(require, 'ffi')
  if not ok then
    error(Fault.new('missing', 'this Neovim was built without LuaJIT, and so without FFI'), 0)
  end
  ffi = loaded
  pcall(ffi.cdef, declarations) -- fails only if they are declared already
  before_load()
  local tried = {}
  for _, path in ipairs(M.places()) do
    if path:find('/', 1, true) and not uv.fs_stat(path) then
      tried[#tried + 1] = path .. ': no such file'
    else
      local found, library = pcall(ffi.load, path)
      local fits = found and library.elicit_abi() >= M.abi
      if fits then
        M.path = path
        return library
      end
      local other = found and ('%s: has version %d of the ABI, not %d'):format(path, library.elicit_abi(), M.abi)
      tried[#tried + 1] = other or tostring(library)
    end
  end
  local list = table.concat(tried, '\n  ')
  error(Fault.new('missing', 'libelicit was not found: `:source build.lua` of a release. Tried:\n  ' .. list), 0)
end

local function library()
  C = C or load()
  return C
end

--- Returns the text of an output and releases it. It throws if the status is not "ok".
local function taken(status, out)
  local text = out.data ~= nil and ffi.string(out.data, out.size) or ''
  C.elicit_release(out)
  if status == 0 then
    return text
  end
  local name = statuses[status] or 'internal'
  local read, document = pcall(json.decode, text)
  local problems = read and document.problems or {}
  local first = problems[1] and (': ' .. problems[1].code .. ' at "' .. problems[1].pointer .. '"') or ''
  error(Fault.new(name, name .. first, problems), 0)
end

function M.version()
  return library().elicit_abi()
end

--- The output of a function of elicit.h.
local function called(name, ...)
  local call, given, out = library()[name], { ... }, ffi.new('elicit_bytes')
  given[#given + 1] = out
  return taken(call(unpack(given)), out)
end

function M.describe()
  return called('elicit_describe')
end

function M.selfcheck()
  return called('elicit_selfcheck')
end

function M.eval(operation, input)
  return called('elicit_eval', operation, input, #input)
end

function M.guest(module)
  library()
  return called('elicit_guest', ffi.cast('const uint8_t *', module), #module)
end

function M.data(document)
  library()
  return called('elicit_data', ffi.cast('const uint8_t *', document), #document)
end

--- Opens a handle that closes itself when nothing refers to it any more.
function M.open(input)
  library()
  local handle = ffi.new('elicit_handle[1]')
  local text = called('elicit_open', input, #input, handle)
  return ffi.gc(handle, function(h)
    C.elicit_close(h[0])
  end), text
end

function M.step(handle, input)
  return called('elicit_step', handle[0], input, #input)
end

local ends = { client = 1, server = 2 }

--- Gives a connection one message of the "client" or the "server".
function M.receive(handle, from, message)
  return called('elicit_receive', handle[0], ends[from], message, #message)
end

--- The functions that elicit_next calls back, and the calls in which they do so. LuaJIT never frees a callback, so all
--- connections use the same three. An error cannot pass through C, so it counts as a failure.
local callbacks, calling = nil, {}

local function tried(work, ...)
  local ok, why = pcall(work or error, ...)
  if not ok and work then
    vim.schedule_wrap(vim.notify)('elicit: ' .. tostring(why), vim.log.levels.ERROR)
  end
  return ok and 0 or 1
end

local function hosts()
  if not callbacks then
    callbacks = { ffi.new('elicit_host'), ffi.new('elicit_host') }
    local append = ffi.cast('int (*)(void *, const char *, size_t)', function(_, record, size)
      return tried(calling[#calling].append, record ~= nil and ffi.string(record, size) or nil)
    end)
    local consult = ffi.cast('int (*)(void *, const char *, size_t)', function(_, effect, size)
      return tried(calling[#calling].consult, ffi.string(effect, size))
    end)
    callbacks[2].random = ffi.cast('int (*)(void *, unsigned char *)', function(_, bytes)
      return tried(function()
        local given = calling[#calling].random()
        assert(#given == 32, 'random returns 32 bytes')
        ffi.copy(bytes, given, 32)
      end)
    end)
    for _, host in ipairs(callbacks) do
      host.append, host.consult = append, consult
    end
  end
  return callbacks
end

--- The text of the next effect of a connection, and the message of a forward or a send.
function M.next(handle, calls, at, elapsed)
  local out, message = ffi.new('elicit_bytes'), ffi.new('elicit_bytes')
  table.insert(calling, calls)
  local status = C.elicit_next(handle[0], hosts()[calls.random and 2 or 1], at or -1, elapsed or -1, out, message)
  table.remove(calling)
  local bytes = message.data ~= nil and ffi.string(message.data, message.size) or nil
  return taken(status, out), bytes
end
jit.off(M.next) -- compiled code must not call a C function that calls back

--- Closes a handle. Closing it again does nothing.
function M.close(handle)
  ffi.gc(handle, nil)
  C.elicit_close(handle[0])
  handle[0] = 0
end

return M
