--- The queue of questions for the person. One question is open at a time, and none opens while the person is typing.
local Engine = require('elicit.engine')
local Form = require('elicit.form')
local Page = require('elicit.page')
local Question = require('elicit.question')
local clock = require('elicit.clock')
local opener = require('elicit.opener')
local options = require('elicit.options')
local plain = require('elicit.plain')
local reader = require('elicit.reader')
local uv = (vim.uv or vim.loop)

local Queue = {}
Queue.__index = Queue

function Queue.new()
  return setmetatable({ list = {}, unsettled = 0 }, Queue)
end

--- The most notes of one connection that are shown in a minute.
local most_notes = 5

--- Functions that perform the effects of one connection. `driver` is its loop, `server` the name of its server, and
--- `config` the configuration of its engine.
function Queue:host(driver, server, config)
  local asked, since, noted = {}, 0, 0
  local function find(effect)
    return self:find(effect.id)
  end
  driver.after = function()
    if driver.closed then
      self:over(driver)
    end
    self:redraw()
  end
  return {
    question = function(effect)
      self.unsettled, asked[effect.ref] = self.unsettled + 1, effect
    end,
    show = function(effect)
      if find(effect) then
        return self:again(find(effect))
      end
      local of = asked[effect.ref] or {}
      local question = Question.new(driver, effect, of.schema_text, config)
      question.link = of.link
      self:arrive(question)
    end,
    settled = function(effect)
      self.unsettled, asked[effect.ref] = self.unsettled - 1, nil
      self:settled_by(find(effect.reply), effect.reply, server)
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
        local completed = effect.resolution == 'completed'
        self:tell(question.show.server, completed and 'says the page is finished' or 'waited for the page in vain')
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
      if effect.about == 'answer' then
        self:rejected(find(effect), effect)
      end
    end,
    note = function(effect)
      -- The limit keeps a peer from flooding the person: it can cause any number of notes.
      since, noted = clock() - since < 60000 and since or clock(), clock() - since < 60000 and noted + 1 or 1
      if noted <= most_notes then
        local why = table.concat(Engine.explain('problems', effect.problems), '; ')
        self:tell(server .. ':', (effect.refused and 'a message was refused: ' or '') .. why, vim.log.levels.WARN)
      end
    end,
  }
end

--- Removes the questions of a connection that has ended.
function Queue:over(driver)
  for _, question in ipairs(vim.list_slice(self.list)) do
    if question.driver == driver then
      self:gone(question, 'session_closed')
    end
  end
end

--- The reason for a reply: a guardian's own words, or the sentence of the cause.
function Queue.why(reply)
  local voices = reply.cause == 'guardian' and Question.voices(reply.reasons) or {}
  return #voices > 0 and table.concat(voices, '; ') or Engine.explain('causes', { reply.cause })[1]
end

function Queue:find(id)
  for _, question in ipairs(self.list) do
    if question.id == id then
      return question
    end
  end
end

--- The number of questions that wait behind this one, from all servers.
function Queue:behind(question)
  return math.max(0, self.unsettled - (question.answered and 0 or 1))
end

--- Shows one short line. Neovim would wait for a key after a longer one.
function Queue:tell(server, what, level)
  local text = ('elicit: %s %s'):format(plain.line(server), plain.line(what))
  vim.notify(plain.cut(text, math.max(20, vim.o.columns - 14)), level or vim.log.levels.INFO)
end

function Queue:arrive(question)
  question.arrived = clock()
  table.insert(self.list, question)
  if self.sheet then
    return self:redraw()
  end
  if self.at_it and uv.now() - self.at_it < 1000 then
    return self:go_on()
  end
  self:tell(question.show.server, 'asks: ' .. question.show.message .. '  (:Elicit)')
  self:watch()
end

--- Opens the next question at once, because the person has just answered one.
function Queue:go_on()
  vim.schedule(function()
    local question = self:next()
    if question and not self.sheet and Queue.calm() then
      self:put(question, false)
    else
      self:watch()
    end
  end)
end

--- The first question that the person has not put aside.
function Queue:next()
  for _, question in ipairs(self.list) do
    if not question.aside and not question.awaiting then
      return question
    end
  end
end

--- Opens the question with this id, or the first, because the person asked for it.
function Queue:open(id)
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

function Queue:put(question, asked_for)
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

