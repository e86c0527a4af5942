--- Makes a peer's text safe to draw. Invisible characters are spelled out, so that no text hides and none breaks a
--- line.
local M = {}

local invisible = require('elicit.invisible')

local function within(ranges, code)
  for _, range in ipairs(ranges) do
    if code >= range[1] and code <= range[2] then
      return true
    end
  end
  return false
end

local joiner, selector, keycap = 0x200d, 0xfe0f, 0x20e3

--- Whether a joiner or a selector only changes how an emoji is drawn. `last` and `earlier` are the code points drawn
--- before it, 0 for one that was spelled.
local function of_emoji(code, last, earlier, after)
  if code == selector then
    local digit = last >= 48 and last <= 57 or last == 35 or last == 42
    return within(invisible.pictographs, last) or digit and after == keycap
  end
  local emoji = within(invisible.pictographs, last) or last == selector and within(invisible.pictographs, earlier)
  return code == joiner and emoji and after ~= nil and within(invisible.pictographs, after)
end

local lowest = { 0, 0x80, 0x800, 0x10000 }

--- The code point at `at` and its length in bytes; nil if the bytes there are not UTF-8.
local function code_at(text, at)
  local first = text:byte(at)
  if not first then
    return nil
  end
  local length = first < 0x80 and 1
    or first >= 0xc2 and first < 0xe0 and 2
    or first >= 0xe0 and first < 0xf0 and 3
    or first >= 0xf0 and first < 0xf5 and 4
  if not length then
    return nil
  end
  local code = length == 1 and first or first % 2 ^ (7 - length)
  for i = 1, length - 1 do
    local next = text:byte(at + i)
    if not next or next < 0x80 or next > 0xbf then
      return nil
    end
    code = code * 64 + next % 64
  end
  if code < lowest[length] or code > 0x10ffff or (code >= 0xd800 and code <= 0xdfff) then
    return nil
  end
  return code, length
end

--- A text as one line. A line feed in it is drawn as an arrow.
function M.line(text)
  if not text:find('[^\32-\126]') then
    return text
  end
  local out, at = {}, 1
  local last, earlier = 0, 0
  while at <= #text do
    local code, length = code_at(text, at)
    local drawn = code or 0
    if not code then
      out[#out + 1], length = ('<%02x>'):format(text:byte(at)), 1
    elseif code == 10 then
      out[#out + 1] = '⏎'
    elseif code == 9 then
      out[#out + 1] = '    '
    elseif code < 32 then
      out[#out + 1] = '^' .. string.char(code + 64)
    elseif code == 127 then
      out[#out + 1] = '^?'
    elseif within(invisible.invisible, code) and not of_emoji(code, last, earlier, (code_at(text, at + length))) then
      out[#out + 1] = ('<U+%04X>'):format(code)
      drawn = 0
    else
      out[#out + 1] = text:sub(at, at + length - 1)
    end
    at = at + length
    last, earlier = drawn, last
  end
  return table.concat(out)
end

--- The characters of a text, each as its bytes. A byte that is not UTF-8 counts as a character.
function M.characters(text)
  local list, at = {}, 1
  while at <= #text do
    local _, length = code_at(text, at)
    length = length or 1
    list[#list + 1] = text:sub(at, at + length - 1)
    at = at + length
  end
  return list
end

local width = vim.fn.strdisplaywidth

--- Adds the words of a line to `out`, in lines of at most `most` columns.
local function wrapped(line, most, out)
  if width(line) <= most then
    out[#out + 1] = line
    return
  end
  local indent = line:match('^%s*')
  local current = nil
  for word in line:gmatch('%S+') do
    if current and width(current) + 1 + width(word) <= most then
      current = current .. ' ' .. word
    else
      if current then
        out[#out + 1] = current
      end
      current = (current and '' or indent) .. word
      local pieces = M.hard(current, most)
      current = table.remove(pieces)
      vim.list_extend(out, pieces)
    end
  end
  out[#out + 1] = current or ''
end

--- The lines of a text, wrapped at `most` columns.
function M.lines(text, most)
  local out = {}
  for _, line in ipairs(vim.split((text:gsub('\r\n', '\n')), '\n', { plain = true })) do
    wrapped(M.line(line), math.max(most, 8), out)
  end
  return out
end

--- A line of plain.line in pieces of at most `most` columns. No character is lost, also no blank.
function M.hard(line, most)
  most = math.max(most, 8)
  if width(line) <= most then
    return { line }
  end
  local out, piece, used = {}, {}, 0
  for _, character in ipairs(M.characters(line)) do
    local columns = width(character)
    if used + columns > most then
      out[#out + 1] = table.concat(piece)
      piece, used = {}, 0
    end
    piece[#piece + 1], used = character, used + columns
  end
  out[#out + 1] = table.concat(piece)
  return out
end

--- A line cut to `most` columns. A cut line ends in an ellipsis.
function M.cut(line, most)
  if width(line) <= most then
    return line
  end
  local out = ''
  for _, character in ipairs(M.characters(line)) do
    if width(out .. character) > most - 1 then
      break
    end
    out = out .. character
  end
  return out .. '…'
end

return M
