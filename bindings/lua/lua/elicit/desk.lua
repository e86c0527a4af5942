--- Where questions wait for the person: one is open at a time, and none opens under somebody's hands.
local Engine = require('elicit.engine')
local Form = require('elicit.form')
local Page = require('elicit.page')
local Question = require('elicit.question')
local opener = require('elicit.opener')
local options = require('elicit.options')
local plain = require('elicit.plain')
local uv = vim.loop

local Desk = {}
Desk.__index = Desk

function Desk.new()
  return setmetatable({ list = {} }, Desk)
end

--- What performs the effects of one session. `asked(ref)` gives {schema, link} of an open request.
function Desk:host(driver, asked)
  local function find(effect)
    return self:find(effect.id)
  end
  return {
    show = function(effect)
      if not find(effect) then
        local question = Question.new(driver, effect, asked(effect.ref).schema)
        question.link = asked(effect.ref).link
        self:arrive(question)
      end
    end,
    reply = function(effect)
      self:replied(find(effect), effect)
    end,
    withdraw = function(effect)
      self:gone(find(effect), effect.cause)
    end,
    open_url = function(effect)
      self:visit(find(effect), effect.url)
    end,
    resolve = function(effect)
      local question = find(effect)
      if question then
        self:tell(question, effect.resolution == 'completed' and 'says the page is finished' or 'waited for the page in vain')
        self:gone(question, 'user')
      end
    end,
    extend = function(effect)
      local question = find(effect)
      if question then
        question.show.deadline = effect.deadline
      end
      self:redraw()
    end,
    problem = function(effect)
      self:rejected(find(effect), effect)
    end,
    over = function(cause, session)
      for _, question in ipairs(vim.list_slice(self.list)) do
        if question.driver == driver and question.session == (session or question.session) then
          self:gone(question, cause)
        end
      end
    end,
  }
end

function Desk:find(id)
  for _, question in ipairs(self.list) do
    if question.id == id then
      return question
    end
  end
end

--- How many questions wait behind this one, here and in the queue of its session.
function Desk:behind(question)
  local sessions, count = {}, 0
  for _, other in ipairs(self.list) do
    if not sessions[other.session] then
      sessions[other.session] = true
      count = count + other.driver:waiting(other.session)
    end
  end
  return math.max(0, count - (question.awaiting and 0 or 1))
end

--- One short line, so that Neovim does not ask for a key to go on.
function Desk:tell(question, what, level)
  local text = ('elicit: %s %s'):format(plain.line(question.show.server), plain.line(what))
  vim.notify(plain.cut(text, math.max(20, vim.o.columns - 14)), level or vim.log.levels.INFO)
end

function Desk:arrive(question)
  question.arrived = question.driver.now()
  table.insert(self.list, question)
  if self.sheet then
    return self:redraw()
  end
  self:tell(question, 'asks: ' .. question.show.message .. '  (:Elicit)')
  self:watch()
end

--- The first question that was not put aside.
function Desk:next()
  for _, question in ipairs(self.list) do
    if not question.aside and not question.awaiting then
      return question
    end
  end
end

--- Opens a question, by its id or the first, because the person asked for it.
function Desk:open(id)
  local question = id and self:find(id) or self:next() or self.list[1]
  if not question then
    vim.notify('elicit: nobody asks anything', vim.log.levels.INFO)
    return
  end
  if self.sheet then
    if self.sheet.question == question then
      return self.sheet.window:focus()
    end
    self.sheet.window:close()
    self.sheet:put_aside()
  end
  self:put(question, true)
end

function Desk:put(question, asked_for)
  self:unwatch()
  question.aside = nil
  local kind = question.show.mode == 'url' and Page or Form
  local ok, sheet = pcall(kind.open, question, self, asked_for)
  if ok then
    self.sheet = sheet
    return
  end
  question:cancel({ via = 'no_ui' })
  error(sheet, 0)
end