--- Whether the person is in normal mode and not recording, choosing or in a floating window.
function Queue.calm()
  local mode = vim.api.nvim_get_mode()
  local config = vim.api.nvim_win_get_config(0)
  return mode.mode == 'n' and not mode.blocking and config.relative == '' and vim.fn.reg_recording() == ''
    and vim.fn.reg_executing() == '' and vim.fn.getcmdwintype() == '' and vim.fn.pumvisible() == 0
end

local keys = vim.api.nvim_create_namespace('elicit-keys')

--- Waits until no key was pressed for the time of the option `calm`, and then opens the next question.
function Queue:watch()
  if self.timer or options.current.open ~= 'auto' or not self:next() then
    return
  end
  self.pressed = uv.now()
  vim.on_key(function()
    self.pressed = uv.now()
  end, keys)
  self.timer = uv.new_timer()
  self.timer:start(50, 50, vim.schedule_wrap(function()
    if not self.timer or uv.now() - self.pressed < options.current.calm or not Queue.calm() then
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

function Queue:unwatch()
  if self.timer then
    self.timer:close()
    self.timer = nil
    vim.on_key(nil, keys)
  end
end

function Queue:redraw()
  if self.sheet then
    self.sheet:redraw()
  end
end

function Queue:drop(question)
  question.over = true
  for i, other in ipairs(self.list) do
    if other == question then
      table.remove(self.list, i)
    end
  end
end

--- A new engine shows a question that is here already. No guardian reviews an answer to it any more.
function Queue:again(question)
  if self.sheet and self.sheet.question == question then
    self.sheet:say(nil)
  end
end

local by_peer = { peer_cancelled = true, session_closed = true, shutdown = true }

--- The server got its reply. If the person never saw the question, a line says why.
function Queue:settled_by(question, reply, server)
  if question then
    return self:replied(question, reply)
  elseif not by_peer[reply.cause] then
    self:tell(server, ('asked, and the answer was %s: %s  (:ElicitLog)'):format(reply.outcome, Queue.why(reply)))
  end
end

function Queue:replied(question, effect)
  question.answered, question.why = effect.outcome, effect.cause == 'guardian' and Queue.why(effect) or nil
  if question.show.mode == 'url' and effect.outcome == 'accept' and question.link then
    question.awaiting = true
    return self:redraw()
  end
  -- For an agreed page, a later effect opens it or withdraws the question.
  if not (question.show.mode == 'url' and effect.outcome == 'accept') then
    self:gone(question, effect.cause)
  end
end

--- Removes a question that ended, by this person or without them.
function Queue:gone(question, cause)
  if not question or question.over then
    return
  end
  self:drop(question)
  if self.sheet and self.sheet.question == question then
    self.sheet:over(cause)
  elseif cause ~= 'user' then
    self:tell(question.show.server, 'has no answer: ' .. (question.why or Engine.explain('causes', { cause })[1]))
  end
  self:redraw()
end

--- Opens the page that the person has agreed to.
function Queue:visit(question, url)
  if not question then
    return
  end
  opener.open(url, function(why)
    if self.sheet and self.sheet.question == question then
      return self.sheet:say('The page could not be opened: ' .. plain.line(why) .. '. Copy the address.')
    end
    self:tell(question.show.server, 'has a page that could not be opened: ' .. why, vim.log.levels.WARN)
    reader.open('elicit://page', { lines = { 'Open this page yourself:', '', plain.line(url) } })
  end)
  if not question.awaiting then
    self:gone(question, 'user')
  end
end

function Queue:rejected(question, effect)
  if not question or question.over then
    return
  end
  if self.sheet and self.sheet.question == question then
    self.sheet:rejected(effect.problems)
  else
    question:refuse(effect.problems)
    self:tell(question.show.server, Engine.explain('problems', effect.problems)[1] or '', vim.log.levels.WARN)
  end
end

--- A sheet calls it when its question is over and its window closed.
function Queue:settled(sheet)
  if self.sheet ~= sheet then
    return
  end
  self.sheet = nil
  if sheet.question.answered then
    self.at_it = uv.now()
    self:go_on()
  else
    self:watch()
  end
end

--- A sheet calls it when the person puts it aside.
function Queue:later(sheet)
  if self.sheet ~= sheet then
    return
  end
  self.sheet = nil
  sheet.question.aside = true
  if not sheet.question.awaiting then
    self:tell(sheet.question.show.server, 'still waits for an answer (:Elicit)')
  end
  self:watch()
end

--- The text for a status line: "" or the number of waiting questions.
function Queue:status()
  local count = #self.list
  return count == 0 and '' or count == 1 and '1 question' or count .. ' questions'
end

return Queue
