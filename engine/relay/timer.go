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

// after runs do once ms milliseconds have passed. A timer of a question, a call or a round stops with it. So there is
// at most one for each of these, and one for the progress notifications.
func (m *Machine) after(ms int64, do func()) *timer {
	t := &timer{m.now + ms, do}
	m.timers = append(m.timers, t)
	return t
}

// stop stops a timer. t may be nil or over.
func (m *Machine) stop(t *timer) {
	if t != nil {
		m.timers = slices.DeleteFunc(m.timers, func(one *timer) bool { return one == t })
	}
}

// runTimers runs what is due, the earliest first, and lets the engine do the same.
func (m *Machine) runTimers() {
	for {
		next := -1
		for i, t := range m.timers {
			if t.at <= m.now && (next < 0 || t.at < m.timers[next].at) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		do := m.timers[next].do
		m.timers = slices.Delete(m.timers, next, next+1)
		do()
	}
	if m.engineWake != 0 && m.engineWake <= m.now {
		m.do(event.Ticked{})
	}
}

// callWake asks the host for a tick if something is due at another time than the host knows.
func (m *Machine) callWake() {
	at := m.engineWake
	if m.broken {
		at = 0
	}
	for _, t := range m.timers {
		if at == 0 || t.at < at {
			at = t.at
		}
	}
	if at != m.wake {
		m.wake = at
		wake := effect.Wake{At: at}
		if m.steady && at != 0 {
			wake = effect.Wake{At: max(at+m.wall-m.now, 1), In: elicit.ElapsedMS(max(at-m.now, 0))}
		}
		m.emit(wake)
	}
}
