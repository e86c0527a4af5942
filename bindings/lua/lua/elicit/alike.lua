--- Makes a label for each choice of a field, so that no two labels look alike. The label of a choice that looks like
--- another one shows the place where they differ, or the value.
local invisible = require('elicit.invisible')
local plain = require('elicit.plain')

local M = {}

local latin = {}
for to, from in pairs(invisible.lookalikes) do
  for _, character in ipairs(plain.characters(from)) do
    latin[character] = to
  end
end

--- The characters that are drawn as nothing, and those that are drawn as a space.
local nothing = { ['\239\184\143'] = true, ['\226\128\140'] = true, ['\226\128\141'] = true }
local blank = {
  ['\194\160'] = true,
  ['\227\128\128'] = true,
  ['\225\154\128'] = true,
  ['\226\128\175'] = true,
  ['\226\129\159'] = true,
}
for last = 0x80, 0xbf do
  nothing['\204' .. string.char(last)] = true
  nothing['\205' .. string.char(last)] = last < 0xb0 or nil
  blank['\226\128' .. string.char(last)] = last <= 0x8a or nil
end

--- A key that is equal for texts that look alike.
function M.looks(text)
  local out = {}
  for _, character in ipairs(plain.characters(text)) do
    if not nothing[character] then
      out[#out + 1] = blank[character] and ' ' or latin[character] or latin[character:lower()] or character:lower()
    end
  end
  return (vim.trim(table.concat(out):gsub('%s+', ' ')):gsub('rn', 'm'):gsub('vv', 'w'))
end

--- The groups of two or more texts with the same key, as lists of their positions.
local function groups(texts, key)
  local places, order, out = {}, {}, {}
  for i, text in ipairs(texts) do
    local k = key(text)
    if not places[k] then
      places[k] = {}
      order[#order + 1] = k
    end
    table.insert(places[k], i)
  end
  for _, k in ipairs(order) do
    if #places[k] > 1 then
      out[#out + 1] = places[k]
    end
  end
  return out
end

local function same(text)
  return text
end

--- A text in ASCII, so that no two different texts look alike.
local function exactly(text)
  local out = text:gsub('[^\32-\126]', function(byte)
    return ('\\x%02x'):format(byte:byte())
  end)
  return '"' .. out .. '"'
end

local window, before = 40, 10

--- Gives each text of a list the part around the first difference as its sign. All texts are different. Texts whose
--- signs are equal get signs from their next difference.
local function tell_apart(texts, list, signs)
  local first, from = texts[list[1]], 0
  while true do
    local character = first[from + 1]
    local differs = character == nil
    for _, i in ipairs(list) do
      differs = differs or texts[i][from + 1] ~= character
    end
    if differs then
      break
    end
    from = from + 1
  end
  local shown, longer = {}, false
  for k, i in ipairs(list) do
    local start = from <= before and 1 or from - before + 1
    local part = exactly(table.concat(texts[i], '', start, math.min(#texts[i], start + window - 1)))
    shown[k] = start == 1 and #texts[i] <= window and part or ('from character %d: %s'):format(start, part)
    signs[i] = shown[k]
    longer = longer or #texts[i] > from
  end
  for _, group in ipairs(longer and groups(shown, same) or {}) do
    tell_apart(texts, vim.tbl_map(function(k)
      return list[k]
    end, group), signs)
  end
end

--- Shortens a text to `most` characters: an ellipsis replaces its middle.
local function middle(text, most)
  local list = plain.characters(text)
  if #list <= most then
    return text
  end
  local head = math.floor((most - 1) * 2 / 3)
  return table.concat(list, '', 1, head) .. '…' .. table.concat(list, '', #list - (most - 2 - head))
end

local function raw(choice)
  return choice.description and choice.title .. '  ' .. choice.description or choice.title
end

--- The label of each choice, in their order.
function M.labels(choices)
  local labels = {}
  for i, choice in ipairs(choices) do
    labels[i] = middle(plain.line(raw(choice)), 200)
  end
  for _, group in ipairs(groups(labels, M.looks)) do
    local titles, texts, signs, all = {}, {}, {}, {}
    for k, i in ipairs(group) do
      titles[k], all[k] = raw(choices[i]), k
    end
    local by_value = #groups(titles, same) > 0
    for k, i in ipairs(group) do
      texts[k] = plain.characters(by_value and (choices[i].text or tostring(choices[i].value)) or titles[k])
    end
    tell_apart(texts, all, signs)
    for k, i in ipairs(group) do
      labels[i] = ('%s (%s%s)'):format(middle(plain.line(choices[i].title), 60), by_value and 'value ' or '', signs[k])
    end
  end
  if #groups(labels, M.looks) > 0 then
    for i in ipairs(labels) do
      labels[i] = i .. ': ' .. labels[i]
    end
  end
  return labels
end

return M
