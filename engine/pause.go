package engine

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// emitPauses tells which sessions began or ceased to have a request before a person in this step. isShown tells of a
// session whether it has one now. A session whose question is answered while another of it is shown gets no Pause: the
// person is still being asked. Two effects of one session are looked at once.
func (o *sessions) emitPauses(isShown func(session string) bool, at int64) {
	// Only these effects can begin or end a wait, so no other session needs a look.
	var seen []string
	for _, next := range o.out.effects {
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
	for _, name := range seen {
		// An effect is about a session that is open, or about the one that this step has ended.
		if session := cmp.Or(o.byName.At(name), o.closing); session != nil && session.opened.Session == name {
			if pause, changes := session.pause(isShown(name), at); changes {
				o.out.emit(pause)
			}
		}
	}
}

// stopwatch is one session's stopwatch: since when it runs, 0 when it does not, and how long it has run before. Since
// is in the engine's clock, and at least 1 while it runs. Total is milliseconds of all earlier runs.
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
