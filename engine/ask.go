package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

// handleAsked takes a question through admit, compile, inspect and decide, and ends with a reply or a held request. It
// returns the event as the journal may keep it.
//
// The order matters. Rates and handles come first, because they need no look at a text: a flood costs little. Lengths
// come before contents, so nothing reads a text that no record can hold. A muted server is not decided about, but its
// question is read: one that is not fit gets the error that says why.
func (s *step) handleAsked(ev event.Asked) recordedEvent {
	if len(ev.ArgumentsSchema) > s.config.limits.schema {
		ev.ArgumentsSchema = nil // it only helps to check edited arguments
	}
	// Of the host's event nothing is changed. The kept copy is what the record gets, and it loses texts that are too
	// long.
	kept := withoutLong(ev, s.gaps.cut, &s.config.limits)
	session, open := s.sessions.byName.Find(ev.Session)
	if !open {
		s.out.emit(effect.Problem{About: effect.AboutQuestion, Session: ev.Session, Ref: ev.Ref,
			Problems: []elicit.Problem{{Code: "unknown_session"}}})
		return kept.shortened()
	}
	req := ev.Request
	// A peer gives no id and no name of a server. Both are the engine's own, so no question can pass for one of
	// another session. The session's own name, and not the equal one of the event: what remembers it must not keep
	// the event's text alive.
	req.Session = session.opened.Session
	req.ID, req.Server, req.Side = s.id, session.opened.Server, session.opened.Side
	q := &question{request: req, opened: &session.opened}
	// Refused for its rate or its handle: q has neither kind nor form, and its reply names nothing of its text.
	if !s.open.enter(q, &s.config.limits, s.at) {
		return kept.shortened()
	}
	// The record must prove what was refused, although it does not hold it. The cut texts have their lengths in the
	// record. The digest is made here, because the texts are gone afterwards.
	if kept.cut != s.gaps.cut { // otherwise it comes from a journal, which has the digest
		kept.cut.sum = sumOf(ev)
	}
	if s.gaps.cut.digest != "" { // from a journal: it was refused for its rate, and its text is not kept
		s.open.refuse(q, elicit.ByRateLimit, s.open.charge(q, &s.config.limits, s.at)...)
		return kept
	}
	// The order is a promise to replays: what a record lacks (a long text) must be refused before anything reads it.
	if !s.admit(q, kept.cut) || !s.compile(q) {
		return kept
	}
	// The reader of the schema knows its spelling, which saves the record a second look.
	if q.form != nil {
		kept.schema = jsontext.SpellingOf(q.facts.canonical)
	}
	// A muted server learns no more than that the question is cancelled by policy. It was not decided: no rule, no
	// finding and no charge say anything of a question that the person does not want to hear.
	if session.muted {
		q.because(mutedReason)
		s.open.finish(q, effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy})
		return kept
	}
	// A saved session decides again later. Policy must then see the moment as it was now.
	q.came = coming{s.wall, knownAs(session.haste.isHasty()), len(session.labels)}
	if !s.settleOrHold(q, s.decider.weigh(q, s.now(q))) {
		return kept.shortened()
	}
	return kept
}

// withoutLong leaves out of an oversized question what the journal could not hold. Only the lengths matter from there
// on.
//
// ev is the event as it came; cut is what a record says of texts that are gone already, which stays. The limits of
// message, schema, url and arguments apply to each text alone. The sum of the lengths has no limit here: see maxHeld.
func withoutLong(ev event.Asked, cut cutTexts, limits *limits) keptAsked {
	kept := keptAsked{Asked: ev, cut: cut}
	// The message shows the command. One length for the three, so the question is refused for its message also when its
	// command alone is too long.
	if n := max(len(ev.Message), len(ev.Command), len(ev.CommandCandidate)); n > limits.message {
		kept.Message, kept.Parts, kept.Command, kept.CommandCandidate, kept.cut.message = "", nil, "", "", n
	}
	if n := len(ev.Schema); n > limits.schema {
		kept.Schema, kept.cut.schema = nil, n
	}
	if n := len(ev.URL); n > limits.url {
		kept.URL, kept.cut.url = "", n
	}
	if n := len(ev.Arguments); n > limits.arguments {
		kept.Arguments, kept.cut.arguments = nil, n
	}
	return kept
}

