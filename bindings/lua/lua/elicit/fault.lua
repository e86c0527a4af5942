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

return Fault
