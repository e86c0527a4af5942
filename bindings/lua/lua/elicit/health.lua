--- The checks of :checkhealth elicit.
local Engine = require('elicit.engine')
local Fault = require('elicit.fault')
local Guardian = require('elicit.guardian')
local json = require('elicit.json')
local library = require('elicit.library')
local options = require('elicit.options')

local M = {}

local health = vim.health or require('health')
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local warn, err = health.warn or health.report_warn, health.error or health.report_error

local advice = {
  forked = 'this process is a forked child: start Neovim again',
  signal_without_altstack = 'a plugin or library has installed a handler without SA_ONSTACK after the library was '
    .. 'loaded: load elicit later, or that part earlier',
  second_go_runtime = 'another library written in Go is loaded, which Go does not support in one process: use one of '
    .. 'them by its command (`elicit --stdio`)',
}

local function check_library()
  local loaded, why = pcall(library.version)
  if not loaded then
    local places = table.concat(library.places(), ', ')
    err(tostring(why), {
      'Run `:source build.lua` in the plugin, or `./build.sh lib` in the repository of Elicit',
      'Or say where it is: require("elicit").setup{library = …}, or $ELICIT_LIBRARY',
      'Looked in: ' .. places,
    })
    return false
  end
  ok(('libelicit found: %s'):format(library.path))
  ok(('it has ABI version %d; this plugin needs %d'):format(why, library.abi))
  local known = json.decode(library.describe())
  ok(('it knows %d operations, and the protocols %s'):format(#known.ops, table.concat(known.protocols, ', ')))
  return true
end

local function check_process()
  local result = json.decode(library.selfcheck())
  for _, warning in ipairs(result.warnings) do
    warn(('%s: %s'):format(warning.code, warning.detail), { advice[warning.code] or 'see elicit.h' })
  end
  if result.ok then
    ok('nothing in this process could hurt it')
  end
end

local function check_options()
  local read, config = pcall(options.config)
  if not read then
    return err(tostring(config))
  end
  local opened, engine = pcall(Engine.open, config)
  if opened then
    engine:close()
    return ok('the engine takes the options')
  end
  err('the engine does not take the options: ' .. (Fault.is(engine) and Engine.why(engine) or tostring(engine)))
end

local function check_guardians()
  for place, entry in ipairs(options.current.guardians or {}) do
    local read, guardian = pcall(Guardian.read, entry, place)
    local complaint = read and Guardian.complaint(guardian)
    if not read then
      err(tostring(guardian))
    else
      ok(Guardian.about(guardian))
    end
    if complaint then
      warn(complaint)
    end
    if read and (not guardian.module or guardian.permit.host) and not options.current.consult then
      local name = tostring(guardian.permit.name)
      warn(('nobody asks guardian %s: it counts as failed each time'):format(name), {
        'Give setup a function `consult`',
      })
    end
  end
end

local function check_picker()
  if type(vim.ui.select) ~= 'function' or options.current.picker ~= 'select' then
    return
  end
  if debug.getinfo(vim.ui.select, 'S').source:find('vim/ui.lua', 1, true) then
    warn('picker = "select" with Neovim\'s own vim.ui.select stops the loop while a list is open', {
      'Leave picker at "auto", or install a plugin that replaces vim.ui.select',
    })
  end
end

function M.check()
  start('elicit: the library')
  if not check_library() then
    return
  end
  check_process()
  start('elicit: the options')
  check_options()
  if type(options.current.guardians) == 'table' then
    start('elicit: the guardians')
    check_guardians()
  end
  check_picker()
end

return M