// admit refuses what may not be considered. Nothing here has looked inside the request yet. A text that is too long
// comes first: the journal does not keep it, so nothing may depend on its size.
func (s *step) admit(q *question, cut cutTexts) bool {
	req := q.request
	var problems []elicit.Problem
	// In a replay the lengths come from the record, in which the texts are missing. So both see the same problems.
	tooLong := func(pointer string, length, limit int) {
		if length > 0 {
			problems = append(problems, elicit.Problem{Code: "text_too_large", Pointer: pointer,
				Args: []elicit.Arg{elicit.Num("limit", limit), elicit.Num("length", length)}})
		}
	}
	tooLong("/message", cut.message, s.config.limits.message)
	tooLong("/requestedSchema", cut.schema, s.config.limits.schema)
	tooLong("/url", cut.url, s.config.limits.url)
	tooLong("/arguments", cut.arguments, s.config.limits.arguments)
	// Each text fits its own limit. All open questions of the session together must fit a saved session too, or Save
	// would write a state that no Resumed event can bring back.
	if len(problems) == 0 && s.open.bytesOf(q.request.Session)+q.size() > maxHeld {
		s.open.refuse(q, elicit.ByRateLimit, elicit.Problem{Code: "session_full",
			Args: []elicit.Arg{elicit.Num("limit", maxHeld)}})
		return false
	}
	if !req.Mode.Valid() {
		problems = append(problems, elicit.Problem{Code: "unknown_mode", Pointer: "/mode",
			Args: []elicit.Arg{elicit.Str("mode", string(req.Mode))}})
	}
	if !req.Does.Valid() {
		problems = append(problems, elicit.Problem{Code: "unknown_deed", Pointer: "/does",
			Args: []elicit.Arg{elicit.Str("does", string(req.Does))}})
	}
	if len(problems) == 0 {
		problems = q.readArguments()
	}
	if len(problems) > 0 {
		s.open.refuse(q, elicit.ByInvalidRequest, problems...)
		return false
	}
	// MCP 2025-11-25 client/elicitation, Capabilities: a server must not send modes that the client did not declare.
	// Shown and Client do not count here. They may change, and a question that nobody can show is settled as no_ui
	// instead.
	if !q.opened.Declared.Has(req.Mode) {
		s.open.refuse(q, elicit.ByUnsupported, elicit.Problem{Code: "mode_undeclared", Pointer: "/mode",
			Args: []elicit.Arg{elicit.Str("mode", string(req.Mode))}})
		return false
	}
	return true
}

// compile reads the schema into a form, or refuses. A page has no form: q.form stays nil, which all later code takes as
// the sign of URL mode. Equal schemas share one form and one formFacts, so nothing may write into either. Pointers of
// problems are into the peer's request, where the schema is the member requestedSchema of MCP.
func (s *step) compile(q *question) bool {
	if q.request.Mode == elicit.URL {
		q.kind, q.facts = elicit.KindURL, s.forms.factsOf(nil, nil)
		if q.request.URL == "" {
			s.open.refuse(q, elicit.ByInvalidRequest, elicit.Problem{Code: "missing", Pointer: "/url"})
			return false
		}
		return true
	}
	form, problems := s.forms.Compile(q.request.Schema, s.config.schemaOptions(q.request.Side))
	if form == nil {
		for i := range problems {
			problems[i].Pointer = "/requestedSchema" + problems[i].Pointer
		}
		s.open.refuse(q, elicit.ByInvalidRequest, problems...)
		return false
	}
	q.form, q.kind, q.facts = form, kindOf(q.request, form), s.forms.factsOf(form, q.request.Schema)
	return true
}

// settleOrHold does what was decided. False says that the question was refused, because too many like it need somebody
// to look at them.
func (s *step) settleOrHold(q *question, d policy.Decision) bool {
	reply, settled := s.decider.settlement(q, d)
	accepted := settled && reply.Outcome == elicit.Accepted
	if accepted {
		reply.Findings = q.facts.defaults
	}
	// first are asked whatever policy decided, except after a refusal. last look at answers, so an answer by policy
	// needs them as much as one of a person.
	first := s.config.guardiansDue(guardian.BeforeShow, d.Outcome == policy.Review)
	last := accepted && len(s.config.guardiansDue(guardian.BeforeSend, false)) > 0
	// Somebody will have to look at this one, a person or a reviewer. Only such a question costs its server's rate.
	if !settled {
		q.chooseSurface(s.config.stack)
		if problems := s.open.charge(q, &s.config.limits, s.at); problems != nil {
			s.open.refuse(q, elicit.ByRateLimit, problems...)
			return false
		}
	}
	// A question over the rate does not take the place of the older one for the same page. Nobody will see the new
	// one, so the old one must stay.
	s.open.supersede(q)
	switch {
	// No guardian is left to hear. A refusal needs none, because a guardian can only make a decision stricter.
	case settled && !accepted, accepted && len(first) == 0 && !last:
		if s.open.finish(q, reply); accepted {
			s.sessions.learn(&q.request)
		}
		return true
	// A duplicate waits for the answer of the first. It is charged before that, so that duplicates are not free.
	case !accepted && s.config.join && s.open.join(q):
		return true
	}
	// The question is in the map before it is in the table, and both happen here and in handleResumed alone.
	r := q.request
	it := pending.Item{ID: r.ID, Session: r.Session, Server: r.Server}
	s.open.keep(q)
	switch {
	// The table has the question as Reviewing in the first two cases: it has no turn and no deadline of its own yet.
	case len(first) > 0:
		s.open.Review(it)
		s.consult(q, &consultation{phase: guardian.BeforeShow, decision: d}, first)
	case last:
		s.open.Review(it)
		s.send(q, outgoing{reply: reply})
	default:
		s.open.Hold(it, s.at)
		s.showByClient(q)
	}
	return true
}
