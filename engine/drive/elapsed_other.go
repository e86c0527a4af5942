//go:build !linux && !darwin && !windows

package drive

import "time"

// sinceBoot is a clock that never goes back. Whether it counts suspended time depends on the system.
func sinceBoot() time.Duration { return time.Since(began) }
