// Code generated from store/redis/scripts by go test ./internal/house -run TestScriptsAreFresh -update; DO NOT EDIT.
export const commit = `-- A commit. It returns 1, or 0 for a conflict.
-- The client may send a commit again when the reply was lost, so the token of the last commit tells a repetition from
-- a conflict. A repetition writes, too: a WAIT behind it is sure to wait for writes alone. The first write is one that
-- a server without memory refuses, so a refused script has written nothing.
local session, gone, due, journal, order, entries, keep = unpack(KEYS)
local from, version, token, deletes, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local state, next, ttl, keepUntil, keepFor = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local stored, last = unpack(redis.call('HMGET', session, 'v', 't'))
if (stored or '0') ~= from then
	local again = stored == version and last == token
	if again then redis.call('HSET', session, 't', token) end
	if not stored and redis.call('GET', gone) == token then again = redis.call('PEXPIRE', gone, 60000) == 1 end
	return again and 1 or 0
end
local at = 12
local function rest() at = at + 1; return ARGV[at - 1] end
if deletes == '1' then
	redis.call('SET', gone, token, 'PX', 60000)
	redis.call('DEL', session)
	redis.call('ZREM', due, name)
else
	redis.call('HSET', session, 'v', version, 'n', next, 's', state, 't', token)
	if next == '0' then redis.call('ZREM', due, name) else redis.call('ZADD', due, next, name) end
	if ttl ~= '0' then redis.call('PEXPIRE', session, ttl) elseif stored then redis.call('PERSIST', session) end
end
local records = tonumber(rest())
for i = 0, records - 1 do redis.call('RPUSH', journal, version .. ':' .. i .. ':' .. rest()) end
if records > 0 then
	if keepFor == '0' then redis.call('PERSIST', journal) else redis.call('PEXPIRE', journal, keepFor) end
end
for _ = 1, tonumber(rest()) do
	local member, when, body = rest(), rest(), rest()
	redis.call('ZADD', order, when, member)
	redis.call('HSET', entries, member, body)
	if keepUntil == '0' then redis.call('ZREM', keep, member) else redis.call('ZADD', keep, keepUntil, member) end
end
redis.call('PUBLISH', ARGV[11], version)
return 1
`;
export const reap = `-- Removes a session that has expired from the index.
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1
`;
export const redeem = `-- Redeems an id. The token tells a repetition by the client from another caller.
local by = redis.call('GET', KEYS[1])
if by then return by == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;
export const sweep = `-- Forgets some entries of a shard whose Keep has come.
local order, entries, keep = unpack(KEYS)
local old = redis.call('ZRANGEBYSCORE', keep, '-inf', ARGV[1], 'LIMIT', 0, 64)
for _, member in ipairs(old) do
	redis.call('ZREM', order, member)
	redis.call('ZREM', keep, member)
	redis.call('HDEL', entries, member)
end
return #old
`;
