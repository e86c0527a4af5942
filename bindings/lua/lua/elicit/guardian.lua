--- The guardians that setup lists. It reads each module, gives it to the library, and makes a permit from the entry.
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local json = require('elicit.json')
local plain = require('elicit.plain')

local M = {}

local function contents(path, who)
  local file, why = io.open(vim.fn.expand(path), 'rb')
  local bytes = file and file:read('*a')
  if file then
    file:close()
  end
  if not bytes then
    error(Fault.new('guardian', ('%s cannot be read: %s'):format(who, why or path .. ' is not a file')), 0)
  end
  return bytes
end

--- What the library says of a file that it takes: a module or a data document.
local function given(take, path, who)
  local ok, said = pcall(take, contents(path, who))
  if ok then
    return said
  elseif Fault.is(said) and said.status ~= 'missing' then
    said = Fault.new('guardian', ('%s is refused: %s'):format(who, Engine.why(said)), said.problems)
  end
  error(said, 0)
end

--- Puts a digest into a permit. `told` says that the permit had another one.
local function put(permit, member, digest, told)
  local wanted = permit[member]
  if wanted and wanted ~= digest then
    error(Fault.new('guardian', ('%s: it has the digest %s, not %s'):format(told, digest, tostring(wanted))), 0)
  end
  permit[member] = digest
end

--- Makes an empty table an empty JSON object. Lua has only one kind of empty table.
local function object(value)
  return type(value) == 'table' and next(value) == nil and json.object() or value
end

--- One entry of setup as {permit, path, module, unpermitted}: the permit for a configuration, and the library's
--- description of the module. A guardian without a module is asked through `consult`. It throws for an entry that
--- cannot be used.
function M.read(entry, place)
  if type(entry) ~= 'table' then
    error(Fault.new('guardian', ('guardian %d is not a table'):format(place)), 0)
  end
  local permit = vim.deepcopy(entry)
  local path, data = permit.module, permit.data
  permit.module, permit.settings = nil, object(permit.settings)
  if path == nil then
    return { permit = permit }
  end
  local who = ('guardian %d, %s,'):format(place, tostring(path))
  local module = given(Engine.guest, tostring(path), who)
  local manifest = module.manifest
  put(permit, 'digest', module.digest, who .. ' is another module')
  if data ~= nil then
    permit.data = nil
    put(permit, 'data_digest', given(Engine.data, tostring(data), who .. ' data document'),
      who .. ' has another data document')
  end
  permit.name = permit.name or manifest.name
  permit.declared = permit.declared or { phases = manifest.phases, reads = manifest.reads, codes = manifest.codes }
  permit.reads = permit.reads or {}
  return { permit = permit, path = path, module = module, unpermitted = entry.reads == nil and #manifest.reads > 0 }
end

--- Reads all entries, in order. It throws if one cannot be used, because a missing guardian must not go unnoticed.
function M.list(entries)
  local list = {}
  if type(entries) ~= 'table' or vim.tbl_count(entries) ~= #entries then
    error(Fault.new('guardian', 'guardians is a list: { { module = … }, … }'), 0)
  end
  for place, entry in ipairs(entries) do
    list[place] = M.read(entry, place)
  end
  return list
end

--- The warning about a guardian that declares reads and was permitted none; nil for others.
function M.complaint(guardian)
  if guardian.unpermitted then
    local declared = table.concat(vim.tbl_map(vim.inspect, guardian.module.manifest.reads), ', ')
    return ('guardian %s is shown nothing. Permit what it may see of what it declares: reads = { %s }; reads = {} says '
      .. 'that nothing is meant'):format(guardian.permit.name, declared)
  end
end

local function listed(list)
  return #list > 0 and table.concat(list, ' ') or 'nothing'
end

--- The description of a guardian for :checkhealth.
function M.about(guardian)
  local permit, module = guardian.permit, guardian.module
  local manifest = module and module.manifest
  local what = 'asked through `consult`'
  if module then
    what = ('%s %s, sha256 %s'):format(manifest.name, plain.line(manifest.version), module.digest)
  end
  local lines = { ('%s: %s'):format(tostring(permit.name), what) }
  if module then
    lines[#lines + 1] = ('sees %s, of the %s it declares'):format(listed(permit.reads), listed(manifest.reads))
    lines[#lines + 1] = ('heard %s'):format(table.concat(permit.phases or manifest.phases, ' and '))
    lines[#lines + 1] = ('fuel %d'):format(permit.fuel or 5000000)
  else
    lines[#lines + 1] = 'sees ' .. listed(permit.reads or {})
  end
  if permit.audit then
    lines[#lines + 1] = 'audit: recorded, never counted'
  end
  return table.concat(lines, '; ')
end

return M
