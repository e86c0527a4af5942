-- Forgets some entries of a shard whose Keep has come.
local order, entries, keep = unpack(KEYS)
local old = redis.call('ZRANGEBYSCORE', keep, '-inf', ARGV[1], 'LIMIT', 0, 64)
for _, member in ipairs(old) do
	redis.call('ZREM', order, member)
	redis.call('ZREM', keep, member)
	redis.call('HDEL', entries, member)
end
return #old
