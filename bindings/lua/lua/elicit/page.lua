--- Consent to a page, and the wait for it to be finished.
local Sheet = require('elicit.sheet')
local view = require('elicit.view')

local Page = setmetatable({}, { __index = Sheet })
Page.__index = Page

function Page.open(question, desk, asked_for)
  return Sheet.begin(Page, question, desk, asked_for)
end

function Page:view()
  local state = self:state()
  state.awaiting = self.question.awaiting
  return view.page(self.question, state)
end

function Page:own_keys()
  local function map(key, run)
    self.window:map(key, function()
      if self.question.awaiting and not self.ended then
        run()
      end
    end)
  end
  map('o', function()
    self.desk:visit(self.question, self.question.show.url)
  end)
  map('d', function()
    self.question:done()
  end)
end

function Page:submit()
  if not self.question.awaiting then
    self.question.refused, self.notice = nil, nil
    self.question:accept()
    self:wait()
  end
end

--- While the page is awaited, closing is not refusing.
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
