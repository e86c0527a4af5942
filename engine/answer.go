package engine

import (
	"bytes"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// handleAnswered matches an answer to its request by unforgeable id, session and principal, checks it, and settles.
func (s *step) handleAnswered(ev event.Answered) recordedEvent {
	it, ok := s.table.Find(ev.ID)
	if problem := s.unusableAnswer(ev, it, ok); problem != nil {
		s.emit(*problem)
		return s.withoutContent(ev)
	}
	h := s.held[ev.ID]
	if code := s.unseenByClient(h, ev); code != "" && s.askOnHost(h, code) {
		return s.withoutContent(ev)
	}
	x := s.readBeside(h, ev)
	if ev.Action != elicit.Accept || h.form == nil {
		kept := s.withoutContent(ev)
		x.keep(&kept)
		if again := s.readAgain(h, ev.Via, &x); again != nil {
			s.problem(effect.AboutAnswer, ev.Session, ev.ID, again...) // still open
			return kept
		}
		r := effect.Reply{Outcome: elicit.Outcome(ev.Action), Cause: causeOf(ev.Via)}
		if ev.Via == event.ViaNoUI {
			r.Outcome = h.unasked()
		}
		x.put(&r)
		if ev.Action == elicit.Accept {
			s.send(h, outgoing{reply: r, via: ev.Via, answer: kept.Answered, reasons: x.reasons,
				soon: soon(h.shownAt, s.at)})
			return kept
		}
		h.consult = nil
		h.countAnswer(ev.Via, false)
		h.reasons = append(h.reasons, x.reasons...)
		s.wantedGrant(ev, h) // nothing here can be remembered, and the reply says so
		s.settle(h, r, ev.Via)
		if ev.Mute {
			s.muteServer(h.session)
		}
		return kept
	}
	v := checkAnswer(h.form, h.facts.shown, s.withheldFields(h),
		keptAnswered{Answered: ev, withheld: s.withheld}, s.config.limits.answer)
	x.keep(&v.kept)
	v.problems = append(v.problems, x.problems...)
	fits, misfit := len(v.problems) == 0, "answer_invalid"
	if fits {
		v.problems, misfit = append(s.unsentSecrets(h, &v), s.unsentBeside(h, &x)...), "secret_unsent"
	}
	switch {
	case len(v.problems) == 0:
		out := outgoing{via: ev.Via, answer: ev, typed: v.kept.Content, reasons: append(v.reasons, x.reasons...),
			request: x.request, once: len(x.withheld.arguments) > 0 || h.narrowedBy(v.kept.Content),
			soon: soon(h.shownAt, s.at),
			reply: effect.Reply{Outcome: elicit.Accepted, Cause: causeOf(ev.Via), Content: v.content, Findings: v.findings(),
				Hidden: v.hidden}}
		x.put(&out.reply)
		s.send(h, out)
	case s.canAnswerAgain(h, ev.Via, fits):
		s.problem(effect.AboutAnswer, ev.Session, ev.ID, v.problems...) // still open
	case !fits && s.askOnHost(h, codeClientUnfit):
	default:
		h.reasons = append(h.reasons, elicit.Reason{Code: misfit})
		s.settle(h, effect.Reply{Outcome: elicit.Cancelled, Cause: causeOf(ev.Via), Problems: v.problems}, ev.Via)
	}
	return v.kept
}

// narrowedBy reports whether an answer takes away from what an approval opens. Such a yes cannot be remembered: a grant
// says yes to all.
func (h *held) narrowedBy(content []byte) bool {
	return h.kind == elicit.KindApproval && !bytes.Equal(content, h.form.Fill(nil, nil))
}

// withoutContent is the answer without content: it may hold secrets, and nothing that follows depends on it.
func (s *step) withoutContent(ev event.Answered) keptAnswered {
	kept := keptAnswered{Answered: ev, withheld: s.withheld}
	kept.Cleared, kept.Note, kept.Arguments = nil, "", nil
	if ev.Content != nil || len(s.withheld) > 0 {
		kept.Content, kept.withheld = nil, []withheldValue{{}}
	}
	return kept
}

// unusableAnswer says why an answer cannot be used at all, or nil.
func (s *step) unusableAnswer(ev event.Answered, it pending.Item, open bool) *effect.Problem {
	fail := func(code string, args ...elicit.Arg) *effect.Problem {
		return &effect.Problem{About: effect.AboutAnswer, Session: ev.Session, ID: ev.ID,
			Problems: []elicit.Problem{{Code: code, Args: args}}}
	}
	if !open {
		if ended, known := s.table.Ended(ev.ID); known && ended.Session == ev.Session {
			if session, open := s.sessions[ev.Session]; open && session.opened.Principal != ev.Principal {
				return fail("wrong_principal") // how it ended is for the one who was asked
			}
			p := fail("already_settled", elicit.Str("outcome", string(ended.Outcome)), elicit.Str("cause", string(ended.Cause)))
			p.Outcome, p.Cause = ended.Outcome, ended.Cause
			return p
		}
		return fail("unknown_request")
	}
	switch {
	case it.Session != ev.Session:
		return fail("unknown_request") // another session's id says nothing here, not even that it exists
	case !s.held[ev.ID].mayAnswer(ev):
		return fail("wrong_principal")
	case it.State == pending.Awaiting:
		by := s.held[ev.ID].acceptedBy()
		p := fail("already_settled", elicit.Str("outcome", string(elicit.Accepted)), elicit.Str("cause", string(by)))
		p.Outcome, p.Cause = elicit.Accepted, by
		return p
	case it.State == pending.Queued || it.State == pending.Reviewing:
		return fail("not_shown")
	case s.held[ev.ID].consult != nil && ev.Action == elicit.Accept:
		return fail("answer_in_review")
	case !ev.Action.Valid():
		return fail("unknown_action", elicit.Str("action", string(ev.Action)))
	case !ev.Via.Valid() || ev.Via == event.ViaNoUI && ev.Action != elicit.Cancel ||
		ev.Via == event.ViaNoAnswer && ev.Action != elicit.Decline:
		return fail("unknown_via", elicit.Str("via", string(ev.Via)))
	case !ev.Remember.Scope.Valid():
		return fail("unknown_scope", elicit.Str("scope", string(ev.Remember.Scope)))
	case ev.Remember.ExpiresAt != 0 && ev.Remember.ExpiresAt <= s.wall:
		return fail("already_expired")
	case ev.Mute && ev.Action == elicit.Accept:
		return fail("mute_needs_refusal")
	}
	return nil
}

// mayAnswer reports whether a question is for the principal of an answer. The one who asked may
// always give up.
func (h *held) mayAnswer(ev event.Answered) bool {
	asker, person := h.session.opened.Principal, h.request.For
	if person == "" {
		person = asker
	}
	return ev.Principal == person || ev.Principal == asker && ev.Action == elicit.Cancel
}

// causeOf tells an answer nobody gave from one that a person gave.
func causeOf(via event.Via) elicit.Cause {
	switch via {
	case event.ViaPerson, event.ViaClient, event.ViaModel:
		return elicit.ByUser
	case event.ViaScript:
		return elicit.ByPolicy
	}
	if via == event.ViaNoAnswer {
		return elicit.ByNoAnswer
	}
	return elicit.ByNoUI
}

// checkedAnswer is what checkAnswer found about an accepted form's content.
type checkedAnswer struct {
	content  []byte // canonical, defaults filled in
	hidden   []string
	secrets  []elicit.Finding // in members that are hidden for it alone
	found    []elicit.Finding // in members that are not hidden
	problems []elicit.Problem
	reasons  []elicit.Reason // once it is sent
	kept     keptAnswered
}

// findings are what the reply says of the content.
func (v *checkedAnswer) findings() []elicit.Finding { return together(v.secrets, v.found) }

// together joins what was found first and later, leaving both lists as they are.
func together(first, later []elicit.Finding) []elicit.Finding {
	if len(later) == 0 {
		return first
	}
	return append(slices.Clip(first), later...)
}

// checkAnswer fills in defaults, inspects and checks. The kept event has no values of sensitive fields, of fields that
// policy withholds, and of fields that hold a secret. It has the findings about them instead, so that a replay without
// the values comes to the same result.
func checkAnswer(form *schema.Form, fields []risk.Field, private []string, ev keptAnswered, limit int) checkedAnswer {
	if len(ev.withheld) == 1 && ev.withheld[0].pointer == "" {
		return checkedAnswer{problems: ev.withheld[0].problems, kept: ev}
	}
	if ev.Content != nil {
		if problems := unreadable(ev.Content, limit); problems != nil {
			kept := ev
			kept.Content, kept.withheld = nil, []withheldValue{{problems: problems}}
			return checkedAnswer{problems: problems, kept: kept}
		}
	}
	v := checkedAnswer{hidden: sensitive(form), kept: ev}
	v.content = without(form.Fill(nil, ev.Content), ev.Cleared)
	for _, w := range ev.withheld {
		if name, ok := fieldAt(form, w.pointer); ok && len(w.findings) > 0 {
			v.hidden = append(v.hidden, name)
		}
	}
	inspected := withholdSecrets(form, fields, v.content, v.hidden)
	v.hidden, v.found = inspected.hidden, inspected.found
	// A field that policy withholds is read for secrets like any other, so that withholding it loosens nothing. A
	// replay could not repeat other findings in it, so they are left out.
	if also := missingFrom(v.hidden, private); len(also) > 0 {
		v.hidden = append(v.hidden, also...)
		inspected.content = without(inspected.content, also)
		v.found = risk.InspectAnswer(fields, inspected.content)
	}
	v.kept.Content, v.kept.content = inspected.content, jsontext.Canonical
	// A replay has the kept content alone, so the problems must not depend on withheld values: neither by their spans,
	// nor by the number of problems that is reported at most.
	for _, p := range form.Check(v.kept.Content) {
		if under(p.Pointer, v.hidden) == "" {
			v.problems = append(v.problems, p)
		}
	}
	if ev.withheld == nil {
		v.kept.withheld = withheldValues(v.hidden, secretProblems(form, &v), inspected.secrets)
	}
	for _, w := range v.kept.withheld {
		v.problems, v.secrets = append(v.problems, w.problems...), append(v.secrets, w.findings...)
	}
	return v
}

// secretProblems are the problems of sensitive fields. Spans and texts in them could tell what was typed.
func secretProblems(form *schema.Form, v *checkedAnswer) (found []elicit.Problem) {
	if len(v.hidden) == 0 {
		return nil
	}
	for _, p := range form.Check(v.content) {
		if under(p.Pointer, v.hidden) != "" {
			found = append(found, elicit.Problem{Code: p.Code, Pointer: p.Pointer, Args: numbersOf(p.Args)})
		}
	}
	return found
}

// withheldFields names the fields that policy withholds beside the sensitive ones.
func (s *step) withheldFields(h *held) (names []string) {
	for i := range h.form.Fields {
		if field := &h.form.Fields[i]; !field.Sensitive && s.config.stack.Withholds(h.request.Server, field.Name) {
			names = append(names, field.Name)
		}
	}
	return names
}

// privateFields names all fields whose values are kept nowhere.
func (s *step) privateFields(h *held) []string {
	return append(sensitive(h.form), s.withheldFields(h)...)
}

func missingFrom(list, names []string) (missing []string) {
	for _, name := range names {
		if !slices.Contains(list, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

func sensitive(form *schema.Form) (names []string) {
	for i := range form.Fields {
		if form.Fields[i].Sensitive {
			names = append(names, form.Fields[i].Name)
		}
	}
	return names
}

func withheldValues(names []string, problems []elicit.Problem, secrets []elicit.Finding) (list []withheldValue) {
	for _, name := range names {
		w := withheldValue{pointer: string(jsontext.AppendToken(nil, name))}
		for _, p := range problems {
			if under(p.Pointer, []string{name}) != "" {
				w.problems = append(w.problems, p)
			}
		}
		for _, f := range secrets {
			if under(f.Pointer[len(secretPointer):], []string{name}) != "" {
				w.findings = append(w.findings, f)
			}
		}
		list = append(list, w)
	}
	return list
}

// numbersOf keeps the arguments that are numbers; text could be what the person typed.
func numbersOf(args []elicit.Arg) (kept []elicit.Arg) {
	for _, a := range args {
		if a.Raw != "" && a.Raw[0] != '"' {
			kept = append(kept, a)
		}
	}
	return kept
}
