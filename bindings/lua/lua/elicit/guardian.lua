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

--- The library's description of a module.
local function described(path, who)
  local ok, module = pcall(Engine.guest, contents(path, who))
  if ok then
    return module
  elseif Fault.is(module) and module.status ~= 'missing' then
    module = Fault.new('guardian', ('%s is refused: %s'):format(who, Engine.why(module)), module.problems)
  end
  error(module, 0)
end

--- Gives the library the data document of a permit, in place of whose path stands its digest then.
local function keep(permit, who)
  local path = permit.data
  permit.data = nil
  if path == nil then
    return
  end
  local ok, digest = pcall(Engine.data, contents(tostring(path), who .. ' data document'))
  if not ok then
    local why = Fault.is(digest) and Engine.why(digest) or tostring(digest)
    error(Fault.new('guardian', ('%s data document %s is refused: %s'):format(who, tostring(path), why)), 0)
  end
  if permit.data_digest and permit.data_digest ~= digest then
    local told = '%s has another data document: it has the digest %s, not %s'
    error(Fault.new('guardian', told:format(who, digest, tostring(permit.data_digest))), 0)
  end
  permit.data_digest = digest
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
  local path = permit.module
  permit.module, permit.settings = nil, object(permit.settings)
  if path == nil then
    return { permit = permit }
  end
  local who = ('guardian %d, %s,'):format(place, tostring(path))
  local module = described(tostring(path), who)
  local manifest = module.manifest
  if permit.digest and permit.digest ~= module.digest then
    local why = '%s is another module: it has the digest %s, not %s'
    why = why:format(who, module.digest, tostring(permit.digest))
    error(Fault.new('guardian', why), 0)
  end
  permit.digest = module.digest
  keep(permit, who)
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
