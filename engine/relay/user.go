package relay

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// sent is a request of the machine to the client.
type sent struct {
	id     []byte
	serial int
	due    int64                 // when it is given up; 0 for never
	taken  func(m *gate.Message) // takes the client's answer, invalid if it could not be read, silence if there is none
	of     any                   // what the dialogue knows of it
}

// request sends the client a request of the machine.
func (m *Machine) request(r link.Request) *sent {
	s := &sent{id: r.ID, of: r.Of, taken: r.Heard}
	if s.id == nil {
		s.id = m.ids.Next()
	}
	if r.Show != nil {
		s.taken = func(msg *gate.Message) { m.heard(r, msg) }
	}
	m.asked[gate.KeyOf(s.id)] = s
	s.serial, s.due = m.calls.NextSerial(), m.patience()
	m.out.decided(Client, wire.AppendRequest(nil, s.id, r.Method, r.Params), func() {
		delete(m.asked, gate.KeyOf(s.id)) // the client never saw it
		for id, one := range m.questions.withUser {
			if one == s {
				delete(m.questions.withUser, id)
			}
		}
	})
	if r.Show != nil {
		m.questions.withUser[r.Show.ID] = s
	}
	return s
}

// heard gives the client's answer to a question to the engine.
func (m *Machine) heard(r link.Request, msg *gate.Message) {
	s := r.Show
	delete(m.questions.withUser, s.ID)
	if !m.hasSaid(s, msg) {
		return
	}
	answer, problems := r.Taken(msg.Result)
	if problems != nil {
		m.unseen(s, problems...)
		return
	}
	answer.Session, answer.ID, answer.Principal, answer.Via = s.Session, s.ID, m.config.Principal, event.ViaClient
	m.do(answer)
}

// hasSaid reports whether the client's answer to a question is a result. For any other answer, it tells the engine
// that no one has seen the question.
func (m *Machine) hasSaid(s *effect.Show, msg *gate.Message) bool {
	switch msg.Kind {
	case gate.Result:
		return true
	case gate.Silence:
		m.out.note(Client, link.NoAnswer(m.config.AnswerWithin))
		m.answer(s, elicit.Decline, event.ViaNoAnswer)
	case gate.Failure:
		if o, _ := wire.ReadObject(msg.Failure); string(o.Get("code")) == "-32601" {
			m.out.note(Client, gate.Problem("client_no_answer", elicit.Str("why", msg.Why())))
			m.answer(s, elicit.Decline, event.ViaNoAnswer) // it has nobody who answers such questions
			return false
		}
		m.unseen(s, gate.Problem("client_no_answer", elicit.Str("why", msg.Why())))
	default: // the gate has reported the problem
		m.unseen(s)
	}
	return false
}

// unseen tells the engine that no one has seen a question, because of these problems with the client's answer.
func (m *Machine) unseen(s *effect.Show, problems ...elicit.Problem) {
	if len(problems) > 0 {
		m.out.note(Client, problems...)
	}
	m.answer(s, elicit.Cancel, event.ViaNoUI)
}

// answer answers a question in place of the client.
func (m *Machine) answer(s *effect.Show, action elicit.Action, via event.Via) {
	m.do(event.Answered{Session: s.Session, ID: s.ID, Principal: m.config.Principal, Action: action, Via: via})
}

// takeBack tells the client that an answer to our request is no longer needed.
func (m *Machine) takeBack(s *sent, why string) {
	delete(m.asked, gate.KeyOf(s.id))
	if text := m.speaks.Withdrawal(s.id, s.of, why); text != nil {
		m.out.send(Client, text)
	}
}

// warn asks the client a question once more, with the problems of its answer after the message: with a client that has
// a session, no other way exists to tell them. The engine asks in this way once for each field with a secret,
// and once for content that does not fit. After that, an unfit answer ends the question.
func (m *Machine) warn(q *question, problems []elicit.Problem) {
	s := *q.shown
	var words strings.Builder
	words.WriteString(s.Message + "\n\n[elicit] The answer has not been sent.")
	for _, p := range problems {
		words.WriteString(" " + gate.Clipped(strings.TrimPrefix(p.Pointer, "/")) + ": " + english.Problem(p) + ".")
	}
	s.Message = words.String()
	q.Show(&s)
}
