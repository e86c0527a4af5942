-- Redeems an id. The token tells a repetition by the client from another caller.
local by = redis.call('GET', KEYS[1])
if by then return by == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
