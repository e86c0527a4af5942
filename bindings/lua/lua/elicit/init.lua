--- elicit.nvim: questions of MCP servers, decided by policy, drawn as forms, answered once. See :help elicit.
local options = require('elicit.options')

local M = {}

--- One desk and one history for this Neovim, and its connections.
local one

--- Takes the options of :help elicit-options. Calling it is only needed to change them; before the first question, or all
--- that is open is settled with the cause shutdown.
function M.setup(given)
  M.stop()
  options.set(given)
  require('elicit.library').told = options.current.library
  options.highlights()
end

local function began()
  if one then
    return one
  end
  local Desk, History = require('elicit.desk'), require('elicit.history')
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
  one = { desk = Desk.new(), history = history, config = config, clients = {}, attached = {}, names = {} }
  vim.api.nvim_create_autocmd('VimLeavePre', { group = group, callback = M.leave })
  return one
end

--- The engine's configuration for a connection with the server `name`. It names the servers that came before, so that this
--- one cannot imitate them unnoticed.
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

--- A driver for `relay`; what is wrong with the options is thrown in English.
local function opened(relay, given)
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

--- Opens a connection for a plugin that speaks to a server itself, and returns its driver (elicit.drive). `given`: name,
--- send(to, message), which writes to the "client" or the "server"; and, where they matter, identity, role, session
--- (docs/relay.md) and broken(fault).
function M.attach(given)
  local here = began()
  local relay = { server = given.name, identity = given.identity, role = given.role, session = given.session }
  relay.config, relay.modes = config_for(here, given.name), { 'form', 'url' }
  local journal = here.history:journal()
  local own = { send = given.send, broken = given.broken, journal = journal.keep, consult = options.current.consult }
  local ok, driver = pcall(opened, relay, own)
  if not ok then
    journal.close()
    error(driver, 0)
  end
  driver.host = here.desk:host(driver, given.name, relay.config)
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

function M.desk()
  return began().desk
end

--- Starts an MCP server and answers its questions. `server`: name, cmd, cwd, env, ready(client), gone(why). Returns the
--- client of elicit.mcp.
function M.connect(server)
  local client = require('elicit.mcp').start(server, M.attach)
  local here = began()
  here.clients = vim.tbl_filter(function(other)
    return not other.pipe.exit
  end, here.clients)
  table.insert(here.clients, client)
  return client
end

--- Settles all that is open, ends the servers, closes the journals. It may be called again.
function M.stop()
  local here = one
  one = nil
  if not here then
    return
  end
  for _, client in ipairs(here.clients) do
    client:stop()
  end
  for _, driver in ipairs(here.attached) do
    pcall(driver.close, driver)
  end
  here.desk:unwatch()
end

--- Ends everything before Neovim does. Servers that stay get a signal, because no timer runs any more.
function M.leave()
  local clients = one and one.clients or {}
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

--- For a status line: "" when nobody asks anything.
function M.status()
  return one and one.desk:status() or ''
end

--- Opens the question that waits longest, or the one with this id.
function M.open(id)
  began().desk:open(id)
end

--- What waits for an answer or for a page to be finished: {id, server, message, since, awaiting}.
function M.pending()
  return vim.tbl_map(function(question)
    return {
      id = question.id,
      server = question.show.server,
      message = question.show.message,
      since = question.arrived,
      awaiting = question.awaiting or false,
    }
  end, one and one.desk.list or {})
end

--- Shows what was decided and why: here, or in a journal file.
function M.log(path)
  local History = require('elicit.history')
  local records = path and path ~= '' and History.load(vim.fn.expand(path)) or began().history.records
  require('elicit.reader').open('elicit://log', History.read(records))
end

return M
