package relay

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// verdict is the decision about a message: it passes, it passes with another text, or the machine takes it.
type verdict struct {
	pass bool
	text []byte // the changed message; nil if it passes unchanged
}

var (
	passes = verdict{pass: true}
	taken  = verdict{}
)

func changed(text []byte) verdict { return verdict{pass: true, text: text} }

// received handles one message.
func (m *Machine) received(ev Received, raw []byte) {
	if ev.From != Client && (ev.From != Server || m.chain != nil) {
		m.note(Host, elicit.Problem{Code: "unknown_end"})
		return
	}
	whole := raw
	if !m.begun[ev.From] {
		m.begun[ev.From] = true
		if bytes.HasPrefix(raw, byteOrderMark) {
			raw = raw[len(byteOrderMark):]
			m.note(ev.From, elicit.Problem{Code: "bom_removed"})
		}
	}
	switch {
	case ev.Cut || len(raw) > m.config.MaxMessage:
		m.tooLong(ev.From, raw)
		return
	case blank(raw):
		return
	}
	msg := &m.message // shared by all messages, because a new one would cost an allocation
	defer func() { *msg = message{} }()
	problem := m.gate.read(msg, raw)
	switch {
	case agents && m.chain != nil && problem != nil:
		m.chainRefused(msg, *problem)
		return
	case agents && m.chain != nil:
		m.chainReceived(msg)
		return
	case problem != nil:
		m.refuseMessage(ev.From, msg, *problem)
		return
	}
	if ev.From == Server && m.spread.lines > 0 {
		m.spread = spread{}
	}
	v := passes
	if msg.kind == batch {
		v = m.batch(ev.From, msg)
	} else {
		m.versioned[ev.From] = !msg.bare
		v = m.judge(ev.From, msg)
	}
	switch {
	case !v.pass:
	case v.text != nil:
		m.send(ev.From.other(), v.text)
	case msg.odd || len(raw) != len(whole):
		m.send(ev.From.other(), clone(msg.raw))
	default:
		m.pass = append(m.pass, forwards[ev.From.other()])
	}
}

func (m *Machine) judge(from End, msg *message) verdict {
	if from == Client {
		return m.fromClient(msg)
	}
	return m.fromServer(msg)
}

