--- What setup was given, over what holds without it.
local M = {}

M.defaults = {
  --- Where libelicit is; left out, beside the plugin, in dist/ of its repository, or on the loader's own paths.
  library = nil,
  --- A policy (docs/policy.md): a table, the path of a file, or a table of those by layer: managed, user, project, session.
  policy = nil,
  --- More of the engine's configuration: limits, profile, join, remember.
  config = {},
  --- Who looks at questions before you do, and at answers before they leave: {{module = '…', reads = {…}, settings = {…}}, …}.
  guardians = nil,
  --- Asks a guardian that is no module, a language model or another person: `consult(effect, answer)`.
  consult = nil,
  --- "auto" opens a question when nobody is typing; "ask" only tells, and :Elicit opens it.
  open = 'auto',
  --- For how long no key may have been pressed before a question opens by itself, in milliseconds.
  calm = 700,
  --- For how long a window that opened by itself takes no key that decides: it was meant for something else.
  grace = 500,
  --- "auto" uses vim.ui.select when a plugin has replaced it; "select" uses it always; "own" never.
  picker = 'auto',
  --- Whether what was decided is kept in a file: a path, or true for one in stdpath('data'). It is always kept for :ElicitLog.
  journal = false,
  --- Opens a page: a function of the address, or a command as a list. Left out, the system's opener.
  opener = nil,
  --- What :ElicitDemo runs: {cmd = {…}, tool = '…'}.
  demo = nil,
  keys = {
    submit = 'S',
    decline = 'D',
    cancel = 'q',
    later = 'z',
    mute = 'M',
    more_time = '+',
    edit = { '<CR>', 'i', 'a' },
    toggle = '<Space>',
    clear = 'x',
    help = '?',
  },
}

M.current = vim.deepcopy(M.defaults)

function M.set(given)
  M.current = vim.tbl_deep_extend('force', vim.deepcopy(M.defaults), given or {})
  return M.current
end

local groups = {
  ElicitWindow = 'Normal',
  ElicitBorder = 'Comment',
  ElicitEntry = 'CursorLine',
  ElicitServer = 'Title',
  ElicitQuiet = 'Comment',
  ElicitLabel = 'Identifier',
  ElicitRequired = 'DiagnosticWarn',
  ElicitValue = 'String',
  ElicitDefault = 'Comment',
  ElicitKey = 'Special',
  ElicitHost = 'Search',
  ElicitProblem = 'DiagnosticError',
  ElicitCritical = 'ErrorMsg',
  ElicitHigh = 'DiagnosticError',
  ElicitMedium = 'DiagnosticWarn',
  ElicitLow = 'DiagnosticInfo',
  ElicitInfo = 'DiagnosticHint',
}

--- Names for colours, linked to what every colour scheme has; a scheme or a user may define them otherwise.
function M.highlights()
  for group, target in pairs(groups) do
    vim.cmd(('highlight default link %s %s'):format(group, target))
  end
end

local function file_text(path)
  local file, why = io.open(vim.fn.expand(path), 'rb')
  if not file then
    error('the policy cannot be read: ' .. why, 0)
  end
  local text = file:read('*a')
  file:close()
  return text
end

local layers = { managed = true, user = true, project = true, session = true }

local function with_policy(config)
  local policy = M.current.policy
  if policy == nil then
    return config
  end
  local by_layer = policy
  if type(policy) == 'string' or policy.version then
    by_layer = { user = policy }
  end
  config.policy = config.policy or {}
  for layer, document in pairs(by_layer) do
    if not layers[layer] then
      error(('a policy has no layer %q'):format(tostring(layer)), 0)
    end
    if type(document) == 'string' then
      config.policy[layer .. '_text'] = file_text(document)
    else
      config.policy[layer] = document
    end
  end
  return config
end

--- The configuration of the engine that the options ask for, and the guardians in it that setup listed.
function M.config()
  local config, guardians = vim.deepcopy(M.current.config or {}), {}
  if M.current.guardians then
    guardians = require('elicit.guardian').list(M.current.guardians)
    config.guardians = #guardians > 0 and (config.guardians or {}) or config.guardians
    for _, guardian in ipairs(guardians) do
      table.insert(config.guardians, guardian.grant)
    end
  end
  return with_policy(config), guardians
end

return M
