package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// session is everything that the engine keeps of an open session, except its questions, its grants and what its server
// has left of its rates. All of it is bounded, so that a session can always be saved. begin makes it from an Opened or
// a Resumed event, and endSession drops it. A session of the same name that is opened later begins with nothing of this
// one.
type session struct {
	opened    event.Opened
	typed     []typedValue      // oldest first, when policy lets it be suggested again
	accepted  []acceptedMessage // oldest first, when the configuration asks for changes
	haste     haste
	labels    labels // what it did
	reviews   reviews
	stopwatch stopwatch // when the configuration asks for pauses
	muted     bool      // its server is not to be heard
	compared  bool      // lookalikes has been filled in
	// Valid only with compared. The comparison looks at every known name, so it is made once for many questions.
	lookalikes []string // the known server that its own resembles, if there is one
}

// reconfigured drops what another configuration does not let stand.
func (s *session) reconfigured(c *config) {
	s.compared, s.lookalikes = false, nil
	if c.stack.Suggestions() <= policy.SuggestionsNone {
		s.typed = nil
	}
	if !c.changes {
		s.accepted = nil
	}
}

// resembles names the known server that the server of a session resembles, if there is one. Inspection need compare a
// request with no other name. The result is kept until the session ends or the configuration changes.
func (s *session) resembles(configured []string, met *knownServers) []string {
	if !s.compared {
		// The capacity is cut, so that append copies and never writes into the configuration's own list.
		known := append(configured[:len(configured):len(configured)], met.before(s.opened.Principal, s.opened.Server)...)
		s.lookalikes, s.compared = risk.LikeServer(s.opened.Server, known), true
	}
	return s.lookalikes
}

// countAnswer counts an answer to a question, unless somebody else than the person of the session gave it. An answer of
// a script, a model or a client's own form tells nothing about how the person reads.
func (s *session) countAnswer(r *elicit.Request, via event.Via, hasty bool) {
	if via == event.ViaPerson && r.For == "" {
		s.haste.answered(hasty)
	}
}

// forget drops what the person typed into a field, "" for all of them. The server is not told. Accepted messages go
// only with "everything", because they have no field.
func (s *session) forget(field string) {
	s.typed = slices.DeleteFunc(s.typed, func(t typedValue) bool { return field == "" || t.Field == field })
	if field == "" {
		s.accepted = nil // an edited command may hold what the person typed
	}
}

// pause runs or stops the stopwatch, and tells that it does.
func (s *session) pause(on bool, at int64) (effect.Pause, bool) {
	p := &s.stopwatch
	switch {
	case on && p.since == 0:
		// 0 says that the stopwatch stands, and time may begin at 0 in a test.
		p.since = max(at, 1)
	case !on && p.since != 0:
		p.total, p.since = p.at(at), 0
	default:
		return effect.Pause{}, false
	}
	return effect.Pause{Session: s.opened.Session, On: on, TotalMS: p.total}, true
}
