package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// unknownWake means that the host may not have got the last wake.
const unknownWake = -1

// timing is the time of a connection, and the wake that the host has.
//
// wake is compared with the next due time at the end of each step, so the host gets a Wake only if it must change its
// timer. A wake of 0 cancels the host's timer.
type timing struct {
	link.Clock
	wake int64 // the last Wake given to the host, 0 for none, or unknownWake
}

// call returns the Wake for what is due next, if the host knows of another time or of none. at is when the engine wants
// to be woken, 0 for never.
func (t *timing) call(at int64) (wake effect.Wake, needed bool) {
	for _, one := range t.Timers() {
		if at == 0 || one.At < at {
			at = one.At
		}
	}
	if at == t.wake {
		return wake, false
	}
	t.wake = at
	// Deadlines follow the elapsed time. At is only a translation to wall time for hosts whose timers need one.
	if t.Steady && at != 0 {
		return effect.Wake{At: max(at+t.Wall-t.Now, 1), In: elicit.ElapsedMS(max(at-t.Now, 0))}, true
	}
	return effect.Wake{At: at}, true
}
