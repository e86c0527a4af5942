--- The whole way in a real terminal: Neovim in tmux, keys as they are pressed, server-everything on the other end. With
--- $ELICIT_PICTURES naming a directory, the screens are kept there.
local harness = require('harness')
local looks = require('looks')
local test, truthy = harness.test, harness.truthy

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h')
local top = vim.fn.fnamemodify(here, ':h:h')
local everything = top .. '/testdata/realparts/node_modules/@modelcontextprotocol/server-everything/dist/index.js'

local Terminal = {}
Terminal.__index = Terminal

local function tmux(self, ...)
  local out = vim.fn.system({ 'tmux', '-L', self.socket, ... })
  return vim.v.shell_error == 0 and out or ''
end

--- Neovim on a screen of its own, set up by a file as a user would have it. `self.looks` is the file of `looks`.
function Terminal.open(setup)
  local self = setmetatable({ socket = 'elicit-' .. vim.fn.getpid() .. '-' .. vim.loop.hrtime() }, Terminal)
  self.looks = vim.fn.tempname()
  local init = vim.fn.tempname() .. '.lua'
  local lines = {
    'vim.opt.rtp:prepend(' .. vim.inspect(here) .. ')',
    'vim.o.termguicolors = true',
    'vim.o.swapfile = false',
    looks.code(self.looks),
    'require("elicit").setup(' .. setup .. ')',
  }
  vim.fn.writefile(vim.split(table.concat(lines, '\n'), '\n'), init)
  local command = ('exec nvim -i NONE -u %s %s'):format(init, vim.fn.shellescape(vim.fn.tempname() .. '-empty'))
  tmux(self, '-f', '/dev/null', 'new-session', '-d', '-x', '108', '-y', '36', command)
  tmux(self, 'set-option', '-ga', 'terminal-overrides', ',*:Tc')
  self:sees('-empty')
  return self
end

--- The text on the screen, with runs of blanks as one.
function Terminal:screen()
  return (tmux(self, 'capture-pane', '-p'):gsub(' +', ' '))
end

function Terminal:keys(...)
  tmux(self, 'send-keys', ...)
end

function Terminal:sees(text, most)
  local ok, why = pcall(harness.wait, text, function()
    return self:screen():find(text, 1, true)
  end, most or 15000)
  if not ok then
    error(why .. ' ' .. self:screen(), 2)
  end
end

--- Ends the line that is typed into. The escape key is one only when nothing follows it at once.
function Terminal:leave()
  self:sees('<Esc> done')
  self:keys('Escape')
  self:sees('S submit')
end

--- Keeps the screen as it is, with its colours.
function Terminal:picture(name)
  local directory = vim.env.ELICIT_PICTURES
  if directory then
    vim.fn.writefile(vim.split(tmux(self, 'capture-pane', '-p', '-e'), '\n'), directory .. '/' .. name .. '.ansi')
  end
end

function Terminal:close()
  tmux(self, 'kill-server')
end

local function session(name, setup, run)
  test(name, function()
    local terminal = Terminal.open(setup)
    local ok, why = pcall(run, terminal)
    terminal:close()
    if not ok then
      error(why, 0)
    end
  end)
end

local setup = ([[{ demo = { cmd = { "node", %q, "stdio" }, tool = "trigger-elicitation-request" },
  calm = 300, grace = 0 }]]):format(everything)

session('server-everything: filled by keys, wrong input marked, the reply seen by the server', setup, function(terminal)
  terminal:keys(':ElicitDemo', 'Enter')
  terminal:sees('▸ String *')
  terminal:keys('i', 'Ada Lovelace', 'Tab')
  terminal:sees('String * Ada Lovelace')
  terminal:keys('Space')
  terminal:sees('[x] yes')
  terminal:keys('j', 'j', 'i', 'ada at example')
  terminal:sees('✗ this is not a valid email')
  terminal:keys('Tab', 'j', 'j', 'i', 'C-u', '700')
  terminal:sees('✗ this must be at most 100')
  terminal:picture('form')
  terminal:keys('C-s')
  terminal:sees('▸ String with email')
  terminal:keys('i', 'C-u', 'ada@example.org')
  terminal:leave()
  terminal:keys('j', 'j', 'j')
  terminal:sees('▸ Integer')
  terminal:keys('i', 'C-u', '70')
  terminal:leave()
  terminal:keys('j', 'j', 'j', 'Enter')
  terminal:sees('[ ] Violin')
  terminal:keys('j', 'Space', 'j', 'Space')
  terminal:sees('[x] Violin')
  terminal:picture('choices')
  terminal:keys('Enter')
  terminal:keys('S')
  terminal:sees('The tool trigger-elicitation-request says:')
  terminal:sees('User provided the requested information')
  local sent = { 'Name: Ada Lovelace', 'Agreed to terms: true', 'Email: ada@example.org', 'Favorite Integer: 70',
    'Favorite Number: 3.14' }
  for _, text in ipairs(sent) do
    truthy(terminal:screen():find('- ' .. text, 1, true), text .. terminal:screen())
  end
  terminal:keys('C-w', 'j', 'G')
  terminal:sees('"legacyTitledEnum": "pet-1"')
end)

session('server-everything: declined by a key', setup, function(terminal)
  terminal:keys(':ElicitDemo', 'Enter')
  terminal:sees('▸ String *')
  terminal:keys('D')
  terminal:sees('User declined')
end)

session('server-everything: somebody who types is left alone', setup, function(terminal)
  terminal:keys('G', 'o', 'some text')
  terminal:sees('some text')
  terminal:keys('Escape', ':ElicitDemo', 'Enter', 'o', 'and more')
  terminal:sees('and more')
  looks.wait(terminal.looks, 20) -- the question is there, and the time of `calm` is over
  local screen = terminal:screen()
  truthy(not screen:find('Please provide inputs:', 1, true) or not screen:find('▸', 1, true), screen)
  terminal:keys(' after', 'Escape')
  terminal:sees('▸ String *')
  terminal:sees('and more after')
end)

local demo = ([[{ demo = { cmd = { %q } }, calm = 300, grace = 0, opener = { "true" },
  config = { limits = { answer_ttl_ms = 240000 } } }]]):format(top .. '/dist/demoserver')

session('demoserver: a secret is masked on the screen, a page is consented to', demo, function(terminal)
  terminal:keys(':ElicitDemo leak', 'Enter')
  terminal:sees('▸ API key')
  terminal:keys('i', 'sk-hunter2')
  terminal:sees('••••••••••')
  truthy(not terminal:screen():find('hunter', 1, true), terminal:screen())
  terminal:keys('Tab', 'i', 'pw')
  terminal:leave()
  terminal:keys('S')
  terminal:sees('Got a key of 10 and a password of 2 characters.')
  terminal:keys(':ElicitDemo connect', 'Enter')
  terminal:sees('https://accounts.example.com/connect/tracker')
  terminal:picture('page')
  terminal:keys('S')
  terminal:sees('Linked the account.')
  terminal:keys(':ElicitDemo phish', 'Enter')
  terminal:sees('Declined: nothing was done.')
  terminal:keys(':ElicitLog', 'Enter')
  terminal:sees('finding url_userinfo is critical')
  terminal:picture('log')
end)
