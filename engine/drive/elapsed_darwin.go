package drive

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot is a clock that never goes back and counts suspended time: mach_continuous_time. Nobody has tried it on a
// machine that was suspended.
func sinceBoot() time.Duration {
	var at unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC_RAW, &at) != nil {
		return time.Since(began)
	}
	return time.Duration(at.Nano())
}
