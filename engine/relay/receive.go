package relay

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// received handles one message.
//
// The steps are: strip a byte order mark, refuse what is too long, read by the gate, let a dialogue judge, then forward
// or send. A message is forwarded as Forward only if not one byte of it has changed since the host received it.
func (m *Machine) received(ev Received, raw []byte) {
	// In a chain, the conductor is the client and stands for both ends. Nothing can come from a server then.
	if ev.From != Client && (ev.From != Server || m.out.hops != nil) {
		m.out.note(Host, elicit.Problem{Code: "unknown_end"})
		return
	}
	whole := raw
	// Only the beginning of a stream may have the mark (RFC 8259 section 8.1 lets a reader ignore it). Later it is no
	// JSON.
	if !m.begun[ev.From] {
		m.begun[ev.From] = true
		if bytes.HasPrefix(raw, gate.ByteOrderMark) {
			raw = raw[len(gate.ByteOrderMark):]
			m.out.note(ev.From, elicit.Problem{Code: "bom_removed"})
		}
	}
	switch {
	case ev.Cut || len(raw) > m.config.MaxMessage:
		m.tooLong(ev.From, raw)
		return
	case gate.Blank(raw):
		return
	}
	msg := &m.message // shared by all messages, because a new one would cost an allocation
	defer func() { *msg = gate.Message{} }()
	problem := m.gate.Read(msg, raw)
	switch {
	case m.out.hops != nil:
		m.out.hops.Received(msg, problem)
		return
	case problem != nil:
		m.refuseMessage(ev.From, msg, *problem)
		return
	}
	// A readable line ends the multi-line message that the lines before it seemed to be.
	if ev.From == Server && m.doubts.spread.lines > 0 {
		m.doubts.spread = spread{}
	}
	v := gate.Passes
	if msg.Kind == gate.Batch {
		v = m.batch(ev.From, msg)
	} else {
		m.out.versioned[ev.From] = !msg.Bare
		v = m.judge(ev.From, msg)
	}
	switch {
	case !v.Pass:
	case v.Text != nil:
		m.out.send(ev.From.other(), v.Text)
	// The gate has trimmed or respelled it, or the mark was cut. Raw is a span of the input then, so the host gets a copy.
	case msg.Odd || len(raw) != len(whole):
		m.out.send(ev.From.other(), gate.Clone(msg.Raw))
	default:
		m.out.pass = append(m.out.pass, forwards[ev.From.other()])
	}
}

// refuse refuses a message of an end.
func (m *Machine) refuse(end link.End, msg *gate.Message, problem elicit.Problem) {
	m.refuseMessage(End(end), msg, problem)
}

// handle handles a message as one that came from an end.
//
// It is the counterpart of received for the messages of Hops. Their text is not the one that the host received, so it
// never becomes a Forward.
func (m *Machine) handle(end link.End, raw []byte) {
	from, msg := End(end), &m.message
	*msg = gate.Message{}
	if problem := m.gate.Read(msg, raw); problem != nil {
		m.refuseMessage(from, msg, *problem)
		return
	}
	switch v := m.judge(from, msg); {
	case !v.Pass:
	case v.Text != nil:
		m.out.send(from.other(), v.Text)
	default:
		m.out.send(from.other(), gate.Clone(msg.Raw))
	}
}

func (m *Machine) judge(from End, msg *gate.Message) gate.Passage {
	if from == Client {
		return m.fromClient(msg)
	}
	return m.fromServer(msg)
}

