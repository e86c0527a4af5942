package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// handleAsked takes a question through admit, compile, decide and inspect, and ends with a reply or a held request.
func (s *step) handleAsked(ev event.Asked) recordedEvent {
	if len(ev.ArgumentsSchema) > s.config.limits.schema {
		ev.ArgumentsSchema = nil // it only helps to check edited arguments
	}
	kept := s.withoutLong(ev)
	session, open := s.sessions[ev.Session]
	if !open {
		s.emit(effect.Problem{About: effect.AboutQuestion, Session: ev.Session, Ref: ev.Ref,
			Problems: []elicit.Problem{{Code: "unknown_session"}}})
		return kept.shortened()
	}
	req := ev.Request
	// The session's own name, and not the equal one of the event: what remembers it must not keep the event's text alive.
	req.Session = session.opened.Session
	req.ID, req.Server, req.Side = s.id, session.opened.Server, session.opened.Side
	h := &held{request: req, session: session}
	if !s.enter(h) {
		return kept.shortened()
	}
	if kept.cut != s.cut { // otherwise it comes from a journal, which has the digest
		kept.cut.sum = sumOf(ev)
	}
	if s.cut.digest != "" { // from a journal: it was refused for its rate, and its text is not kept
		s.refuse(h, elicit.ByRateLimit, s.charge(h)...)
		return kept
	}
	if !s.admit(h, kept.cut) || !s.compile(h) {
		return kept
	}
	if h.form != nil {
		kept.schema = jsontext.SpellingOf(h.facts.canonical)
	}
	if s.refuseMuted(h) {
		return kept
	}
	h.came = coming{s.wall, knownAs(session.haste.isHasty())}
	if !s.settleOrHold(h, s.decide(h)) {
		return kept.shortened()
	}
	return kept
}

