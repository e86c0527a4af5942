package drive

import (
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// began is when the process began, for systems without a better clock.
var began = time.Now()

// Elapsed is the time of a clock that never goes back and counts suspended time, from some moment on. It is what
// Options use by default: CLOCK_BOOTTIME on Linux, mach_continuous_time on macOS, the interrupt time on Windows. A
// question with an hour left must be over after a laptop has slept for two. A clock that somebody sets must not end it.
func Elapsed() time.Duration { return sinceBoot() }

// ElapsedMS is Elapsed as an input has it.
func ElapsedMS() elicit.Elapsed { return elicit.ElapsedMS(Elapsed().Milliseconds()) }
