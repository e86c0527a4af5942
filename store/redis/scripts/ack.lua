-- Removes effects from an outbox.
local name = table.remove(ARGV, 1)
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for _, id in ipairs(ARGV) do redis.call('HDEL', KEYS[1], 'e' .. id) end
local times = redis.call('HMGET', KEYS[1], 'n', 'r')
settle(KEYS[1], KEYS[2], name, times[1], times[2])
return 1
