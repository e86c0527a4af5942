package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/pending"
)

// Pause tells a host to stop (On) or restart its own timers for the calls of a session, because a person is being
// asked. TotalMS is how long they have been stopped in all. Emitted only when the configuration says "pauses": true.
type Pause struct {
	Session string
	On      bool
	TotalMS int64
}

// emitPauses tells which sessions began or ceased to have a request before a person in this step.
func (s *step) emitPauses() {
	if !s.config.pauses {
		return
	}
	var seen []string
	for _, effect := range s.effects {
		session := ""
		switch ef := effect.(type) {
		case Show:
			session = ef.Session
		case Reply:
			session = ef.Session
		case Withdraw:
			session = ef.Session
		}
		if session != "" && !slices.Contains(seen, session) {
			seen = append(seen, session)
		}
	}
	for _, session := range seen {
		s.emitPause(session)
	}
}

// stopwatch is one session's stopwatch: since when it runs, 0 when it does not, and how long it has run before.
type stopwatch struct{ since, total int64 }

func (s *step) emitPause(name string) {
	session, open := s.sessions[name]
	if !open {
		if session = s.closing; session == nil || session.opened.Session != name {
			return
		}
	}
	on := slices.ContainsFunc(s.table.Unanswered(name), func(it pending.Item) bool { return it.State == pending.Shown })
	p := &session.stopwatch
	switch {
	case on && p.since == 0:
		p.since = max(s.at, 1)
	case !on && p.since != 0:
		p.total += s.at - p.since
		p.since = 0
	default:
		return
	}
	s.emit(Pause{Session: name, On: on, TotalMS: p.total})
}

func (Pause) isEffect() {}

// AppendJSON appends {"effect":"pause","session","on","total_ms"}.
func (p Pause) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "pause")
	o.Str("session", p.Session)
	o.Bool("on", p.On)
	o.Int("total_ms", p.TotalMS)
	return o.End()
}
