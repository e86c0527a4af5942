--- elicit.nvim answers questions of MCP servers: policy decides them, and a form shows the others. See :help elicit.
local options = require('elicit.options')

local M = {}

--- The queue, history and connections of this Neovim; nil before the first use.
local state

--- Sets the options of :help elicit-options. Call it only to change them, and before the first question: it settles
--- open questions with the cause shutdown.
function M.setup(given)
  M.stop()
  options.set(given)
  require('elicit.library').configured = options.current.library
  options.highlights()
end

local function begin()
  if state then
    return state
  end
  local Queue, History = require('elicit.queue'), require('elicit.history')
  options.highlights()
  local path = options.current.journal
  local history = History.new(path and (path == true and History.default_path() or vim.fn.expand(path)) or nil)
  local config, guardians = options.config()
  for _, guardian in ipairs(guardians) do
    local complaint = require('elicit.guardian').complaint(guardian)
    if complaint then
      vim.notify('elicit: ' .. complaint, vim.log.levels.WARN)
    end
  end
  local group = vim.api.nvim_create_augroup('elicit', {})
  state = { queue = Queue.new(), history = history, config = config, clients = {}, attached = {}, names = {} }
  vim.api.nvim_create_autocmd('VimLeavePre', { group = group, callback = M.leave })
  return state
end

--- The engine's configuration for a connection with the server `name`. It names the earlier servers, so that a finding
--- warns if this one imitates one of them.
local function config_for(here, name)
  local config = vim.deepcopy(here.config)
  config.servers = config.servers or {}
  for _, other in ipairs(here.names) do
    if other ~= name and not vim.tbl_contains(config.servers, other) then
      table.insert(config.servers, other)
    end
  end
  if not vim.tbl_contains(here.names, name) then
    table.insert(here.names, name)
  end
  config.servers = #config.servers > 0 and config.servers or nil
  return next(config) and config or require('elicit.json').object()
end

--- Opens a driver for `relay`. It throws the problems of the options in English.
local function open(relay, given)
  local ok, driver = pcall(require('elicit.drive').new, relay, given)
  if ok then
    return driver
  end
  local Fault = require('elicit.fault')
  if Fault.is(driver) and #driver.problems > 0 then
    for _, problem in ipairs(driver.problems) do
      problem.pointer = problem.pointer:gsub('^/relay/config', '')
    end
    local why = require('elicit.engine').why(driver)
    driver = Fault.new(driver.status, 'the options are refused: ' .. why, driver.problems)
  end
  error(driver, 0)
end

--- Opens a connection for a plugin that exchanges messages with a server itself, and returns its driver (elicit.drive).
--- `given` has name and send(to, message), which writes to the "client" or the "server". It may have identity, role,
--- ask, session, hold_calls, protocol (docs/reference/relay.md) and broken(fault).
function M.attach(given)
  local here = begin()
  local relay = { server = given.name, identity = given.identity, role = given.role, session = given.session,
    ask = given.ask, hold_calls = given.hold_calls, protocol = given.protocol }
  relay.config, relay.modes = config_for(here, given.name), { 'form', 'url' }
  local journal = here.history:journal()
  local own = { send = given.send, broken = given.broken, journal = journal.keep, consult = options.current.consult }
  local ok, driver = pcall(open, relay, own)
  if not ok then
    journal.close()
    error(driver, 0)
  end
  driver.host = here.queue:host(driver, given.name, relay.config)
  local after = driver.after
  driver.after = function()
    after()
    if driver.closed then
      journal.close()
    end
  end
  here.attached = vim.tbl_filter(function(other)
    return not other.closed
  end, here.attached)
  table.insert(here.attached, driver)
  return driver
end

--- The queue of waiting questions (elicit.queue).
function M.queue()
  return begin().queue
end

--- Starts an MCP server and answers its questions. `server` has name, cmd, cwd, env, ready(client), gone(why), on and
--- capabilities. Returns the client (elicit.mcp).
function M.connect(server)
  local client = require('elicit.mcp').start(server, M.attach)
  local here = begin()
  here.clients = vim.tbl_filter(function(other)
    return not other.pipe.exit
  end, here.clients)
  table.insert(here.clients, client)
  return client
end

--- Settles the open questions, ends the servers and closes the journals. It may be called again.
function M.stop()
  local here = state
  state = nil
  if not here then
    return
  end
  for _, client in ipairs(here.clients) do
    client:stop()
  end
  for _, driver in ipairs(here.attached) do
    pcall(driver.close, driver)
  end
  here.queue:unwatch()
end

--- Ends everything before Neovim ends. Servers that are still there after 200 ms get a signal, because the timers that
--- would send it no longer run.
function M.leave()
  local clients = state and state.clients or {}
  M.stop()
  vim.wait(200, function()
    return #vim.tbl_filter(function(client)
      return not client.pipe.exit
    end, clients) == 0
  end, 10)
  for _, client in ipairs(clients) do
    client.pipe:kill('sigterm')
  end
end

--- The text for a status line: "" if no question is open.
function M.status()
  return state and state.queue:status() or ''
end

--- Opens the question that waits longest, or the one with this id.
function M.open(id)
  begin().queue:open(id)
end

--- The questions that wait for an answer, or for the completion of a page: {id, server, message, since, awaiting}.
--- `since` is in milliseconds since 1970-01-01 UTC.
function M.pending()
  return vim.tbl_map(function(question)
    return {
      id = question.id,
      server = question.show.server,
      message = question.show.message,
      since = question.arrived,
      awaiting = question.awaiting or false,
    }
  end, state and state.queue.list or {})
end

--- Shows the decisions and their reasons: those of this Neovim, or those in a journal file.
function M.log(path)
  local History = require('elicit.history')
  local records = path and path ~= '' and History.load(vim.fn.expand(path)) or begin().history.records
  require('elicit.reader').open('elicit://log', History.read(records))
end

return M
