package asker

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
)

// mostAwake is how many machines stay awake while nothing happens to them. A process may have a session for each of
// 100,000 people who think, and a machine is some forty small objects, at which a garbage collector looks each time. So
// the machine of any other session sleeps as bytes without a pointer. The next job of its session wakes it.
const mostAwake = 256

// rests are the sessions with a machine that is awake and has nothing to do, in the order in which they came to rest.
type rests struct {
	resting []*session
	most    int // of them
}

// rest lets a session sleep once enough others have come to rest after it.
func (m *sessions) rest(s *session) {
	if s.machine != nil && !s.resting {
		s.resting = true
		m.resting = append(m.resting, s)
	}
	for len(m.resting) > m.most {
		first := m.resting[0]
		m.restless(first)
		m.sleep(first)
	}
}

// restless takes a session off the list.
func (m *sessions) restless(s *session) {
	if i := slices.Index(m.resting, s); i >= 0 {
		m.resting, s.resting = slices.Delete(m.resting, i, i+1), false
	}
}

// sleep turns the machine of a session into bytes. One that is at work, or whose guardians speak, comes to rest again.
func (m *sessions) sleep(s *session) {
	if s.machine == nil || s.work.busy || s.working() || s.failed || m.over || s.consults > 0 || len(s.at.carried) > 0 {
		return
	}
	if s.asleep = s.machine.Sleep(m.asking(s.name, s.client)); s.asleep != nil {
		s.machine = nil
	}
}

// awaken makes the machine of a session again. One that cannot be made is loaded. Without a store, the session is over.
func (m *sessions) awaken(s *session) {
	if s.asleep == nil {
		return
	}
	s.machine = asking.Wake(m.asking(s.name, s.client), s.asleep)
	if s.asleep = nil; s.machine == nil && !m.config.Store {
		m.gone(s)
	}
}

// working reports whether a session has something to do, or waits for the store.
func (s *session) working() bool {
	w := &s.work
	return len(w.queue)+len(w.held)+len(w.later) > 0 || w.await != nothing
}

// letGo forgets a session when nothing of it is here.
func (m *sessions) letGo(s *session) {
	if s.working() {
		return
	}
	if len(s.runs) > 0 {
		m.rest(s)
		return
	}
	m.awaken(s)
	if s.watch != unwatched {
		if s.watch != broken {
			m.emit(Unwatch{s.name})
		}
		s.watch = unwatched
	}
	here := s.machine != nil && !(s.once && (m.config.Store || s.machine.Next() == 0)) ||
		s.machine != nil && s.consults > 0 && !s.machine.Idle() || // guardians answer this process
		len(s.taken) > 0 && !m.config.Store // nobody else knows of it
	known := m.byName[s.name] == s
	if known && here && !m.over && !s.failed {
		m.rest(s)
		return
	}
	if m.restless(s); !known {
		return
	}
	delete(m.byName, s.name)
	m.ticks.set(s.name, 0)
	m.pauses.set(s.name, 0)
}