// withoutLong leaves out of an oversized question what the journal could not hold. Only the lengths matter from there
// on.
func (s *step) withoutLong(ev event.Asked) keptAsked {
	kept, limits := keptAsked{Asked: ev, cut: s.cut}, s.config.limits
	// The message shows the command.
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
func (s *step) admit(h *held, cut cutTexts) bool {
	req := h.request
	var problems []elicit.Problem
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
	if len(problems) == 0 && s.heldBytes(h.session)+h.size() > maxHeld {
		s.refuse(h, elicit.ByRateLimit, elicit.Problem{Code: "session_full",
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
		problems = h.readArguments()
	}
	if len(problems) > 0 {
		s.refuse(h, elicit.ByInvalidRequest, problems...)
		return false
	}
	if !h.session.opened.Declared.Has(req.Mode) {
		s.refuse(h, elicit.ByUnsupported, elicit.Problem{Code: "mode_undeclared", Pointer: "/mode",
			Args: []elicit.Arg{elicit.Str("mode", string(req.Mode))}})
		return false
	}
	return true
}

// charge counts a question that a person or a guardian will have to look at. A question that policy settles, that is
// not fit to be asked, or that a muted server asks needs nobody, so it counts only as admitted. A held call counts for
// no server, because our own client made it. charge returns the problem with a question that is one too many, and nil
// otherwise.
func (s *step) charge(h *held) []elicit.Problem {
	if h.request.HeldCall {
		return s.chargeCall(h)
	}
	limits, code, perMinute := &s.config.limits, "", 0
	if h.byClient { // the client limits what its person gets
		h.charged = true
		return nil
	}
	switch s.table.Charge(h.request.Session, h.request.Server, s.at) {
	case pending.Admitted:
		h.charged = true
		return nil
	case pending.SessionLimited:
		code, perMinute = "session_rate_limited", limits.perMinuteSession
	default:
		code, perMinute = "rate_limited", limits.perMinute
	}
	h.findings, h.reasons = nil, nil // they are not why it is refused
	return []elicit.Problem{{Code: code, Args: []elicit.Arg{elicit.Num("per_minute", perMinute)}}}
}

// maxHeld bounds the open questions of one session in bytes, so that a session can always be saved, whatever has to be
// escaped in it.
const maxHeld = maxState / 8

// heldBytes is the size of all that a session holds.
func (s *step) heldBytes(session *session) int {
	n := session.pageBytes
	for _, it := range s.table.Unanswered(session.opened.Session) {
		n += s.held[it.ID].size()
	}
	return n
}

// size is what a question and those joined to it count towards maxHeld.
func (h *held) size() int {
	if h.request.HeldCall && h.bytes == 0 {
		h.bytes = size(h.request)
	}
	n := h.bytes
	if n == 0 {
		n = size(h.request)
	}
	for _, j := range h.joined {
		n += len(j.id) + len(j.ref) + len(j.parent)
	}
	return n
}

func size(r elicit.Request) (n int) {
	if r.HeldCall { // most of it are documents, which need no escapes
		return len(event.Asked{Request: r}.AppendJSON(nil))*maxHeld/maxState + 1
	}
	for i := range r.Candidates {
		n += len(r.Candidates[i].Tool) + candidateSize
	}
	reach, bytes := r.ReachSize()
	n += reach*reachSize + bytes + len(r.Parts)*partSize
	return n + len(r.Message) + len(r.Schema) + len(r.URL) + len(r.Session) + len(r.Ref) + len(r.Parent) +
		len(r.Tool) + len(r.Link) + len(r.Command) + len(r.CommandCandidate) + len(r.Cwd) + len(r.CommandAt) +
		len(r.Arguments) + len(r.ArgumentsSchema) + len(r.Description) + len(r.Definition)
}

// reachSize is what a path or host takes in a saved session beside its text.
const reachSize = 4

// partSize is what a part of a message takes in a saved session.
const partSize = 40

// candidateSize is what a candidate takes in a saved session beside the name of its tool.
const candidateSize = 128

// compile reads the schema into a form, or refuses.
func (s *step) compile(h *held) bool {
	if h.request.Mode == elicit.URL {
		h.kind, h.facts = elicit.KindURL, s.forms.factsOf(nil, nil)
		if h.request.URL == "" {
			s.refuse(h, elicit.ByInvalidRequest, elicit.Problem{Code: "missing", Pointer: "/url"})
			return false
		}
		return true
	}
	form, problems := s.forms.Compile(h.request.Schema, s.config.schemaOptions(h.request.Side))
	if form == nil {
		for i := range problems {
			problems[i].Pointer = "/requestedSchema" + problems[i].Pointer
		}
		s.refuse(h, elicit.ByInvalidRequest, problems...)
		return false
	}
	h.form, h.kind, h.facts = form, kindOf(h.request, form), s.forms.factsOf(form, h.request.Schema)
	return true
}

func kindOf(req elicit.Request, form *schema.Form) elicit.Kind {
	switch {
	case form == nil:
		return elicit.KindURL
	case req.Claim == elicit.ClaimSuggestion:
		return elicit.KindSuggestion
	case req.Claim == elicit.ClaimApproval && (len(form.Fields) == 0 || narrows(req, form)):
		return elicit.KindApproval
	}
	return form.Kind()
}

// narrows reports whether the fields of an approval of permissions can only take away from what it opens: all choices
// are chosen at first. Then a yes without a word of the person is a yes to all, as without the fields.
func narrows(req elicit.Request, form *schema.Form) bool {
	return req.Does == elicit.DeedPermissions && form.AllChosen()
}

// supersede ends older requests that ask for the same page: the newest is the one the server still waits for.
func (s *step) supersede(h *held) {
	if older := h.session.links[h.request.Link]; older != nil {
		s.withdraw(older, elicit.Cancelled, elicit.BySuperseded)
	}
}

// decide weighs policy, grants and findings.
func (s *step) decide(h *held) policy.Decision { return s.weigh(h, true) }

func (s *step) weigh(h *held, grants bool) policy.Decision {
	facts, findings := s.consider(h)
	return s.weighFacts(h, facts, findings, grants)
}

// weighAgain is weigh for a request that was decided before. Time and haste are those of the moment when it came, as
// far as they are known: a request that waits is not decided by what the person did since.
func (s *step) weighAgain(h *held, grants bool) policy.Decision {
	facts, findings := s.consider(h)
	if h.came.at != 0 {
		facts.At = h.came.at
	}
	if h.came.haste != notKnown {
		facts.Hasty = h.came.haste == knownTrue
	}
	return s.weighFacts(h, facts, findings, grants)
}

func (s *step) weighFacts(h *held, facts policy.Facts, findings []elicit.Finding, grants bool) policy.Decision {
	if grants {
		facts.Granted = s.coveringGrant(h, findings)
	}
	d := s.decideByPolicy(&facts, findings)
	if d.Outcome == policy.Review {
		if why := s.whyNotReviewed(h); why != "" {
			// A reviewer may stand in for a person; without one the person is asked, which is never the laxer choice.
			d.Outcome, d.Reasons = policy.Ask, append(d.Reasons, elicit.Reason{Code: why})
		}
	}
	h.findings, h.reasons = findings, d.Reasons
	return d
}

// settleOrHold does what was decided. False says that the question was refused, because too many like it need somebody
// to look at them.
func (s *step) settleOrHold(h *held, d policy.Decision) bool {
	reply, settled := s.settlement(h, d)
	accepted := settled && reply.Outcome == elicit.Accepted
	if accepted {
		reply.Findings = h.facts.defaults
	}
	first := s.guardiansDue(guardian.BeforeShow, d.Outcome == policy.Review)
	last := accepted && len(s.guardiansDue(guardian.BeforeSend, false)) > 0
	if !settled {
		s.chooseSurface(h)
		if problems := s.charge(h); problems != nil {
			s.refuse(h, elicit.ByRateLimit, problems...)
			return false
		}
	}
	s.supersede(h)
	switch {
	case settled && !accepted, accepted && len(first) == 0 && !last:
		s.finish(h, reply)
		return true
	case !accepted && s.joinSame(h):
		return true
	}
	r := h.request
	it := pending.Item{ID: r.ID, Session: r.Session, Server: r.Server}
	s.keep(h)
	switch {
	case len(first) > 0:
		s.table.Review(it)
		s.consult(h, &consultation{phase: guardian.BeforeShow, decision: d}, first)
	case last:
		s.table.Review(it)
		s.send(h, outgoing{reply: reply})
	default:
		s.table.Hold(it, s.at)
		s.showByClient(h)
	}
	return true
}

// settlement is the reply that a decision gives without a person, if it does.
func (s *step) settlement(h *held, d policy.Decision) (effect.Reply, bool) {
	switch d.Outcome {
	case policy.Accept:
		if h.form != nil {
			content := h.form.Fill(nil, nil)
			if len(h.form.Check(content)) == 0 {
				return effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByPolicy, Content: content,
					Hidden: s.privateFields(h)}, true
			}
		}
		h.reasons = append(h.reasons, elicit.Reason{Code: "accept_needs_data"})
	case policy.Ask:
	case policy.Review:
		return effect.Reply{}, false // nobody need be shown anything yet
	case policy.Cancel:
		return effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy}, true
	default: // decline, and whatever a policy may come to say that is not known here
		return effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByPolicy}, true
	}
	if opened := &h.session.opened; !opened.Shown.Has(h.request.Mode) && !opened.Client.Has(h.request.Mode) {
		return effect.Reply{Outcome: h.unasked(), Cause: elicit.ByNoUI}, true
	}
	return effect.Reply{}, false
}