// batch decides about every element of a batch. If all elements pass, the batch passes unchanged. Otherwise the passing
// elements make a new batch.
func (m *Machine) batch(from End, msg *message) verdict {
	list, count := wire.Elements(msg.raw, maxBatch)
	if count > maxBatch || count == 0 {
		m.refuseMessage(from, msg,
			elicit.Problem{Code: "envelope_batch_size", Args: []elicit.Arg{elicit.Num("limit", maxBatch)}})
		return taken
	}
	out, same, left := []byte{'['}, true, 0
	for _, raw := range list {
		v, one := taken, &message{}
		switch problem := m.gate.readValue(one, raw); {
		case problem != nil:
			m.refuseMessage(from, one, *problem)
		case one.kind == batch:
			m.refuseMessage(from, one, elicit.Problem{Code: "envelope_batch"})
		case one.method.question():
			// Batches left the protocol before elicitation entered it.
			m.refuseMessage(from, one, elicit.Problem{Code: "envelope_batch"})
		default:
			v = m.judge(from, one)
		}
		text := one.raw
		if v.text != nil {
			text = v.text
		}
		same = same && v.pass && v.text == nil && !one.odd
		if !v.pass {
			continue
		}
		if left++; left > 1 {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	switch {
	case same:
		return passes
	case left == 0:
		return taken
	}
	return changed(append(out, ']'))
}

// maxBatch is the most messages of one batch.
const maxBatch = 4096

// refuseMessage refuses a message. An error goes to a peer that waits for an answer: the sender of a request whose id
// can be read, and the peer whose request an unreadable answer is for. Otherwise only the person is told.
func (m *Machine) refuseMessage(from End, msg *message, problem elicit.Problem) {
	m.refused(from, problem)
	if msg.kind == batch {
		if from == Server {
			m.dropped(msg.raw, problem)
		}
		return
	}
	g := glance(msg.raw)
	id := plainID(g.id) // nil for a number that readers round; the error then has no id
	switch {
	case from == Server && (g.id == nil || g.answer == g.call):
		m.dropped(msg.raw, problem)
	case g.id == nil:
	case g.answer && !g.call:
		m.failAnswer(from, g.id, problem)
	case g.call && !g.answer:
		switch {
		case from == Client && m.calls.byClient[keyOf(g.id)] != nil:
			return // the error would pass for the answer to the open request
		case from == Server && m.openAtServer(g.id):
			m.refuseAgain(canonicalID(g.id))
			return
		case from == Server:
			m.settled.add(canonicalID(g.id))
		}
		if agents && from == Server && m.config.Protocol == Codex && m.versioned[from] && id != nil {
			// codex mcp-server hangs after an error
			refusal := codex.Unread(codex.MethodServer).AppendResult(nil, codex.Answer{Action: elicit.Decline})
			m.send(from, wire.AppendResult(nil, clone(id), refusal))
			return
		}
		m.send(from, wire.AppendProblems(nil, clone(id), wire.InvalidRequest, []elicit.Problem{problem}))
	}
}

// openAtServer reports whether the server waits for an answer under id. "5" counts as 5, because a lax server may take
// the answer to the one for the answer to the other.
func (m *Machine) openAtServer(id []byte) bool {
	if len(m.asks) == 0 && len(m.questions) == 0 {
		return false
	}
	other := otherID(id)
	return m.waitsUnder(id) || other != nil && m.waitsUnder(other)
}

func (m *Machine) waitsUnder(id []byte) bool {
	return has(m.asks, keyOf(id)) || m.questions[canonicalID(id)] != nil
}

// failAnswer answers in place of a peer whose own answer cannot pass.
func (m *Machine) failAnswer(from End, id []byte, problem elicit.Problem) {
	if from == Server {
		if k := m.calls.answeredAs(id); k != nil {
			m.failCall(k, problem)
		}
		return
	}
	if s := m.asked[keyOf(id)]; s != nil {
		delete(m.asked, keyOf(s.id))
		s.taken(&message{})
		return
	}
	if key, open := find(m.asks, id); open {
		delete(m.asks, key)
		m.send(Server, wire.AppendProblems(nil, key.raw(), wire.InternalError, []elicit.Problem{problem}))
	}
}

// tooLong answers a message that was longer than the host accepts.
func (m *Machine) tooLong(from End, head []byte) {
	m.refuseMessage(from, &message{raw: head},
		elicit.Problem{Code: "message_too_long", Args: []elicit.Arg{elicit.Num("limit", m.config.MaxMessage)}})
}

// glimpse is what can be read of a message that cannot be read completely. Use it to report the refusal, never to act
// on it.
type glimpse struct {
	id     []byte // raw; nil when there is none, or more than one
	call   bool   // has a method or params
	answer bool   // has a result or an error
}

// glance reads members of the outermost object as far as possible. A message with two ids gets none, because readers
// differ on which one counts. Readers that trim their lines accept leading spaces, so an id after spaces counts.
func glance(head []byte) (g glimpse) {
	head = bytes.TrimLeft(head, " \t")
	if len(head) == 0 || head[0] != '{' {
		return g
	}
	ids := 0
	_, _ = members(head, 0, func(key jsontext.Text, at int) (int, *elicit.Problem) {
		switch name := lookalike(key, envelopeKeys); {
		case key.Equal("method"), name == "method", key.Equal("params"), name == "params":
			g.call = true
		case key.Equal("result"), key.Equal("error"), name == "result", name == "error":
			g.answer = true
		}
		end, problem := value(head, at, 1)
		if problem != nil {
			return end, problem
		}
		if key.Equal("id") || lookalike(key, envelopeKeys) == "id" {
			// A number at the very end may be the beginning of a longer one.
			if ids++; ids == 1 && key.Equal("id") && end < len(head) && validID(head[at:end]) {
				g.id = head[at:end]
			} else {
				g.id = nil
			}
		}
		return end, nil
	})
	return g
}
