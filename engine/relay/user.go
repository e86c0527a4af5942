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
	"github.com/elicit-engine/elicit/engine/wire/mcp"
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
func (m *Machine) request(method string, params []byte, taken func(*gate.Message)) *sent {
	return m.requestAs(&sent{id: m.ids.Next(), taken: taken}, method, params)
}

// requestAs sends the client a request under an id.
func (m *Machine) requestAs(s *sent, method string, params []byte) *sent {
	m.asked[gate.KeyOf(s.id)] = s
	s.serial, s.due = m.calls.nextSerial(), m.patience()
	m.out.decided(Client, wire.AppendRequest(nil, s.id, method, params), func() {
		delete(m.asked, gate.KeyOf(s.id)) // the client never saw it
		for id, one := range m.questions.withUser {
			if one == s {
				delete(m.questions.withUser, id)
			}
		}
	})
	return s
}

// mayAskClient prepares a question that the client may be asked. The client must not hear that a page is finished
// which it never saw.
func (m *Machine) mayAskClient(q *question, dialect func() mcp.Dialect) {
	if m.who.maybeClient() {
		q.Show = func(s *effect.Show) { m.askClient(q.Question, s, dialect()) }
	}
	if m.config.Ask != AskClient && q.Request.Link != "" {
		m.recents.links.Add(q.Request.Link)
	}
}

// askClient asks the client a question, in the words that were inspected. The answer goes through the engine. An
// answer that cannot be read counts as if no one had seen the question.
func (m *Machine) askClient(q *link.Question, s *effect.Show, d mcp.Dialect) {
	req := q.Request
	req.Message = s.Message
	if s.Form != nil {
		// The client might draw a member of the schema that no check has read, so the machine writes a new schema.
		req.Schema = s.Form.AppendSchema(nil, d.Modes)
	}
	if req.Mode == elicit.URL && d.Link && req.Link == "" {
		req.Link = m.ids.Prefix + req.Ref
	}
	m.recents.links.Drop(req.Link)
	params, ok := d.AppendCreate(nil, &req)
	if !ok {
		m.answer(s, elicit.Cancel, nil, event.ViaNoUI)
		return
	}
	if q.Scope != nil {
		params = append(append([]byte{'{'}, q.Scope...), params[1:]...)
	}
	mode := req.Mode
	m.questions.withUser[s.ID] = m.request(mcp.MethodCreate, params, func(msg *gate.Message) {
		delete(m.questions.withUser, s.ID)
		m.clientSays(s, d, mode, msg)
	})
}

// clientSays gives the client's answer to a question to the engine.
func (m *Machine) clientSays(s *effect.Show, d mcp.Dialect, mode elicit.Mode, msg *gate.Message) {
	if !m.hasSaid(s, msg) {
		return
	}
	a, problems := d.DecodeAnswer(gate.Clone(msg.Result), mode)
	if problems == nil && a.Content != nil {
		if p := m.gate.Distinct(a.Content, "/content"); p != nil {
			problems = []elicit.Problem{*p}
		}
	}
	if problems != nil {
		m.unseen(s, problems...)
		return
	}
	m.answer(s, a.Action, a.Content, event.ViaClient)
}

// hasSaid reports whether the client's answer to a question is a result. For any other answer, it tells the engine
// that no one has seen the question.
func (m *Machine) hasSaid(s *effect.Show, msg *gate.Message) bool {
	switch msg.Kind {
	case gate.Result:
		return true
	case gate.Silence:
		m.unansweredQuestion(s.Session, s.ID)
	case gate.Failure:
		if o, _ := wire.ReadObject(msg.Failure); string(o.Get("code")) == "-32601" {
			m.out.note(Client, gate.Problem("client_no_answer", elicit.Str("why", msg.Why())))
			m.answer(s, elicit.Decline, nil, event.ViaNoAnswer) // it has nobody who answers such questions
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
	m.answer(s, elicit.Cancel, nil, event.ViaNoUI)
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
