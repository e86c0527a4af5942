--- The window of one question: what a form and a page have in common, such as the keys and the notice of the end.
local Engine = require('elicit.engine')
local Window = require('elicit.window')
local clock = require('elicit.clock')
local options = require('elicit.options')
local reading = require('elicit.reading')
local view = require('elicit.view')
local uv = (vim.uv or vim.loop)

local Sheet = {}
Sheet.__index = Sheet

--- Opens a sheet. It calls settled(sheet) or later(sheet) of `queue`. `asked_for` says that the person opened it.
function Sheet.begin(kind, question, queue, asked_for)
  local self = setmetatable({ question = question, queue = queue }, kind)
  self.findings, self.voices = question:findings(), question.voices(question.show.reasons)
  self.armed = uv.now() + (asked_for and 0 or options.current.grace)
  self.window = Window.open(self:view(), {
    focus = true,
    filetype = 'elicit',
    closed = function()
      self:put_aside()
    end,
  })
  self.drawn = self.drawn or self:view()
  self:shared_keys()
  self:own_keys()
  reading.begin(self)
  self.window:on('VimResized', function()
    self:redraw()
  end)
  if question.show.deadline then
    self.clock = uv.new_timer()
    self.clock:start(1000, 1000, vim.schedule_wrap(function()
      self:redraw()
    end))
  end
  question:note('shown')
  question:note('focused')
  return self
end

function Sheet:state()
  return {
    columns = Window.columns(),
    now = clock(),
    waiting = self.queue:behind(self.question),
    findings = self.findings,
    voices = self.voices,
    keys = options.current.keys,
    notice = self.notice,
    help = self.help,
  }
end

--- Maps a key, or each key of a list, to what it does until the question is over.
function Sheet:map(keys, run, about)
  self.window:map(keys, function()
    if not self.ended then
      run()
    end
  end, about)
end

function Sheet:shared_keys()
  local k = options.current.keys
  local function decide(keys, about, run)
    self:map(keys, function()
      if uv.now() >= self.armed then
        run()
      end
    end, about)
  end
  for _, keys in ipairs({ k.submit, '<C-s>' }) do
    decide(keys, 'submit', function()
      self:submit()
    end)
  end
  decide(k.decline, 'decline', function()
    self.question:decline()
  end)
  decide(k.mute, 'decline and mute the server', function()
    self.question:decline({ mute = true })
  end)
  decide(k.cancel, 'cancel', function()
    self:refuse()
  end)
  self:map(k.later, function()
    self.window:close()
    self:put_aside()
  end, 'later')
  self:map(k.more_time, function()
    self.question:extend(60000)
  end, 'more time')
  self:map(k.help, function()
    self.help = not self.help
    self:redraw()
  end, 'more keys')
end

function Sheet:refuse()
  self.question:cancel()
end

function Sheet:redraw()
  if not self.ended and self.window:is_open() then
    self.drawn = self:view()
    self.window:draw(self.drawn)
    reading.look(self)
  end
end

--- Says that guardians review the answer, if there is no result of it yet.
function Sheet:wait()
  if not self.ended and not self.question.over and not self.question.answered and not self.question.refused then
    self:say('Guardians are looking at the answer.')
  end
end

--- Says something to the person, in the window.
function Sheet:say(notice)
  self.notice = notice
  self:redraw()
end

--- Keeps the question without its window. It waits until the person asks for it.
function Sheet:put_aside()
  self:stop()
  if not self.ended then
    self.queue:later(self)
  end
end

--- The question is over. If the person is in the window, it stays with the reason until they close it, so that no key
--- that they press reaches another window. Otherwise it closes.
function Sheet:over(cause)
  local sentence = self.question.why or Engine.explain('causes', { cause })[1]
  if cause == 'user' or not self.window:is_open() then
    return self:close()
  end
  local away = not self:is_current()
  self.ended = true
  self:stop()
  if away then
    self.window:close()
    self.queue:tell(self.question.show.server, 'has no answer: ' .. sentence)
    self.queue:settled(self)
    return
  end
  local key = options.current.keys.cancel
  local text = 'It ended without your answer: ' .. sentence .. '.'
  self.window:end_hint()
  self.window:draw(view.over(self.question, text, key, Window.columns()))
  self.window:map({ key, '<CR>', '<Esc>' }, function()
    self:close()
  end, 'close')
  self.window:go(0)
end

function Sheet:is_current()
  return self.window:is_current()
end

--- Stops the timer of the sheet.
function Sheet:stop()
  if self.clock and not self.clock:is_closing() then
    self.clock:close()
  end
end

function Sheet:close()
  self.ended = true
  self:stop()
  self.window:close()
  self.queue:settled(self)
end

return Sheet
