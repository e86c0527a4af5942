--- Divides the message of a question into its parts, and a diff into blocks that can fold.
local M = {}

--- A diff with more lines than this is folded. A block with at most so few lines stays open.
local long, short = 20, 4

--- The lines of `lines` from `from` on, `count` of them, without the blank ones at the end.
local function slice(lines, from, count)
  local last = from + count - 1
  while last > from and lines[last] == '' do
    last = last - 1
  end
  return vim.list_slice(lines, from, last)
end

--- The parts of a message: a list of {is, lines}. A message without parts, or with parts that do not fit it, is one
--- text.
function M.of(show)
  local lines = vim.split(show.message, '\n', { plain = true })
  local out, from = {}, 1
  for _, part in ipairs(show.parts or {}) do
    out[#out + 1] = { is = part.is, lines = slice(lines, from, part.lines) }
    from = from + part.lines
  end
  if from ~= #lines + 1 then
    return { { is = 'text', lines = lines } }
  end
  return out
end

local heads = { 'index ', '--- ', '+++ ', 'old mode ', 'new mode ', 'new file ', 'deleted file ', 'similarity ',
  'rename ', 'copy ', 'Binary ' }

local function begins(line, list)
  for _, start in ipairs(list) do
    if vim.startswith(line, start) then
      return true
    end
  end
  return false
end

--- Whether a line outside a hunk begins the changes of a file. In a unified diff, only names of files have no sign.
local function begins_file(line, after)
  return line ~= '' and not (' +-@\\'):find(line:sub(1, 1), 1, true)
    or begins(line, { '--- ' }) and begins(after or '', { '+++ ' })
end

--- The blocks of a diff: the changes of a file, or one hunk of it. Each is {head, body, added, removed}. The head stays
--- in view when the block is folded. `fold` is true for a block that is folded at first. Only the place where a block
--- ends depends on what the lines claim: every line is in exactly one block.
function M.blocks(lines)
  local out, block, old, new, in_head = {}, nil, 0, 0, false
  local function begin(line)
    block = { head = { line }, body = {}, added = 0, removed = 0 }
    out[#out + 1] = block
  end
  for i, line in ipairs(lines) do
    local sign = line:sub(1, 1)
    local in_hunk = (old > 0 or new > 0) and (line == '' or (' +-\\'):find(sign, 1, true) ~= nil)
    local of_old, of_new = line:match('^@@ %-%d+,?(%d*) %+%d+,?(%d*) @@')
    if not in_hunk and vim.startswith(line, '@@') then
      begin(line)
      old, new, in_head = of_old and tonumber(of_old) or 1, of_new and tonumber(of_new) or 1, false
      if not of_old then
        old, new = 0, 0
      end
    elseif not in_hunk and in_head and begins(line, heads) then
      table.insert(block.head, line)
    elseif not in_hunk and begins_file(line, lines[i + 1]) then
      begin(line)
      old, new, in_head = 0, 0, true
    else
      if not block then
        begin(nil)
      end
      in_head = false
      table.insert(block.body, line)
      block.added = block.added + (sign == '+' and 1 or 0)
      block.removed = block.removed + (sign == '-' and 1 or 0)
      old = old - ((sign ~= '+' and sign ~= '\\') and 1 or 0)
      new = new - ((sign ~= '-' and sign ~= '\\') and 1 or 0)
    end
  end
  for _, one in ipairs(out) do
    one.fold = #lines > long and #one.body > short
  end
  return out
end

return M