// unasked is the outcome of a question for which nobody can be reached: a rule that declines and only may match holds
// then.
func (h *held) unasked() elicit.Outcome {
	if policy.DeclinesUnasked(h.reasons) {
		return elicit.Declined
	}
	return elicit.Cancelled
}

// refuse answers a request that was not fit to be considered.
func (s *step) refuse(h *held, cause elicit.Cause, problems ...elicit.Problem) {
	s.finish(h, effect.Reply{Outcome: elicit.Failed, Cause: cause, Problems: problems})
}

// showNext shows queued requests whose turn it is.
func (s *step) showNext() {
	for _, it := range s.table.Next(s.at) {
		s.show(s.held[it.ID], it.Deadline)
	}
}

func (s *step) show(h *held, deadline int64) {
	r := &h.request
	show := effect.Show{Session: r.Session, ID: r.ID, Ref: r.Ref, Server: r.Server, Tool: r.Tool, Mode: r.Mode,
		Kind: h.kind, Message: r.Message, Parts: r.Parts, Form: h.form, URL: r.URL, Findings: h.findings, Reasons: h.reasons,
		ByClient: h.byClient, Deadline: s.clock.onWall(deadline), Waiting: s.table.Waiting(), Draft: h.draft,
		Suggestions: s.suggestions(h),
		Remember:    s.offeredScopes(h), Arguments: r.Arguments, Takes: s.taken(h), Description: r.Description,
		Does: r.Does, Command: r.Command, Cwd: r.Cwd, Paths: r.Paths, Hosts: r.Hosts, ReachCut: r.ReachCut,
		Outside: r.Outside, Changed: s.changes(h)}
	if r.HeldCall { // the person decides about the tool itself
		show.Annotations = r.Annotations
	}
	if h.shownAt == 0 {
		h.shownAt = s.at
	}
	show.KeepForm(h.facts.text)
	s.emit(show)
}
