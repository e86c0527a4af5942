package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// emitPauses tells which sessions began or ceased to have a request before a person in this step.
func (s *step) emitPauses() {
	if !s.config.pauses {
		return
	}
	var seen []string
	for _, next := range s.effects {
		session := ""
		switch ef := next.(type) {
		case effect.Show:
			session = ef.Session
		case effect.Reply:
			session = ef.Session
		case effect.Withdraw:
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

// at is how long a stopwatch has run at a time.
func (p stopwatch) at(now int64) int64 {
	if p.since == 0 {
		return p.total
	}
	return min(p.total+max(0, now-p.since), lastMoment)
}

// readStopwatch takes a stopwatch, which has not run when a state says nothing of it.
func readStopwatch(r *strict.Reader) stopwatch {
	return stopwatch{r.OptTime("paused_since"), r.OptTime("paused_ms")}
}

func (s *step) emitPause(name string) {
	session, open := s.sessions[name]
	if !open {
		if session = s.closing; session == nil || session.opened.Session != name {
			return
		}
	}
	on := slices.ContainsFunc(s.open.Unanswered(name), func(it pending.Item) bool { return it.State == pending.Shown })
	if pause, changes := session.pause(on, s.at); changes {
		s.emit(pause)
	}
}
