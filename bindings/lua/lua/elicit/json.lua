--- JSON: values through vim.json, and the exact text of parts of a document. The functions for exact text require valid
--- JSON. Use them only on output of the engine, and on messages that a connection has passed on.
local M = {}

--- Returns a table that is written as {}. An empty Lua table is written as [].
M.object = vim.empty_dict

function M.encode(value)
  return vim.json.encode(value)
end

--- Decodes a text. null becomes nil.
function M.decode(text)
  return vim.json.decode(text, { luanil = { object = true, array = true } })
end

local function past_string(text, at)
  at = at + 1
  while true do
    local stop = text:find('["\\]', at)
    if text:byte(stop) == 0x22 then
      return stop + 1
    end
    at = stop + 2
  end
end

local deeper = { [0x7b] = 1, [0x5b] = 1, [0x7d] = -1, [0x5d] = -1 }

--- The position after the value that begins at `at`.
local function past(text, at)
  local first = text:byte(at)
  if first == 0x22 then
    return past_string(text, at)
  end
  if not deeper[first] then
    return text:find('[%s,%]}]', at) or #text + 1
  end
  local depth = 0
  while true do
    at = text:find('["%[%]{}]', at)
    local c = text:byte(at)
    if c == 0x22 then
      at = past_string(text, at)
    else
      depth, at = depth + deeper[c], at + 1
      if depth == 0 then
        return at
      end
    end
  end
end

--- The value of a string from its text between the quotes. A text with half of a surrogate pair has no value in Lua and
--- is returned unchanged.
local function decoded(written)
  if not written:find('\\', 1, true) then
    return written
  end
  local ok, name = pcall(M.decode, '"' .. written .. '"')
  return ok and name or written
end

--- Iterates over an object's members, in order: the name and the exact text of the value.
function M.members(text)
  local at = text:find('%S') + 1
  return function()
    at = text:find('[^%s,]', at)
    if text:byte(at) ~= 0x22 then
      return nil
    end
    local stop = past_string(text, at)
    local name = decoded(text:sub(at + 1, stop - 2))
    local start = text:find('[^%s:]', stop)
    at = past(text, start)
    return name, text:sub(start, at - 1)
  end
end

--- Iterates over the exact texts of a list's items, in order.
function M.items(text)
  local at = text:find('%S') + 1
  return function()
    at = text:find('[^%s,]', at)
    if text:byte(at) == 0x5d then
      return nil
    end
    local start = at
    at = past(text, start)
    return text:sub(start, at - 1)
  end
end

--- The exact text of the member at a path of names; nil if there is none.
function M.member(text, ...)
  for _, wanted in ipairs({ ... }) do
    local found
    for name, value in M.members(text) do
      if name == wanted then
        found = value
        break
      end
    end
    if not found then
      return nil
    end
    text = found
  end
  return text
end

--- An object with the members of both texts.
function M.joined(one, other)
  if one:find('^{%s*}$') then
    return other
  end
  if other:find('^{%s*}$') then
    return one
  end
  return one:sub(1, -2) .. ',' .. other:sub(2)
end

return M
