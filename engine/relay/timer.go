package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// unknownWake means that the host may not have got the last wake.
const unknownWake = -1

// timing is the time of a connection, and the wake that the host has.
type timing struct {
	link.Clock
	engine int64 // the engine's last Wake, 0 for none
	wake   int64 // the last Wake given to the host, 0 for none, or unknownWake
}

// call returns the Wake for what is due next, if the host knows of another time or of none. A broken engine has none.
func (t *timing) call(broken bool) (wake effect.Wake, needed bool) {
	at := t.engine
	if broken {
		at = 0
	}
	for _, one := range t.Timers() {
		if at == 0 || one.At < at {
			at = one.At
		}
	}
	if at == t.wake {
		return wake, false
	}
	t.wake = at
	if t.Steady && at != 0 {
		return effect.Wake{At: max(at+t.Wall-t.Now, 1), In: elicit.ElapsedMS(max(at-t.Now, 0))}, true
	}
	return effect.Wake{At: at}, true
}

// runTimers runs what is due, the earliest first, and lets the engine do the same.
func (m *Machine) runTimers() {
	for do := m.time.Due(); do != nil; do = m.time.Due() {
		do()
	}
	if m.time.engine != 0 && m.time.engine <= m.time.Now {
		m.do(event.Ticked{})
	}
}
