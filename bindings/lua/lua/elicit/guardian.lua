--- Guardians as setup lists them: a module is read, held by the library, and granted what the person wrote beside it.
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

--- What the library says of a module.
local function held(path, who)
  local ok, module = pcall(Engine.guest, contents(path, who))
  if ok then
    return module
  elseif Fault.is(module) and module.status ~= 'missing' then
    module = Fault.new('guardian', ('%s is refused: %s'):format(who, Engine.why(module)), module.problems)
  end
  error(module, 0)
end

--- An empty table that is to be an object; Lua has no other.
local function object(value)
  return type(value) == 'table' and next(value) == nil and json.object() or value
end

--- One entry of setup as {grant, path, module, reads}: the grant of a configuration, and what the library says of the module.
--- An entry without a module is asked through `consult`.
function M.read(entry, place)
  if type(entry) ~= 'table' then
    error(Fault.new('guardian', ('guardian %d is not a table'):format(place)), 0)
  end
  local grant = vim.deepcopy(entry)
  local path = grant.module
  grant.module, grant.settings = nil, object(grant.settings)
  if path == nil then
    return { grant = grant }
  end
  local who = ('guardian %d, %s,'):format(place, tostring(path))
  local module = held(tostring(path), who)
  if grant.digest and grant.digest ~= module.digest then
    error(Fault.new('guardian', ('%s is another module: it has the digest %s, not %s'):format(who, module.digest, tostring(grant.digest))), 0)
  end
  grant.digest = module.digest
  grant.name = grant.name or module.manifest.name
  grant.declared = grant.declared or { phases = module.manifest.phases, reads = module.manifest.reads, codes = module.manifest.codes }
  grant.reads = grant.reads or {}
  return { grant = grant, path = path, module = module, ungranted = entry.reads == nil and #module.manifest.reads > 0 }
end

--- All entries, in order; whatever is wrong with one is thrown, since a guardian that is not there must not go unnoticed.
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

--- What to tell of a guardian that was granted nothing and wants something.
function M.complaint(guardian)
  if guardian.ungranted then
    local declared = table.concat(vim.tbl_map(vim.inspect, guardian.module.manifest.reads), ', ')
    return ('guardian %s is shown nothing. Grant what it may see of what it declares: reads = { %s }; reads = {} says that nothing is meant'):format(
      guardian.grant.name, declared)
  end
end

local function listed(list)
  return #list > 0 and table.concat(list, ' ') or 'nothing'
end

--- A guardian in words, for :checkhealth.
function M.about(guardian)
  local grant, module = guardian.grant, guardian.module
  local lines = { ('%s: %s'):format(tostring(grant.name), module and ('%s %s, sha256 %s'):format(module.manifest.name, plain.line(module.manifest.version), module.digest) or 'asked through `consult`') }
  if module then
    lines[#lines + 1] = ('sees %s, of the %s it declares'):format(listed(grant.reads), listed(module.manifest.reads))
    lines[#lines + 1] = ('heard %s'):format(table.concat(grant.phases or module.manifest.phases, ' and '))
    lines[#lines + 1] = ('fuel %d'):format(grant.fuel or 5000000)
  else
    lines[#lines + 1] = 'sees ' .. listed(grant.reads or {})
  end
  if grant.mode == 'audit' then
    lines[#lines + 1] = 'audit: recorded, never counted'
  end
  return table.concat(lines, '; ')
end

return M
