--- The options of setup, merged into the defaults.
local M = {}

M.defaults = {
  --- The path of libelicit; left out, beside the plugin, in dist/ of its repository, or on the loader's own paths.
  library = nil,
  --- A policy (docs/reference/policy.md): a table, the path of a file, or a table of those by layer: managed, user,
  --- project, session.
  policy = nil,
  --- Other members of the engine's configuration: limits, profile, join, remember.
  config = {},
  --- Guardians, which inspect questions before you see them, and answers before they are sent:
  --- {{module = '…', reads = {…}, settings = {…}}, …}.
  guardians = nil,
  --- Asks a guardian that is not a module, such as a language model or another person: `consult(effect, answer)`.
  consult = nil,
  --- "auto" opens a question when nobody is typing; "ask" only shows a line, and :Elicit opens the question.
  open = 'auto',
  --- The milliseconds without a key before a question opens without being asked for.
  calm = 700,
  --- The milliseconds in which keys that decide do nothing after a window opened without being asked for. Such a key
  --- was meant for something else.
  grace = 500,
  --- "auto" uses vim.ui.select when a plugin has replaced it; "select" uses it always; "own" never.
  picker = 'auto',
  --- A file that keeps the decisions: a path, or true for one in stdpath('data'). :ElicitLog works without it.
  journal = false,
  --- Opens a page: a function of the address, or a command as a list. Left out, the system's opener.
  opener = nil,
  --- The server and tool of :ElicitDemo: {cmd = {…}, tool = '…'}.
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
    --- A note to whoever asked, and the arguments of a call that waits for the answer, where the question takes them.
    note = 'N',
    arguments = 'E',
    --- Opens or closes the fold at the cursor, or the next one; opens all folds of a long diff.
    fold = 'o',
    unfold = 'O',
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
  ElicitCommand = 'Statement',
  ElicitDirectory = 'Directory',
  ElicitAccess = 'Identifier',
  ElicitAdded = 'DiffAdd',
  ElicitRemoved = 'DiffDelete',
  ElicitHunk = 'Comment',
  ElicitFile = 'Title',
  ElicitFold = 'Folded',
  ElicitNew = 'Underlined',
  ElicitGone = 'DiffDelete',
  ElicitWrong = 'Error',
  ElicitProblem = 'DiagnosticError',
  ElicitCritical = 'ErrorMsg',
  ElicitHigh = 'DiagnosticError',
  ElicitMedium = 'DiagnosticWarn',
  ElicitLow = 'DiagnosticInfo',
  ElicitInfo = 'DiagnosticHint',
}

--- Defines highlight groups as links to groups that every colour scheme has. A scheme or a user may define them
--- otherwise.
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

--- Puts the managed policy of this machine into the configuration. No option leaves it out.
local function with_managed(config)
  local machine = require('elicit.engine').managed_policy()
  if not machine.managed_text then
    return config
  end
  local policy = config.policy or {}
  if policy.managed or policy.managed_text and policy.managed_text ~= machine.managed_text then
    error(('this machine has a managed policy, %s; give yours as another layer, such as project'):format(
      machine.managed_path
    ), 0)
  end
  config.policy = vim.tbl_extend('force', policy, machine)
  return config
end

--- The engine's configuration from the options, and the guardians in it that setup listed.
function M.config()
  local config, guardians = vim.deepcopy(M.current.config or {}), {}
  config.show_changes = config.show_changes ~= false
  if M.current.guardians then
    guardians = require('elicit.guardian').list(M.current.guardians)
    config.guardians = #guardians > 0 and (config.guardians or {}) or config.guardians
    for _, guardian in ipairs(guardians) do
      table.insert(config.guardians, guardian.permit)
    end
  end
  return with_managed(with_policy(config)), guardians
end

return M