--- Nobody is typing, recording, choosing or in another float.
function Desk.calm()
  local mode = vim.api.nvim_get_mode()
  local config = vim.api.nvim_win_get_config(0)
  return mode.mode == 'n' and not mode.blocking and config.relative == '' and vim.fn.reg_recording() == ''
    and vim.fn.reg_executing() == '' and vim.fn.getcmdwintype() == '' and vim.fn.pumvisible() == 0
end

local keys = vim.api.nvim_create_namespace('elicit-keys')

--- Waits until nobody has pressed a key for a while, then opens the next question.
function Desk:watch()
  if self.timer or options.current.open ~= 'auto' or not self:next() then
    return
  end
  self.pressed = uv.now()
  vim.on_key(function()
    self.pressed = uv.now()
  end, keys)
  self.timer = uv.new_timer()
  self.timer:start(50, 50, vim.schedule_wrap(function()
    if not self.timer or uv.now() - self.pressed < options.current.calm or not Desk.calm() then
      return
    end
    local question = self:next()
    if question and not self.sheet then
      self:put(question, false)
    else
      self:unwatch()
    end
  end))
end

function Desk:unwatch()
  if self.timer then
    self.timer:close()
    self.timer = nil
    vim.on_key(nil, keys)
  end
end

function Desk:redraw()
  if self.sheet then
    self.sheet:redraw()
  end
end

function Desk:drop(question)
  question.over = true
  for i, other in ipairs(self.list) do
    if other == question then
      table.remove(self.list, i)
    end
  end
end

function Desk:replied(question, effect)
  if not question then
    return self:redraw()
  end
  question.answered = effect.outcome
  if question.show.mode == 'url' and effect.outcome == 'accept' and question.link then
    question.awaiting = true
    return self:redraw()
  end
  -- A page is opened, or the question withdrawn, by an effect that follows.
  if not (question.show.mode == 'url' and effect.outcome == 'accept') then
    self:gone(question, effect.cause)
  end
end

--- A question ended, here or without this person.
function Desk:gone(question, cause)
  if not question or question.over then
    return
  end
  self:drop(question)
  if self.sheet and self.sheet.question == question then
    self.sheet:over(cause)
  elseif cause ~= 'user' then
    self:tell(question, 'is over: ' .. Engine.explain('causes', { cause })[1])
  end
  self:redraw()
end

--- Opens the page of a question the person has agreed to.
function Desk:visit(question, url)
  if not question then
    return
  end
  opener.open(url, function(why)
    self:tell(question, 'the page could not be opened (' .. why .. '): ' .. url, vim.log.levels.WARN)
    if self.sheet and self.sheet.question == question then
      self.sheet:say('The page could not be opened: ' .. plain.line(why) .. '. Copy the address.')
    end
  end)
  if not question.awaiting then
    self:gone(question, 'user')
  end
end

function Desk:rejected(question, effect)
  if not question or question.over then
    return
  end
  if self.sheet and self.sheet.question == question then
    self.sheet:rejected(effect.problems)
  else
    self:tell(question, Engine.explain('problems', effect.problems)[1] or '', vim.log.levels.WARN)
  end
end

--- A sheet tells that its question is over and its window closed.
function Desk:settled(sheet)
  if self.sheet ~= sheet then
    return
  end
  self.sheet = nil
  local question = self:next()
  if not question then
    return
  end
  -- Whoever has just answered is at it still.
  if sheet.question.answered and vim.api.nvim_get_mode().mode == 'n' then
    vim.schedule(function()
      if not self.sheet and not question.over then
        self:put(question, false)
      end
    end)
  else
    self:watch()
  end
end

--- A sheet tells that it was put aside.
function Desk:later(sheet)
  if self.sheet ~= sheet then
    return
  end
  self.sheet = nil
  sheet.question.aside = true
  if not sheet.question.awaiting then
    self:tell(sheet.question, 'still waits for an answer (:Elicit)')
  end
  self:watch()
end

--- For a status line: "" or how many wait.
function Desk:status()
  local count = #self.list
  return count == 0 and '' or count == 1 and '1 question' or count .. ' questions'
end

return Desk
