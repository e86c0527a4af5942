package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
)

// stateVersion is the number of the format Save writes.
const stateVersion = 1

// maxSavedEnds is how many settlements a saved session remembers, and maxAskingEnds how many one of the asking side
// does. A host may save that one at every step, so it stays small whatever its age.
const (
	maxSavedEnds  = 1024
	maxAskingEnds = 16
)

// Save writes a session's whole state: what any engine with the same configuration needs, in a Resumed event, to go on
// as if nothing had happened. It holds the peer's questions, the messages that the person accepted if the configuration
// compares them, and, of answers, only what policy lets be suggested again. It reports false for a session that is not
// open. It changes nothing, and is no step: no record tells of it. It lacks verdicts and consultations (guardians are
// asked again), forms and kinds (compiled again), secrets, and the configuration.
func (e *Engine) Save(name string) ([]byte, bool) {
	session, ok := e.sessions.byName.Find(name)
	if !ok {
		return nil, false
	}
	opened := &session.opened
	o := jsontext.Begin(nil)
	o.Int("state", stateVersion)
	o.Name("opened", opened.AppendJSON)
	// In order of arrival, which Restore keeps. The queue of the new engine is therefore that of the old one.
	items := e.open.Open(name)
	saved := make([]savedItem, len(items))
	// A fact that no policy looks at is not saved, so a state has no more of a person's habits than it needs. Save and
	// Resumed may run under different policies. A fact that was not saved is notKnown then, and policy reads the moment
	// of the resume in its place.
	looks, quiet := e.config.stack.LooksAtHaste(), e.config.stack.LooksAtTime()
	for i, it := range items {
		q := e.open.byID.At(it.ID)
		if q.consults.open != nil {
			it.Deadline = q.consults.open.deadline // guardians are asked again, and an answer under review must be given again
		}
		saved[i] = savedItem{Item: it, held: q}
		if looks {
			saved[i].shownAt, saved[i].came.haste = q.shown.at, q.came.haste
		}
		saved[i].came.labels = q.came.labels
		if quiet {
			saved[i].came.at = q.came.at
		}
	}
	jsontext.List(&o, "open", saved)
	// The newest ends are those that a late answer may still be about.
	most := maxSavedEnds
	if opened.Side == elicit.Asking {
		most = maxAskingEnds
	}
	jsontext.List(&o, "ended", savedEnds(e.open.EndedOf(name, most)))
	if hosts := e.sessions.hosts.At(opened.Principal); len(hosts) > 0 {
		jsontext.OptStrings(&o, "visited", hosts)
	}
	if servers := e.sessions.servers.before(opened.Principal, opened.Server); len(servers) > 0 {
		jsontext.OptStrings(&o, "servers", servers)
	}
	if session.muted {
		o.Bool("muted", true)
	}
	jsontext.OptList(&o, "typed", session.typed)
	jsontext.OptList(&o, "accepted", session.accepted)
	jsontext.OptStrings(&o, "labels", session.labels)
	if looks {
		o.OptInt("haste", int64(session.haste))
	}
	if e.config.pauses {
		o.OptInt("paused_since", session.stopwatch.since)
		o.OptInt("paused_ms", session.stopwatch.total)
	}
	if len(session.reviews.last) > 0 {
		o.Str("reviews", session.reviews.String())
	}
	if grants := e.grants.ofSession.At(name); len(grants) > 0 {
		jsontext.List(&o, "grants", savedGrants(grants))
	}
	if level, at, spent := e.open.SessionAllowance(name); spent {
		o.Int("session_allowance", level)
		o.Int("session_allowance_at", at)
	}
	// The rest of a server's rate is saved with each of its sessions: see handleResumed.
	level, at := e.open.Allowance(opened.Server)
	o.Int("allowance", level)
	o.Int("allowance_at", at)
	if e.clock.ahead != 0 { // the times above are those of a clock that only this engine has
		o.Int("saved_at", e.clock.wall())
		o.Int("saved_now", e.clock.now)
	}
	return o.End(), true
}

// The embedded item has the deadline of the question itself, also while guardians have it.
type savedItem struct {
	pending.Item
	held    *question
	shownAt int64  // 0 when no policy looks at it
	came    coming // what policies look at
}

// AppendJSON appends
// {"id","state","deadline"?,"finished"?,"by"?,"by_client"?,"left_client"?,"preferred"?,"rounds"?,"receipts"?,
// "shown_at"?,"came_at"?,"came_hasty"?,"came_labels"?,"joined"?:[…],"told"?:[…],"told_beside"?:[…],"draft"?,
// "asked":{…}}.
func (s savedItem) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "id", string(s.ID), "state", s.State.String())
	o.OptInt("deadline", s.Deadline)
	o.OptTrue("finished", s.Finished)
	o.OptStr("by", string(s.held.end.by))
	o.OptTrue("by_client", s.held.shown.byClient)
	o.OptStr("left_client", s.held.shown.left)
	o.OptTrue("preferred", s.held.shown.preferred)
	o.OptInt("rounds", int64(s.held.consults.rounds)) // so that a verdict from before is not taken for one of now
	jsontext.OptStrings(&o, "receipts", s.held.shown.receipts)
	o.OptInt("shown_at", s.shownAt)
	o.OptInt("came_at", s.came.at)
	if s.came.haste != notKnown {
		o.Bool("came_hasty", s.came.haste == knownTrue)
	}
	o.OptInt("came_labels", int64(s.came.labels))
	if len(s.held.joined) > 0 {
		jsontext.List(&o, "joined", s.held.joined)
	}
	jsontext.OptStrings(&o, "told", s.held.warned.fields)
	jsontext.OptStrings(&o, "told_beside", s.held.warned.extras)
	o.OptTrue("told_unfit", s.held.warned.unfit)
	o.OptRaw("draft", s.held.shown.draft)
	o.Name("asked", event.Asked{Request: s.held.request}.AppendJSON)
	return o.End()
}

// savedGrants are a session's grants without what the session itself tells.
func savedGrants(grants []elicit.Grant) []elicit.Grant {
	out := make([]elicit.Grant, len(grants))
	for i, g := range grants {
		// The session says them once, so a forged state cannot give a grant to another session or person.
		g.Session, g.Server, g.Principal = "", "", ""
		out[i] = g
	}
	return out
}

// savedEnd is an end without its session, which the state says once.
type savedEnd pending.Ended

// savedEnds are the ends of questions that somebody may still answer. Without them, a late answer after a move would be
// an unknown request and not one that came too late.
func savedEnds(ends []pending.Ended) []savedEnd {
	out := make([]savedEnd, len(ends))
	for i, e := range ends {
		out[i] = savedEnd(e)
	}
	return out
}

// AppendJSON appends {"id","outcome","cause"}.
func (s savedEnd) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "id", string(s.ID), "outcome", string(s.Outcome), "cause", string(s.Cause))
}
