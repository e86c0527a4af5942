package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// responded takes the client's answer to a request. One that comes too late is told how its question ended.
//
// A Ref is used once: each put makes a new one. sent remembers some of those that are over, so that the machine can
// tell a late answer from an unknown one.
func (m *Machine) responded(ev Responded) {
	i := slices.IndexFunc(m.questions.sent, func(s sent) bool { return s.ref == ev.Ref })
	if i < 0 {
		m.out.problem("unknown_request", "")
		return
	}
	id := m.questions.sent[i].id
	q := m.questions.byID(id)
	// An answer to an earlier request may have been meant for another wording. It does not count for this one.
	if q != nil && q.sent != ev.Ref { // the question was put again since
		m.out.problem("unknown_request", id)
		return
	}
	if q == nil {
		// The engine tells how the question ended. It is asked with a cancel, which could not do harm if it were
		// open.
		m.do(event.Answered{Session: session, ID: id, Principal: m.client.config.Principal, Action: elicit.Cancel,
			Via: event.ViaClient})
		return
	}
	q.sent = ""
	if ev.Error != nil || ev.Result == nil {
		// A client that answers with an error may not have asked anybody. The question is not put again, because most
		// errors would come again.
		q.failure = []elicit.Problem{clientError(ev.Error)}
		m.withdraw(q, elicit.ByPeerError)
		return
	}
	m.response(q, ev.Result)
}

// clientError describes the error that a client answered with.
//
// The client may put anything there. Only a short number and a clipped text go on, to the handler and the journal.
func clientError(raw []byte) elicit.Problem {
	code, message := "0", ""
	if jsontext.Check(raw, jsontext.Limits{}) == nil {
		if o, ok := wire.ReadObject(raw); ok {
			if n := o.Get("code"); wire.TypeOf(n) == wire.Number && len(n) < 16 {
				code = string(n)
			}
			message, _ = wire.Text(o.Get("message"))
		}
	}
	return elicit.Problem{Code: "client_error", Args: []elicit.Arg{{Name: "code", Raw: code},
		elicit.Str("message", clipped(message))}}
}

// responseTo is the answer to a question in the parameters of a repeated call, or nil. It counts only for the question
// that was put: one that is still open here, or the one that the state of the call names.
//
// Without this test, a client could bring an answer together with the first call and so answer a form that no person
// has seen.
func responseTo(c *call, q *question) []byte {
	asked := q.offer != "" || c.before != nil && c.before.position == q.position && c.before.digest == q.digest
	if c.responses == nil || !asked {
		return nil
	}
	return mcp.InputResponse(c.responses, q.key())
}

// response takes what the client said to a question as it was put: a form, or a URL to visit.
//
//	unreadable, or does not fit         the question is put again, or its attempts are used up
//	accept of a page                    consent to visit it; the page brings the answer
//	cancel within half a second         nobody was there; the question goes another way
//	anything for another person         a cancel
//	else                                the engine checks it, and replies or reports problems
func (m *Machine) response(q *question, raw []byte) {
	mode := q.Mode
	if q.page {
		mode = elicit.URL
	}
	if f := jsontext.Check(raw, jsontext.Limits{}); f != nil {
		m.askAgain(q, elicit.FromFault(f))
		return
	}
	a, problems := m.client.dialect.DecodeAnswer(raw, mode)
	if q.chooses() && len(problems) == 0 {
		problems = chosen(&a)
	}
	switch {
	case len(problems) > 0:
		m.askAgain(q, problems...)
	case q.page && a.Action == elicit.Accept:
		q.consented = true // the answer itself comes from the page
	case m.client.nobodyThere(q, m.calls.byID.At(q.call), a.Action, m.clock.now):
		q.absent = true
		m.put(q)
	case m.client.forAnother(q): // the caller gives up, and says nothing for the other person
		m.answer(q, event.Answered{Action: elicit.Cancel, Via: event.ViaClient})
	default:
		m.answer(q, event.Answered{Action: a.Action, Content: slices.Clone(a.Content), Via: event.ViaClient})
		// The engine has kept the question open and engineProblem has stored why.
		if m.questions.byID(q.id) == q && len(q.problems) > 0 {
			m.askAgain(q)
		}
	}
}

// answer gives an answer to the engine, which checks it.
func (m *Machine) answer(q *question, ev event.Answered) {
	q.problems = nil
	ev.Session, ev.ID = session, q.id
	if ev.Principal == "" && ev.Via == event.ViaClient {
		ev.Principal = m.client.config.Principal
	}
	m.do(ev)
}

// askAgain counts an answer of the client that did not fit, and puts the question again while attempts are left.
//
// Every wrong answer counts, also one that is no JSON. Otherwise a broken client would be asked without end.
func (m *Machine) askAgain(q *question, problems ...elicit.Problem) {
	if len(problems) > 0 {
		q.problems = problems
		m.out.emit(effect.Problem{About: effect.AboutAnswer, Session: session, ID: q.id, Problems: problems})
	}
	if q.attempts++; q.attempts >= m.client.config.Attempts {
		m.withdraw(q, elicit.ByAttemptsUsed)
		return
	}
	m.put(q)
}

