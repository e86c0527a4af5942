package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/schema"
)

// outgoing is an answer that fits and is on its way.
type outgoing struct {
	reply   effect.Reply
	via     event.Via
	answer  event.Answered // what it came with, without content
	reasons []elicit.Reason
	typed   []byte // what of the content may be remembered

	request *elicit.Request // with edited arguments, as a journal may keep them; nil for no edit
	soon    bool            // the person accepted soon after the question was shown
	once    bool            // a yes cannot be remembered: a value of the arguments is kept nowhere, or it is narrowed
}

// byPerson reports whether somebody in front of the host's own interface can mend the answer.
func (x *outgoing) byPerson() bool { return x.reply.Cause == elicit.ByUser && x.via == event.ViaPerson }

// send lets the guardians look at an answer before it leaves.
func (s *step) send(h *held, x outgoing) {
	if permits := s.guardiansDue(guardian.BeforeSend, false); len(permits) > 0 {
		it, _ := s.table.Find(h.request.ID)
		s.consult(h, &consultation{phase: guardian.BeforeSend, outgoing: &x, deadline: it.Deadline}, permits)
		return
	}
	s.deliver(h, x)
}

// deliver settles with an answer that nothing stands against.
func (s *step) deliver(h *held, x outgoing) {
	h.reasons = append(h.reasons, x.reasons...)
	if h.once = x.once; x.request != nil { // a grant is for what the person has made of the call
		h.request = *x.request
	}
	grant, made := s.wantedGrant(x.answer, h)
	s.resetDenials(h, x)
	s.settle(h, x.reply, x.via)
	if x.byPerson() { // no script, no model, and no form of a client, which shows no changes
		s.retainMessage(h)
		h.countAnswer(x.via, x.soon)
	}
	if x.reply.Cause == elicit.ByUser && h.form != nil {
		s.retain(h, x.typed)
	}
	if made {
		s.keepGrant(h.session, grant)
	}
}

// concludeSend does what the guardians leave of an answer.
func (s *step) concludeSend(h *held, c *consultation) {
	x := c.outgoing
	results, _ := c.results()
	said := guardian.Combine(results, s.config.onFault())
	sum := answerDigest(x)
	switch {
	case said.Decision == guardian.Deny:
		s.reject(h, x, results, said, "guardian_refused")
		return
	case said.Decision == guardian.Ask && !h.confirmedBefore(results, said, sum):
		s.reject(h, x, results, said, "guardian_unconfirmed")
		return
	}
	h.reasons = append(h.reasons, said.Reasons...)
	if said.Decision == guardian.Ask {
		h.reasons = append(h.reasons, elicit.Reason{Code: "guardian_confirmed"})
	}
	x.reply.Findings = together(x.reply.Findings, h.newFindings(said.Findings))
	for _, pointer := range said.Redact {
		name := guardian.AnswerMember(pointer)
		content, ok := redacted(h.form, x.reply.Content, name)
		if !ok {
			s.reject(h, x, results, said, "guardian_refused")
			return
		}
		x.reply.Content = content
		x.reply.Findings = slices.DeleteFunc(slices.Clone(x.reply.Findings),
			func(f elicit.Finding) bool { return isAbout(f, name) })
		h.reasons = append(h.reasons, elicit.Reason{Code: "guardian_redacted", Args: []elicit.Arg{elicit.Str("field", name)}})
	}
	if len(said.Second) > 0 {
		var permits []guardian.Permit
		for _, i := range said.Second {
			permits = append(permits, c.asks[i].permit)
		}
		s.consult(h, &consultation{phase: effect.SecondPerson, outgoing: x, deadline: c.deadline}, permits)
		return
	}
	s.deliver(h, *x)
}

// answerDigest tells answers apart by what of them may be kept, so that a replay tells them apart alike.
func answerDigest(x *outgoing) string {
	kept := without(x.reply.Content, x.reply.Hidden)
	if x.reply.KeptNote != "" || x.reply.KeptArguments != nil {
		kept = append(append(slices.Clip(kept), x.reply.KeptArguments...), x.reply.KeptNote...)
	}
	sum := digest.Sum256(kept)
	return digest.Hex(sum[:])
}

