if vim.g.loaded_elicit then
  return
end
vim.g.loaded_elicit = true

if vim.fn.has('nvim-0.7') == 0 then
  vim.api.nvim_err_writeln('elicit.nvim needs Neovim 0.7 or newer')
  return
end

-- No module is loaded before its first use.
local function command(name, what, more, arguments)
  vim.api.nvim_create_user_command(name, function(given)
    require('elicit.commands').run(what, arguments and arguments(given))
  end, more)
end

command('Elicit', 'open', { desc = 'Open the question that waits' })
command('ElicitPending', 'pending', { desc = 'List the questions that wait' })
command('ElicitLog', 'log', { nargs = '?', complete = 'file', desc = 'Show what was decided, and why' }, function(given)
  return given.args
end)
command('ElicitDemo', 'demo', { nargs = '*', desc = 'Try a server that asks: [tool [command …]]' }, function(given)
  return given.fargs
end)
