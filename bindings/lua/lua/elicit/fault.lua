--- What is thrown when a caller or the machine broke something. Wrong input of a peer or a person is never thrown.
local Fault = {}
Fault.__index = Fault

function Fault:__tostring()
  return 'elicit: ' .. self.what
end

--- `status` is a status of elicit.h, "missing" when there is no library, or "journal"; `problems` what the engine says.
function Fault.new(status, what, problems)
  return setmetatable({ status = status, what = what, problems = problems or {} }, Fault)
end

function Fault.is(value)
  return getmetatable(value) == Fault
end

return Fault
