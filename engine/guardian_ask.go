package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// consultation is a request that guardians have before them.
type consultation struct {
	phase    guardian.Phase
	asks     []pendingConsult
	decision policy.Decision // before_show: what happens when nobody objects
	outgoing *outgoing       // later: the answer that waits to be sent
	deadline int64           // the request's own, 0 for none
}

// pendingConsult is one guardian that has been asked.
type pendingConsult struct {
	effect.Consult
	permit guardian.Permit
	seed   string // of the question
	done   bool
	result guardian.Result
	review guardian.Review // a reviewer's
	by     string          // second_person: who answered
}

// ask emits a consult, with its deadline as the wall clock will show it.
func (s *step) ask(c effect.Consult) {
	c.Deadline = s.clock.onWall(c.Deadline)
	s.emit(c)
}

// consult puts a request before the permits' guardians. Each sees what its own permit allows, whatever the other
// permits say.
func (s *step) consult(h *held, c *consultation, permits []guardian.Permit) {
	h.consult = c
	subject := guardian.Subject{Phase: c.phase, At: s.wall, Request: &h.request, Kind: h.kind, Findings: h.ownFindings()}
	if h.form != nil {
		subject.Form = h.form.AppendJSON(nil)
	}
	if c.outgoing != nil {
		subject.Phase = guardian.BeforeSend
		subject.Content, subject.Hidden = c.outgoing.reply.Content, hiddenOf(h.form, c.outgoing.reply.Hidden)
		subject.Note = c.outgoing.reply.KeptNote
		if c.outgoing.request != nil {
			subject.Request = c.outgoing.request
		}
	}
	questions := guardian.Questions(&subject)
	for i := range permits {
		g := &permits[i]
		h.rounds++
		seed := guardian.Seed(s.random, h.rounds, g.Name)
		q := questions.Question(g, seed)
		a := pendingConsult{permit: *g, seed: seed,
			result: guardian.Result{Guardian: g.Name, Digest: g.Digest, Audit: g.Audit, Phase: c.phase},
			Consult: effect.Consult{Session: h.request.Session, ID: h.request.ID, Round: h.rounds, Guardian: g.Name,
				Digest: g.Digest, Phase: c.phase, Reviewer: g.Reviewer, Host: g.Host, Deadline: s.at + g.Deadline,
				Question: q.Text, Data: g.Data, Kept: q.Kept}}
		if !g.Host {
			a.Fuel, a.WASI = g.Fuel, g.WASI
		}
		if c.phase == effect.SecondPerson {
			a.Digest, a.Data, a.Host, a.Fuel, a.WASI, a.Deadline = "", "", true, 0, false, s.at+secondPersonTTL
			a.Question = q.Kept // secrets are for the guardian, not for colleagues
		}
		if q.TooLong {
			a.done, a.result.Fault = true, guardian.FaultQuestionTooLarge
		} else {
			s.ask(a.Consult)
		}
		c.asks = append(c.asks, a)
	}
	s.concludeOrWait(h)
}

// ownFindings are the engine's own findings. A guardian's findings may follow from data that only this guardian may
// read, so no other guardian gets them.
func (h *held) ownFindings() (own []elicit.Finding) {
	for _, f := range h.findings {
		if f.Code != "guardian_finding" && f.Code != "reviewer_finding" {
			own = append(own, f)
		}
	}
	return own
}

// concludeOrWait concludes when every guardian has been heard, and else waits for the one whose time is up first.
func (s *step) concludeOrWait(h *held) {
	c, next := h.consult, h.consult.deadline
	waiting := false
	for i := range c.asks {
		if a := &c.asks[i]; !a.done {
			waiting = true
			if next == 0 || a.Deadline < next {
				next = a.Deadline
			}
		}
	}
	if waiting {
		s.table.SetDeadline(h.request.ID, next)
		return
	}
	h.consult = nil
	s.table.SetDeadline(h.request.ID, c.deadline)
	switch c.phase {
	case guardian.BeforeShow:
		s.concludeShow(h, c)
	case guardian.BeforeSend:
		s.concludeSend(h, c)
	default:
		s.concludeSecond(h, c)
	}
}

// failOverdue fails the guardians whose time is up.
func (s *step) failOverdue(h *held) {
	for i := range h.consult.asks {
		if a := &h.consult.asks[i]; !a.done && a.Deadline <= s.at {
			a.done, a.result.Fault = true, guardian.FaultTimeout
		}
	}
	s.concludeOrWait(h)
}

// handleConsulted takes what one guardian said and returns the event as the journal may keep it.
func (s *step) handleConsulted(ev event.Consulted) recordedEvent {
	ev = bounded(ev)
	it, open := s.table.Find(ev.ID)
	if !open || it.Session != ev.Session {
		if ended, known := s.table.Ended(ev.ID); known && ended.Session == ev.Session {
			s.reportUnused(ev, elicit.Problem{Code: "consult_over"})
		} else {
			s.reportUnused(ev, elicit.Problem{Code: "unknown_request"})
		}
		return withoutWords(ev)
	}
	h := s.held[ev.ID]
	a := h.waitingFor(ev.Round)
	switch {
	case a == nil:
		s.reportUnused(ev, elicit.Problem{Code: "consult_over"})
		return withoutWords(ev)
	case (ev.Output == "") == (ev.Fault == ""):
		s.reportUnused(ev, elicit.Problem{Code: "output_or_fault"})
		return withoutWords(ev)
	case a.Phase == effect.SecondPerson:
		if !s.readSecondPerson(a, ev) {
			return ev
		}
	case a.Reviewer:
		s.readReview(a, ev)
	default:
		ev = a.readGuest(ev, h.form)
	}
	s.concludeOrWait(h)
	return ev
}