// confirmedBefore reports whether the person has sent this very answer before, after each guardian that now wants them
// to confirm had said so. Otherwise that is remembered of now.
func (h *held) confirmedBefore(results []guardian.Result, said guardian.Combined, sum string) bool {
	var wanted []string
	for _, i := range said.Determining {
		wanted = append(wanted, results[i].Guardian+" "+sum)
	}
	for _, w := range wanted {
		if !slices.Contains(h.confirmed, w) {
			h.confirmed = wanted
			return false
		}
	}
	return true
}

// reject does not send an answer. If the person gave it, they may correct or confirm it. If policy or a grant gave it
// and no person has seen the question, the question goes to the person when the guardians want that. Otherwise it ends.
func (s *step) reject(h *held, x *outgoing, results []guardian.Result, said guardian.Combined, code string) {
	problems := rejections(results, said, code)
	if x.byPerson() {
		s.problem(effect.AboutAnswer, h.request.Session, h.request.ID, problems...) // still open
		return
	}
	h.findings, h.reasons = together(h.findings, h.newFindings(said.Findings)), append(h.reasons, said.Reasons...)
	it, _ := s.table.Find(h.request.ID)
	if it.State == pending.Reviewing && code == "guardian_unconfirmed" && h.session.opened.Shown.Has(h.request.Mode) {
		s.release(h)
		return
	}
	r := effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByGuardian, Problems: problems}
	if it.State == pending.Reviewing {
		r.Outcome = elicit.Declined
	}
	s.finish(h, r)
}

// newFindings are the findings that the request does not carry yet: a guardian of both phases often says the same
// twice.
func (h *held) newFindings(findings []elicit.Finding) (news []elicit.Finding) {
	for _, f := range findings {
		if !slices.ContainsFunc(h.findings, func(old elicit.Finding) bool {
			return old.Code == f.Code && old.Pointer == f.Pointer && slices.Equal(old.Args, f.Args)
		}) {
			news = append(news, f)
		}
	}
	return news
}

// rejections says what each determining guardian has against an answer, where it says it.
func rejections(results []guardian.Result, said guardian.Combined, code string) (problems []elicit.Problem) {
	for _, i := range said.Determining {
		r := &results[i]
		for _, f := range r.Remarks() {
			p := elicit.Problem{Code: code,
				Args: []elicit.Arg{elicit.Str("guardian", r.Guardian), elicit.Str("message", f.Message)}}
			if name := guardian.AnswerMember(f.Pointer); name != "" {
				p.Pointer = string(jsontext.AppendToken(nil, name))
			}
			problems = append(problems, p)
		}
	}
	if len(problems) == 0 { // it was an obligation that could not be met
		problems = append(problems, elicit.Problem{Code: "guardian_redaction",
			Args: []elicit.Arg{elicit.Str("guardian", "")}})
	}
	return problems
}

// redactedText stands for what was taken out of an answer that must say something.
var redactedText = []byte(`"[redacted]"`)

// redacted takes one member out of an answer. A required text says that it was taken out; a required choice or number
// cannot, and then there is no answer without it. Nothing here depends on what else was answered: a replay has lost the
// secrets among it.
func redacted(form *schema.Form, content []byte, name string) ([]byte, bool) {
	var field *schema.Field
	if form != nil {
		field = form.Field(name)
	}
	switch {
	case field == nil:
		return nil, false
	case !field.Required:
		return without(content, []string{name}), true
	case !form.Fits(name, redactedText):
		return nil, false
	}
	var scan jsontext.Scanner
	scan.Reset(content, documentLimits)
	o := jsontext.Begin(nil)
	for scan.Enter(); scan.More(); {
		key := scan.Key()
		raw := scan.Skip()
		if key.Equal(name) {
			raw = redactedText
		}
		o.Text(key, raw)
	}
	return o.End(), true
}
