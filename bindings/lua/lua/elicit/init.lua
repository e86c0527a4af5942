--- elicit.nvim: questions of MCP servers, decided by policy, drawn as forms, answered once. See :help elicit.
local options = require('elicit.options')

local M = {}

--- One engine, one desk and one history for this Neovim.
local one

--- Takes the options of :help elicit-options. Calling it is only needed to change them; before the first question, or all
--- that is open is settled with the cause shutdown.
function M.setup(given)
  M.stop()
  options.set(given)
  require('elicit.library').told = options.current.library
  options.highlights()
end

--- Opens what takes a configuration; what is wrong with that is thrown in English.
local function opened(open, config, more)
  local ok, got = pcall(open, config, more)
  if ok then
    return got
  end
  local Fault = require('elicit.fault')
  if Fault.is(got) and #got.problems > 0 then
    got = Fault.new(got.status, 'the options are refused: ' .. require('elicit.engine').why(got), got.problems)
  end
  error(got, 0)
end

local function began()
  if one then
    return one
  end
  local Desk, Driver, History = require('elicit.desk'), require('elicit.drive'), require('elicit.history')
  options.highlights()
  local path = options.current.journal
  local history = History.new(path and (path == true and History.default_path() or vim.fn.expand(path)) or nil)
  local config, guardians = options.config()
  local driver = opened(Driver.new, config, {
    consult = options.current.consult,
    journal = function(line)
      history:keep(line)
    end,
    replaced = function(fault)
      vim.notify('elicit: the engine broke and was replaced: ' .. tostring(fault), vim.log.levels.ERROR)
    end,
  })
  for _, guardian in ipairs(guardians) do
    local complaint = require('elicit.guardian').complaint(guardian)
    if complaint then
      vim.notify('elicit: ' .. complaint, vim.log.levels.WARN)
    end
  end
  one = { desk = Desk.new(), driver = driver, history = history, clients = {} }
  vim.api.nvim_create_autocmd('VimLeavePre', { group = vim.api.nvim_create_augroup('elicit', {}), callback = M.stop })
  return one
end

--- The driver of this Neovim's engine, for plugins that speak to peers themselves: `driver:join(session, desk:host(…))`.
function M.driver()
  return began().driver
end

function M.desk()
  return began().desk
end

--- Starts an MCP server and answers its questions. `server`: name, cmd, cwd, env, ready(client), gone(why). Returns the
--- client of elicit.mcp.
function M.connect(server)
  local here = began()
  local client = require('elicit.mcp').start(vim.tbl_extend('force', server, { driver = here.driver, ui = here.desk }))
  table.insert(here.clients, client)
  return client
end

--- Settles all that is open, ends the servers, closes the journal. It may be called again.
function M.stop()
  local here = one
  one = nil
  if not here then
    return
  end
  for _, client in ipairs(here.clients) do
    client:stop()
  end
  pcall(here.driver.shutdown, here.driver)
  here.desk:unwatch()
  here.history:close()
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
