--- Turns kept screens (see terminal_test.lua) into SVG:
--- `nvim --headless -u NONE -l`, or luafile, with the files to read
--- in $ELICIT_SCREENS and the directory to write to in $ELICIT_PICTURES.
local cell_width, cell_height, margin = 8.4, 18, 10
local page, ink = '#1e2228', '#d7dae0'

local basic = {
  [0] = '#1e2228', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd',
  '#56b6c2', '#d7dae0', '#7f848e', '#ff8790', '#b5e890', '#ffd787',
  '#87c7ff', '#e29bf5', '#7fd9e3', '#ffffff'
}

--- The colour of an entry of the palette of 256.
local function indexed(n)
  if n < 16 then
    return basic[n]
  elseif n > 231 then
    local grey = 8 + 10 * (n - 232)
    return ('#%02x%02x%02x'):format(grey, grey, grey)
  end
  local function level(v)
    return v == 0 and 0 or 55 + 40 * v
  end
  n = n - 16
  return ('#%02x%02x%02x'):format(level(math.floor(n / 36)), level(math.floor(n / 6) % 6), level(n % 6))
end

--- Changes a style by the numbers of one escape sequence.
local function styled(style, numbers)
  local i = 1
  local function colour()
    local kind = numbers[i + 1]
    if kind == 5 then
      i = i + 2
      return indexed(numbers[i])
    end
    i = i + 4
    return ('#%02x%02x%02x'):format(numbers[i - 2], numbers[i - 1], numbers[i])
  end
  while i <= #numbers do
    local n = numbers[i]
    if n == 0 then
      style = {}
    elseif n == 1 then
      style.bold = true
    elseif n == 4 then
      style.underline = true
    elseif n == 7 then
      style.reverse = true
    elseif n == 22 or n == 24 or n == 27 then
      style[n == 22 and 'bold' or n == 24 and 'underline' or 'reverse'] = nil
    elseif n >= 30 and n <= 37 then
      style.ink = basic[n - 30]
    elseif n >= 40 and n <= 47 then
      style.page = basic[n - 40]
    elseif n >= 90 and n <= 97 then
      style.ink = basic[n - 82]
    elseif n >= 100 and n <= 107 then
      style.page = basic[n - 92]
    elseif n == 38 then
      style.ink = colour()
    elseif n == 48 then
      style.page = colour()
    elseif n == 39 then
      style.ink = nil
    elseif n == 49 then
      style.page = nil
    end
    i = i + 1
  end
  return style
end

local function escaped(text)
  return (text:gsub('[&<>]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' }))
end

local function run(out, column, row, text, style)
  local columns = vim.fn.strdisplaywidth(text)
  local x, y = margin + column * cell_width, margin + row * cell_height
  local front, back = style.ink or ink, style.page
  if style.reverse then
    front, back = back or page, front
  end
  if back then
    out[#out + 1] = ('<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s"/>')
      :format(x, y, columns * cell_width, cell_height, back)
  end
  if text:find('%S') then
    local more = (style.bold and ' font-weight="bold"' or '')
      .. (style.underline and ' text-decoration="underline"' or '')
    out[#out + 1] = ('<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s xml:space="preserve">%s</text>')
      :format(x, y + 13.5, columns * cell_width, front, more, escaped(text))
  end
  return column + columns
end

local function picture(lines)
  local out, most, style = {}, 0, {}
  for row, line in ipairs(lines) do
    local column, at = 0, 1
    while at <= #line do
      local from, to, numbers = line:find('\27%[([%d;]*)m', at)
      local text = line:sub(at, (from or #line + 1) - 1)
      if text ~= '' then
        column = run(out, column, row - 1, text, style)
      end
      if from then
        local list = {}
        for n in (numbers == '' and '0' or numbers):gmatch('%d+') do
          list[#list + 1] = tonumber(n)
        end
        style = styled(vim.deepcopy(style), list)
      end
      at = (to or #line) + 1
    end
    most = math.max(most, column)
  end
  local width, height = 2 * margin + most * cell_width, 2 * margin + #lines * cell_height
  local font = 'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14"'
  return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" %s shape-rendering="crispEdges">'
    .. '<rect width="100%%" height="100%%" rx="6" fill="%s"/>\n%s\n</svg>')
    :format(width, height, font, page, table.concat(out, '\n'))
end

for _, file in ipairs(vim.split(vim.env.ELICIT_SCREENS, ' ')) do
  local lines = vim.fn.readfile(file)
  while #lines > 0 and not lines[#lines]:gsub('\27%[[%d;]*m', ''):find('%S') do
    table.remove(lines)
  end
  local name = vim.fn.fnamemodify(file, ':t:r')
  vim.fn.writefile(vim.split(picture(lines), '\n'), ('%s/nvim-%s.svg'):format(vim.env.ELICIT_PICTURES, name))
end
