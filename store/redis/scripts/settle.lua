-- Writes when a session is due. A session with effects to perform has more than its six fields.
local function settle(session, due, name, next, retry)
	local at, later = next, tonumber(retry)
	if later ~= 0 and (at == '0' or later < tonumber(at)) and redis.call('HLEN', session) > 6 then at = retry end
	if at == '0' then redis.call('ZREM', due, name) else redis.call('ZADD', due, at, name) end
end