// reportUnused reports a guardian's answer that cannot be used. The person has nothing to mend.
func (s *step) reportUnused(ev event.Consulted, p elicit.Problem) {
	p.Args = append(slices.Clip(p.Args), elicit.Num("round", ev.Round))
	s.problem(effect.AboutGuardian, ev.Session, ev.ID, p)
}

// waitingFor is the guardian that an answer of that round is from, nil when nobody waits for it.
func (h *held) waitingFor(round int) *pendingConsult {
	if h.consult == nil {
		return nil
	}
	for i := range h.consult.asks {
		if a := &h.consult.asks[i]; a.Round == round && !a.done {
			return a
		}
	}
	return nil
}

// readGuest reads what a guest wrote. Of one that was shown a secret the journal keeps no word of its own, and no fuel:
// a guest chooses how much it uses.
func (a *pendingConsult) readGuest(ev event.Consulted, form *schema.Form) event.Consulted {
	if a.Withheld() {
		ev.Fuel = 0
	}
	a.done, a.result.Fuel = true, ev.Fuel
	if ev.Fault != "" {
		a.result.Fault = guardian.ReadFault(string(ev.Fault))
		return ev
	}
	a.result.Verdict, a.result.Problem = guardian.ReadVerdict([]byte(ev.Output), a.Phase)
	if a.result.Problem == nil {
		isField := func(name string) bool { return form != nil && form.Field(name) != nil }
		a.result.Problem = a.result.Verdict.RedactsNothing(isField)
	}
	if a.result.Problem != nil {
		a.result.Verdict, a.result.Fault = guardian.Verdict{}, guardian.FaultBadVerdict
		if a.Withheld() {
			ev.Output, a.result.Problem = "?", &elicit.Problem{Code: "verdict_unreadable"}
		}
		return ev
	}
	if a.Withheld() {
		a.result.Verdict = a.result.Verdict.Discreet(a.permit.Declared.Codes, namesOf(form))
		ev.Output = string(a.result.Verdict.AppendJSON(nil))
	}
	return ev
}

func namesOf(form *schema.Form) (names []string) {
	if form != nil {
		for i := range form.Fields {
			names = append(names, form.Fields[i].Name)
		}
	}
	return names
}

func hiddenOf(form *schema.Form, names []string) (list []guardian.Hidden) {
	for _, name := range names {
		list = append(list, guardian.Hidden{Name: name, Type: typeOf(form.Field(name))})
	}
	return list
}

func typeOf(field *schema.Field) string {
	switch field.Kind {
	case schema.Number, schema.Integer:
		return "number"
	case schema.Boolean:
		return "boolean"
	case schema.ManyChoices:
		return "array"
	}
	return "string"
}

// guardiansDue are the guardians to be heard in a phase. Reviewers are heard in another's place: when policy says so.
func (s *step) guardiansDue(phase guardian.Phase, reviewers bool) (permits []guardian.Permit) {
	for _, g := range s.config.guardians {
		if g.Reviewer && reviewers || !g.Reviewer && g.Due(phase) {
			permits = append(permits, g)
		}
	}
	return permits
}

// results are those of the guardians, and of the reviewers, apart.
func (c *consultation) results() (guests []guardian.Result, reviewers []*pendingConsult) {
	for i := range c.asks {
		if a := &c.asks[i]; a.Reviewer {
			reviewers = append(reviewers, a)
		} else {
			guests = append(guests, a.result)
		}
	}
	return guests, reviewers
}

// concludeShow does what the guardians leave of a decision.
func (s *step) concludeShow(h *held, c *consultation) {
	guests, reviewers := c.results()
	said := guardian.Combine(guests, s.config.onFault())
	h.findings, h.reasons = together(h.findings, said.Findings), append(h.reasons, said.Reasons...)
	d := s.config.stack.Tighten(policy.Decision{Outcome: c.decision.Outcome}, said.Findings)
	h.reasons = append(h.reasons, d.Reasons...)
	switch {
	case said.Decision == guardian.Deny:
		s.finish(h, effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByGuardian})
		return
	case d.Outcome == policy.Review:
		d.Outcome = s.combineReviews(h, reviewers)
		if d.Outcome == policy.Decline {
			s.finish(h, effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByGuardian})
			return
		}
		if d.Outcome == policy.Accept && said.Decision == guardian.Pass {
			s.send(h, outgoing{reply: effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByGuardian,
				Content: h.form.Fill(nil, nil)}})
			return
		}
	}
	if said.Decision == guardian.Ask {
		d.Outcome = max(d.Outcome, policy.Ask)
	}
	switch r, settled := s.settlement(h, d); {
	case settled && r.Outcome == elicit.Accepted:
		r.Findings = h.facts.defaults
		s.send(h, outgoing{reply: r})
	case settled:
		s.finish(h, r)
	default:
		if !s.release(h) {
			return
		}
		if c.deadline != 0 { // it was saved with one
			s.table.SetDeadline(h.request.ID, c.deadline)
		}
	}
}

// release lets a request that was under review be shown. One that policy had accepted was not to bother anybody, so it
// is counted only now, and may be one too many.
func (s *step) release(h *held) bool {
	s.chooseSurface(h)
	if !h.charged {
		if problems := s.charge(h); problems != nil {
			s.finish(h, effect.Reply{Outcome: elicit.Failed, Cause: elicit.ByRateLimit, Problems: problems})
			return false
		}
	}
	s.table.Release(h.request.ID, s.at)
	s.showByClient(h)
	return true
}
