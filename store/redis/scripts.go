package redis

import (
	_ "embed"

	goredis "github.com/redis/go-redis/v9"
)

// The scripts are files, because the packages for JavaScript and Python carry the same ones.
var (
	//go:embed scripts/commit.lua
	commitText string
	//go:embed scripts/reap.lua
	reapText string
	//go:embed scripts/sweep.lua
	sweepText string
	//go:embed scripts/redeem.lua
	redeemText string

	commitScript = goredis.NewScript(commitText)
	reapScript   = goredis.NewScript(reapText)
	sweepScript  = goredis.NewScript(sweepText)
	redeemScript = goredis.NewScript(redeemText)
)

// writeMark changes nothing that counts. Only a primary takes it, also one without memory.
const writeMark = `
if redis.call('PEXPIRE', mark, 86400000) == 0 then redis.call('SET', mark, '', 'PX', 86400000) end
`

// loadScript reads a session. Its write makes a WAIT behind it wait for all that the read has seen.
var loadScript = goredis.NewScript(`
local session, mark = unpack(KEYS)
` + writeMark + `
return redis.call('HGETALL', session)
`)

// earScript returns how many connections to this primary listen on a channel.
var earScript = goredis.NewScript(`
local mark = KEYS[1]
` + writeMark + `
return redis.call('PUBLISH', ARGV[1], '')
`)
