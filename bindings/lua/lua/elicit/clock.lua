--- Returns the time in milliseconds since 1970-01-01 UTC, the unit of the engine.
local uv = (vim.uv or vim.loop)

return function()
  local seconds, micro = uv.gettimeofday()
  return seconds * 1000 + math.floor(micro / 1000)
end
