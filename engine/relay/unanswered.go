package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// A client that was given a question, or a request of the server, may never answer it. After Config.AnswerWithin it is
// given up. A question is declined then, so that the server can go on, and any other request gets an error. Both kinds
// have one timer: it looks for what is due, and is set again for what is due next.

// passed is a request of the server that the client has.
type passed struct {
	serial int   // in the order of arrival
	due    int64 // when it is given up; 0 for never
	known  bool  // the protocol has the method
}

// requests holds, by id, the requests of the server that the client has. The client may answer only these.
type requests map[gate.Key]passed

// answeredByClient are the methods that the protocols give to the client, beside those that the machine acts on.
var answeredByClient = []string{"ping", "roots/list", "sampling/createMessage", "tasks/get", "tasks/list",
	"tasks/cancel", "fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output", "terminal/kill",
	"terminal/release",
	"item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate", "currentTime/read"}

// waitsForWork are methods whose answer comes when some work of the client ends, however long that takes.
var waitsForWork = []string{"terminal/wait_for_exit", "tasks/result"}

// passRequest notes a request of the server that goes to the client.
func (m *Machine) passRequest(msg *gate.Message) {
	p := passed{serial: m.calls.NextSerial(), known: named(answeredByClient, msg.Name)}
	if !named(waitsForWork, msg.Name) {
		p.due = m.patience()
	}
	m.asks[gate.KeyOf(msg.ID)] = p
}

// named reports whether a method, as it is spelled with its quotes, is one of these.
func named(methods []string, spelled []byte) bool {
	return len(spelled) > 1 && slices.ContainsFunc(methods, func(known string) bool {
		return string(spelled[1:len(spelled)-1]) == known
	})
}

// patience returns when a request that the client gets now is given up, and sees to it. 0 is never.
func (m *Machine) patience() int64 {
	if m.config.AnswerWithin < 0 {
		return 0
	}
	if m.unanswered == nil {
		m.unanswered = m.time.After(m.config.AnswerWithin, m.giveUp)
	}
	return m.time.Now + m.config.AnswerWithin
}

// giveUp gives up what the client has had for too long, the earliest first.
func (m *Machine) giveUp() {
	m.unanswered = nil
	type overdue struct {
		serial int
		end    func()
	}
	var late []*overdue // pointers share the code of one sort in Wasm
	next := int64(0)
	look := func(due int64, serial int, end func()) {
		switch {
		case due == 0:
		case due <= m.time.Now:
			late = append(late, &overdue{serial, end})
		case next == 0 || due < next:
			next = due
		}
	}
	for key, s := range m.asked {
		look(s.due, s.serial, func() {
			if m.asked[key] == s {
				m.takeBack(s, string(elicit.ByNoAnswer))
				m.recents.givenUp.Add(gate.CanonicalID(s.id))
				s.taken(&gate.Message{Kind: gate.Silence})
			}
		})
	}
	for key, p := range m.asks {
		look(p.due, p.serial, func() {
			if m.asks[key] == p {
				m.giveUpPassed(key, p.known)
			}
		})
	}
	if next != 0 {
		m.unanswered = m.time.After(next-m.time.Now, m.giveUp)
	}
	order.Stable(late, func(a, b *overdue) int { return a.serial - b.serial })
	for _, one := range late {
		one.end()
	}
}

// giveUpPassed answers a request of the server in place of the client.
func (m *Machine) giveUpPassed(key gate.Key, known bool) {
	delete(m.asks, key)
	id := key.Raw()
	m.recents.givenUp.Add(gate.CanonicalID(id))
	problem := link.NoAnswer(m.config.AnswerWithin)
	m.out.note(Client, problem)
	if text := m.speaks.Withdrawal(id, nil, string(elicit.ByNoAnswer)); text != nil {
		m.out.send(Client, text)
	}
	code := wire.MethodNotFound
	if known {
		code = wire.InternalError
	}
	m.out.send(Server, wire.AppendProblems(nil, id, code, []elicit.Problem{problem}))
}
