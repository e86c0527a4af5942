package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// unknownWake means that the host may not have got the last wake.
const unknownWake = -1

// timer is something to do at a time.
type timer struct {
	at int64
	do func()
}

// timing is the time of a connection, and what is to be done at a time.
type timing struct {
	clock  elicit.Clock
	now    int64 // of the clock
	wall   int64
	steady bool // the input has Elapsed
	timers []*timer
	engine int64 // the engine's last Wake, 0 for none
	wake   int64 // the last Wake given to the host, 0 for none, or unknownWake
}

// read takes the time of a step.
func (t *timing) read(in Input) {
	t.steady = in.Elapsed > 0
	t.wall, t.now = t.clock.Read(in.At, in.Elapsed, lastMoment)
}

// lastMoment is the latest time that the machine accepts, as in the engine.
const lastMoment = 1 << 52

// after runs do once ms milliseconds have passed. A timer of a question, a call or a round stops with it. So there is
// at most one for each of these, and one for the progress notifications.
func (t *timing) after(ms int64, do func()) *timer {
	one := &timer{t.now + ms, do}
	t.timers = append(t.timers, one)
	return one
}

// stop stops a timer. It may be nil or over.
func (t *timing) stop(one *timer) {
	if one != nil {
		t.timers = slices.DeleteFunc(t.timers, func(other *timer) bool { return other == one })
	}
}

// due takes the earliest timer that is due, and returns what it does. It returns nil if none is due.
func (t *timing) due() func() {
	next := -1
	for i, one := range t.timers {
		if one.at <= t.now && (next < 0 || one.at < t.timers[next].at) {
			next = i
		}
	}
	if next < 0 {
		return nil
	}
	do := t.timers[next].do
	t.timers = slices.Delete(t.timers, next, next+1)
	return do
}

// call returns the Wake for what is due next, if the host knows of another time or of none. A broken engine has none.
func (t *timing) call(broken bool) (wake effect.Wake, needed bool) {
	at := t.engine
	if broken {
		at = 0
	}
	for _, one := range t.timers {
		if at == 0 || one.at < at {
			at = one.at
		}
	}
	if at == t.wake {
		return wake, false
	}
	t.wake = at
	if t.steady && at != 0 {
		return effect.Wake{At: max(at+t.wall-t.now, 1), In: elicit.ElapsedMS(max(at-t.now, 0))}, true
	}
	return effect.Wake{At: at}, true
}

// runTimers runs what is due, the earliest first, and lets the engine do the same.
func (m *Machine) runTimers() {
	for do := m.time.due(); do != nil; do = m.time.due() {
		do()
	}
	if m.time.engine != 0 && m.time.engine <= m.time.now {
		m.do(event.Ticked{})
	}
}
