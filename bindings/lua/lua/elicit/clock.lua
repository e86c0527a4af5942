--- Milliseconds since 1970-01-01 UTC, as the machine of a connection counts time.
local uv = (vim.uv or vim.loop)

return function()
  local seconds, micro = uv.gettimeofday()
  return seconds * 1000 + math.floor(micro / 1000)
end
