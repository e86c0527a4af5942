--- Opens a page in the system's browser, where neither this editor nor a model can read it.
local options = require('elicit.options')
local uv = (vim.uv or vim.loop)

local M = {}

local function command(url)
  local given = options.current.opener
  if type(given) == 'table' then
    return vim.list_extend(vim.list_slice(given), { url })
  end
  for _, known in ipairs({ { 'xdg-open' }, { 'open' }, { 'wslview' }, { 'explorer.exe' } }) do
    if vim.fn.executable(known[1]) == 1 then
      return vim.list_extend(known, { url })
    end
  end
end

--- Opens a page. It calls `failed(why)` if the page could not be opened. No shell sees the address.
function M.open(url, failed)
  if not url:find('^https?://[^%c%s"\'<>\\]+$') then
    return failed('it is no plain web address')
  end
  if type(options.current.opener) == 'function' then
    local ok, why = pcall(options.current.opener, url)
    return not ok and failed(tostring(why)) or nil
  end
  local cmd = command(url)
  if not cmd then
    return failed('no opener was found')
  end
  local handle, why
  handle, why = uv.spawn(cmd[1], { args = vim.list_slice(cmd, 2), detached = true, hide = true }, function(code)
    handle:close()
    if code ~= 0 then
      vim.schedule(function()
        failed(('%s ended with status %d'):format(cmd[1], code))
      end)
    end
  end)
  if not handle then
    failed(tostring(why))
  end
end

return M
