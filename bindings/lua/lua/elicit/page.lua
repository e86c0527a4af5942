--- The window for the consent to a page, and for the wait for its completion.
local Sheet = require('elicit.sheet')
local reading = require('elicit.reading')
local view = require('elicit.view')

local Page = setmetatable({}, { __index = Sheet })
Page.__index = Page

function Page.open(question, queue, asked_for)
  return Sheet.begin(Page, question, queue, asked_for)
end

function Page:view()
  local state = self:state()
  state.awaiting = self.question.awaiting
  return view.page(self.question, state)
end

function Page:own_keys()
  local function map(key, run)
    self:map(key, function()
      if self.question.awaiting then
        run()
      end
    end)
  end
  map('o', function()
    self.queue:visit(self.question, self.question.show.url)
  end)
  map('d', function()
    self.question:done()
  end)
end

function Page:submit()
  if not self.question.awaiting and reading.is_read(self) then
    self.question.refused, self.notice = nil, nil
    self.question:accept()
    self:wait()
  end
end

--- Cancels the question. While the page is awaited, it only closes the window.
function Page:refuse()
  if self.question.awaiting then
    self.window:close()
    return self:put_aside()
  end
  Sheet.refuse(self)
end

function Page:rejected(problems)
  self.question:refuse(problems)
  self:say(table.concat(require('elicit.engine').explain('problems', problems), '; '))
end

return Page
