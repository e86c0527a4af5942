//go:build wasip1 && faulty

package main

// faultAt is the time at which this module panics. Only tests build it.
const faultAt = 666

func init() {
	table.World.Now = func() int64 {
		if now == faultAt {
			panic("a bug")
		}
		return now
	}
}
