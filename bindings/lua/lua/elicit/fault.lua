--- The error that is thrown if the caller or the engine failed. Wrong input of a peer or a person is never thrown.
local Fault = {}
Fault.__index = Fault

function Fault:__tostring()
  return 'elicit: ' .. self.what
end

--- `status` is a status of elicit.h, "missing" (no library), "guardian" or "journal". `problems` are the engine's.
function Fault.new(status, what, problems)
  return setmetatable({ status = status, what = what, problems = problems or {} }, Fault)
end

function Fault.is(value)
  return getmetatable(value) == Fault
end

--- Calls a function of a machine. `broken` gets the fault of a machine that broke. Any other error is thrown.
function Fault.guarded(broken, call, ...)
  local ok, one, two = pcall(call, ...)
  if not ok and Fault.is(one) and one.status == 'internal' then
    broken(one)
    return
  end
  return ok and one or error(one, 0), two
end

return Fault
