--- Collects the lines of a window and the marks of their colours.
local plain = require('elicit.plain')

local Lines = {}
Lines.__index = Lines
local width = vim.fn.strdisplaywidth

function Lines.new(columns)
  return setmetatable({ lines = {}, marks = {}, rows = {}, columns = columns }, Lines)
end

--- Adds a line of parts. A part is a text or {text, group}.
function Lines:line(...)
  local text, row = ' ', #self.lines
  for _, part in ipairs({ ... }) do
    local said, group = part, nil
    if type(part) == 'table' then
      said, group = part[1], part[2]
    end
    if group then
      self.marks[#self.marks + 1] = { row = row, from = #text, to = #text + #said, group = group }
    end
    text = text .. said
  end
  self.lines[row + 1] = text
end

function Lines:text(text, group)
  for _, line in ipairs(plain.lines(text, self.columns - 2)) do
    self:line({ line, group })
  end
end

--- Adds a text of the peer. A bar stands before each line, so that no line can imitate one of ours.
function Lines:peer(text, group)
  for _, line in ipairs(plain.lines(text, self.columns - 4)) do
    self:line({ '▌', 'ElicitServer' }, { ' ' .. line, group })
  end
end

--- Adds one line of a peer's code with all of its blanks. Where the line goes on in a further line of the window, an
--- arrow follows the bar, so that no line imitates the beginning of another.
function Lines:code(line, group)
  for i, part in ipairs(plain.hard(plain.line(line), self.columns - 4)) do
    self:line({ '▌', 'ElicitServer' }, { i == 1 and ' ' or '↪', 'ElicitQuiet' }, { part, group })
  end
end

--- Adds a text of the peer that is made of pieces {text, group}. A line ends at any character.
function Lines:pieces(pieces)
  local row, used, most = {}, 0, self.columns - 4
  local function flush()
    self:line({ '▌', 'ElicitServer' }, ' ', unpack(row))
    row, used = {}, 0
  end
  for _, piece in ipairs(pieces) do
    for i, text in ipairs(vim.split(piece[1], '\n', { plain = true })) do
      if i > 1 then
        flush()
      end
      local held = ''
      for _, character in ipairs(plain.characters(plain.line(text))) do
        local columns = width(character)
        if used + columns > most then
          row[#row + 1] = { held, piece[2] }
          flush()
          held = ''
        end
        held, used = held .. character, used + columns
      end
      row[#row + 1] = { held, piece[2] }
    end
  end
  flush()
end

--- Adds a line with `left` at the left edge and `right` at the right edge.
function Lines:spread(left, group, right)
  left = plain.cut(left, math.max(8, self.columns - 4 - width(right)))
  self:line({ left, group }, (' '):rep(self.columns - 2 - width(left) - width(right)), { right, 'ElicitQuiet' })
end

return Lines