// batch decides about every element of a batch. If all elements pass, the batch passes unchanged. Otherwise the
// passing elements make a new batch.
//
// MCP 2025-03-26 has batches, and later dates removed them. The elements are judged in their order. The answers of the
// machine to some elements come as messages of their own, not in a batch.
func (m *Machine) batch(from End, msg *gate.Message) gate.Passage {
	list, count := wire.Elements(msg.Raw, maxBatch)
	if count > maxBatch || count == 0 {
		m.refuseMessage(from, msg,
			gate.Problem("envelope_batch_size", elicit.Num("limit", maxBatch)))
		return gate.Taken
	}
	out, same, left := []byte{'['}, true, 0
	for _, raw := range list {
		v, one := gate.Taken, &gate.Message{}
		switch problem := m.gate.ReadValue(one, raw); {
		case problem != nil:
			m.refuseMessage(from, one, *problem)
		case one.Kind == gate.Batch:
			m.refuseMessage(from, one, elicit.Problem{Code: "envelope_batch"})
		case one.Question:
			// Batches left the protocol before elicitation entered it.
			m.refuseMessage(from, one, elicit.Problem{Code: "envelope_batch"})
		default:
			v = m.judge(from, one)
		}
		// same stays true only if every element passes byte for byte. The batch then passes without a copy.
		text := one.Raw
		if v.Text != nil {
			text = v.Text
		}
		same = same && v.Pass && v.Text == nil && !one.Odd
		if !v.Pass {
			continue
		}
		if left++; left > 1 {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	switch {
	case same:
		return gate.Passes
	case left == 0:
		return gate.Taken
	}
	return gate.Changed(append(out, ']'))
}

// maxBatch is the most messages of one batch.
const maxBatch = 4096

// refuseMessage refuses a message. An error goes to a peer that waits for an answer: the sender of a request whose id
// can be read, and the peer whose request an unreadable answer is for. Otherwise only the person is told.
//
// The error must reach the right waiter and no other one. The id of a message that cannot be read is a hint only:
// Glance gives none if the message has two. An error never goes out under an id that is open in the same direction.
func (m *Machine) refuseMessage(from End, msg *gate.Message, problem elicit.Problem) {
	m.out.refused(from, problem)
	if msg.Kind == gate.Batch {
		if from == Server {
			m.doubts.dropped(msg.Raw, problem)
		}
		return
	}
	g := gate.Glance(msg.Raw)
	id := gate.PlainID(g.ID) // nil for a number that readers round; the error then has no id
	switch {
	// The line is both or neither of answer and call, or has no id. It may still be the answer that a client waits for.
	case from == Server && (g.ID == nil || g.Answer == g.Call):
		m.doubts.dropped(msg.Raw, problem)
	case g.ID == nil:
	case g.Answer && !g.Call:
		m.failAnswer(from, g.ID, problem)
	case g.Call && !g.Answer:
		switch {
		case from == Client && m.calls.ByClient[gate.KeyOf(g.ID)] != nil:
			return // the error would pass for the answer to the open request
		case from == Server && m.openAtServer(g.ID):
			m.out.refuseAgain(gate.CanonicalID(g.ID))
			return
		case from == Server:
			m.settled.Add(gate.CanonicalID(g.ID))
		}
		if from == Server && id != nil {
			if refusal := m.speaks.Unread(m.out.versioned[from]); refusal != nil {
				m.out.send(from, wire.AppendResult(nil, gate.Clone(id), refusal))
				return
			}
		}
		m.out.send(from, wire.AppendProblems(nil, gate.Clone(id), wire.InvalidRequest, []elicit.Problem{problem}))
	}
}

// openAtServer reports whether the server waits for an answer under id. "5" counts as 5, because a lax server may take
// the answer to the one for the answer to the other.
//
// The test for nothing open spares the common case two keys for every request of the server.
func (m *Machine) openAtServer(id []byte) bool {
	if len(m.client.asks) == 0 && m.decider.Open() == 0 {
		return false
	}
	other := gate.OtherID(id)
	return m.waitsUnder(id) || other != nil && m.waitsUnder(other)
}

func (m *Machine) waitsUnder(id []byte) bool {
	return gate.Has(m.client.asks, gate.KeyOf(id)) || m.decider.Question(gate.CanonicalID(id)) != nil
}

// failAnswer answers in place of a peer whose own answer cannot pass.
func (m *Machine) failAnswer(from End, id []byte, problem elicit.Problem) {
	if from == Server {
		if k := m.calls.AnsweredAs(id); k != nil {
			m.failCall(k, problem)
		}
		return
	}
	// The message has no kind, so heard takes it as an answer that could not be read.
	if m.client.answers(&gate.Message{ID: id}) {
		return
	}
	if key, open := gate.Find(m.client.asks, id); open {
		delete(m.client.asks, key)
		m.out.send(Server, wire.AppendProblems(nil, key.Raw(), wire.InternalError, []elicit.Problem{problem}))
	}
}

// tooLong answers a message that was longer than the host accepts.
func (m *Machine) tooLong(from End, head []byte) {
	m.refuseMessage(from, &gate.Message{Raw: head},
		gate.Problem("message_too_long", elicit.Num("limit", m.config.MaxMessage)))
}