// submitted takes an answer from the server's own page or from the fallback tool.
//
// A page names the question by its link, a model by its id. The checks are in the order: who, by which way, and whether
// that way may bring this answer. A refusal changes nothing, and the question stays open.
func (m *Machine) submitted(ev Submitted) {
	q := m.questions.byLink(ev.Link)
	if ev.Link == "" {
		q = m.questions.byID(ev.ID)
	}
	if q == nil {
		m.submittedLate(ev)
		return
	}
	// A model is trusted with nothing but its own caller's word. It may not speak for another, and not where a page
	// is open for the person.
	byModel := ev.Via == event.ViaModel
	who := m.client.answerer(q)
	if byModel { // it speaks for the caller, who can accept nothing here that is for another, and may give up
		who = m.client.config.Principal
	}
	switch {
	case ev.Principal != who:
		m.out.problem("wrong_principal", q.id)
		return
	// The link of a question that is now a form, or the id of one that the client's own form has, is no way to answer it.
	case !byModel && !q.page, byModel && q.offer != ByText:
		m.out.problem("not_offered", q.id)
		return
	// The page is the only source of the answer. A model may still report a refusal.
	case byModel && ev.Action == elicit.Accept && (q.page || q.Mode == elicit.URL && q.Wait):
		m.out.problem("page_open", q.id)
		return
	}
	if byModel {
		q.said = ev.said()
	}
	if byModel && m.client.forAnother(q) {
		ev.Action = elicit.Cancel
	}
	// Only an accept of a form carries content; see bareRefusal.
	if ev.Action != elicit.Accept || q.Mode == elicit.URL {
		ev.Content, ev.Cleared = nil, nil
	}
	said := mcp.Answer{Action: ev.Action, Content: ev.Content}
	var problems []elicit.Problem
	if byModel && q.chooses() {
		problems = chosen(&said)
	}
	if len(problems) > 0 {
		m.out.emit(effect.Problem{About: effect.AboutAnswer, Session: session, ID: q.id, Problems: problems})
	} else {
		m.answer(q, event.Answered{Principal: ev.Principal, Action: said.Action, Content: said.Content,
			Cleared: ev.Cleared, Via: ev.Via})
	}
	still := m.questions.byID(q.id) == q
	if still && byModel {
		// A model that guesses must run out of attempts too.
		if q.attempts++; q.attempts >= m.client.config.Attempts {
			m.withdraw(q, elicit.ByAttemptsUsed)
			still = false
		}
		q.said = "" // what ends the question later is not what this report said
	}
	if byModel && !still {
		m.resume(m.calls.byID.At(q.call))
	}
}

// said names what a model passes on.
//
// It is 64 bits, and only tells two reports of one model apart.
func (ev Submitted) said() string {
	sum := digest.Sum256(append([]byte(ev.Action), ev.Content...))
	return digest.Hex(sum[:8])
}

// submittedLate takes an answer to a question that is settled or never was. A model that reports after a page was
// finished lets the call go on.
//
// A report names an answer of some call by link or id. If it says the same as the first report, the call runs again,
// and otherwise the engine says that the question is over.
func (m *Machine) submittedLate(ev Submitted) {
	// The model may report after the page has brought the answer. Then the call only has to go on.
	for _, id := range m.calls.order {
		c := m.calls.byID.At(id)
		for _, a := range c.answers {
			if ev.Link != "" && a.link != ev.Link || ev.Link == "" && (ev.ID == "" || a.settle.ID != ev.ID) {
				continue
			}
			if ev.Principal == m.client.config.Principal && ev.Via == event.ViaModel && (!c.running || c.interrupted) &&
				(a.said == "" || a.said == ev.said()) { // its first response may have been lost
				m.resume(c)
				return
			}
			ev.ID = a.settle.ID
		}
	}
	m.do(event.Answered{Session: session, ID: ev.ID, Principal: ev.Principal, Action: ev.Action, Via: ev.Via})
}

// completed takes the end of a page in URL mode. A person who finished it has consented to visit it.
//
// Only the server knows this end, so no client and no model can bring the event.
func (m *Machine) completed(ev Completed) {
	q := m.questions.byID(ev.ID)
	if q == nil || q.Mode != elicit.URL || !q.Wait {
		m.out.problem("unknown_request", ev.ID)
		return
	}
	if !q.consented {
		m.answer(q, event.Answered{Principal: m.client.config.Principal, Action: elicit.Accept})
	}
	m.do(event.Completed{Session: session, Link: q.link})
}

// Check checks the content of an answer that does not come from a client, against the schema of its question.
func Check(requested, content []byte) []elicit.Problem {
	form, problems := schema.Compile(requested, schema.Options{Profile: schema.Strict20251125})
	switch {
	case form == nil:
		return problems
	case jsontext.Check(content, jsontext.DocumentLimits()) != nil:
		return []elicit.Problem{{Code: "json_syntax"}}
	}
	return form.Check(content)
}
