package relay

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// turn is one round of a call: what the server wants to know before it continues, and who is asked.
type turn struct {
	mcp.Round
	call     *call                   // changes when a client continues the round under a new id
	size     int                     // bytes of the server's result and of what the client supplied
	toClient map[string]*effect.Show // keys that the client's retry will answer; nil for entries that are no questions
	requests map[string]*sent        // keys for which a client without rounds has a request
	over     bool                    // the round has ended here: repeated, failed, or given to the client
	begins   bool                    // its entries, or the answers of a client's retry, are being processed
	// failed is why the round cannot continue. If it fails while the client has it, the client's retry fails.
	failed []elicit.Problem
}

// These are milliseconds between repetitions of a call after results with only state: the server said that it is busy.
const (
	firstPause = 250
	lastPause  = 4000
)

// roundAsked starts a round if the server's result asks for input, for a call of any method. It returns false for a
// result that passes.
func (m *Machine) roundAsked(k *call, msg *gate.Message) bool {
	kind, _ := wire.Text(msg.ResultType)
	inMeta := msg.Meta != nil && asksInMeta(msg.Meta)
	switch {
	case kind != "input_required" && msg.InputRequests == nil && !inMeta && !gate.Alike([]byte(kind), "input_required"):
		return false
	case kind != "input_required" && (msg.InputRequests != nil || msg.ResultType != nil):
		// Some readers act on the entries, whatever type the result has.
		m.failRead(k, elicit.Problem{Code: "input_not_named", Pointer: "/result/resultType"})
		return true
	case !mayAsk(k.method):
		m.failRead(k, elicit.Problem{Code: "input_not_allowed", Pointer: "/result/resultType",
			Args: []elicit.Arg{elicit.Str("method", gate.Clipped(k.name))}})
		return true
	case m.ending.begun:
		m.failCall(k, serverEnded)
		return true
	}
	body := gate.Clone(msg.Result)
	asked, problems := rounds.DecodeResult(nameOf(k.method), body, k.declared)
	if problems == nil && asked.Asks {
		if problem := gate.Askable(msg.Raw); problem != nil {
			problems = []elicit.Problem{*problem}
		}
	}
	switch {
	case problems != nil:
		m.failRead(k, problems...)
		return true
	case !asked.Asks && inMeta: // in no form of the drafts, but a lax client may look there
		m.failRead(k, elicit.Problem{Code: "input_not_named", Pointer: "/result/resultType"})
		return true
	case !asked.Asks:
		return false
	}
	k.shared = true
	m.startRound(k, len(body), asked)
	return true
}

// asksInMeta reports whether a result asks in the array form of the drafts.
func asksInMeta(meta []byte) bool {
	o, ok := wire.ReadObject(meta)
	return ok && o.Get("inputRequests") != nil
}

// failRead fails a call whose answer asks in a way that cannot be used.
func (m *Machine) failRead(k *call, problems ...elicit.Problem) {
	m.out.refused(Server, problems...)
	m.failCall(k, problems...)
}

// startRound asks everything that a round asks, or waits if it asks nothing. size is the size of the server's result.
func (m *Machine) startRound(k *call, size int, asked mcp.Result) {
	var before mcp.Round
	if k.turn != nil {
		before = k.turn.Round
	}
	next, ok := before.Next(asked)
	if !ok {
		m.failCall(k, before.Refused())
		return
	}
	if k.turn != nil {
		m.calls.keep(k, -k.turn.size)
	}
	t := &turn{Round: next, call: k, size: size, toClient: map[string]*effect.Show{}}
	k.turn = t
	if !m.calls.keep(k, size) {
		t.size = 0
		m.failCall(k, tooManyCalls)
		return
	}
	if len(t.Entries) == 0 {
		m.keepAlive()
		k.next = m.time.After(pause(k), func() { m.repeat(t) })
		return
	}
	k.pauses = 0
	for i := range t.Entries {
		if t.Entries[i].Foreign() {
			t.toClient[t.Entries[i].Key] = nil
		}
	}
	t.begins = true
	for i := range t.Entries {
		if !t.Entries[i].Foreign() && !t.over {
			m.askEntry(t, &t.Entries[i])
		}
	}
	t.begins = false
	m.advance(t)
}

func pause(k *call) int64 {
	d := min(int64(firstPause)<<min(k.pauses, 10), lastPause)
	k.pauses++
	return d
}

// askEntry asks the engine about one entry. For a client with rounds, a question that the engine wants shown waits for
// the client's retry, because the client can be asked in no other way.
func (m *Machine) askEntry(t *turn, e *mcp.Entry) {
	k, key, req := t.call, e.Key, e.Request
	req.Session, req.Parent, req.Tool = k.session, m.parentOf(k), k.tool
	req.Ref = "round " + req.Parent + "/" + strconv.Itoa(t.Number) + "/" + key
	q := &question{Question: &link.Question{Request: req}, turn: t}
	if m.who.maybeClient() {
		q.Show = func(s *effect.Show) {
			if t.call.rounds {
				e.Request.Message = s.Message
				if s.Form != nil {
					e.Request.Schema = s.Form.AppendSchema(nil, rounds.Modes)
				}
				t.toClient[key] = s
				m.advance(t)
				return
			}
			m.askClient(q.Question, s, m.agreed.dialect)
		}
	}
	q.Settle = func(r effect.Reply) {
		delete(t.toClient, key)
		if problem := entryAnswer(t, key, r); problem != nil {
			m.failRound(t, *problem)
			return
		}
		m.advance(t)
	}
	m.askOfTool(q)
}

// entryAnswer stores the engine's reply. Within a round, the server cannot be told that a question was unfit or came
// too often. So the call fails then. It never counts as a cancel, because no person has cancelled anything.
func entryAnswer(t *turn, key string, r effect.Reply) *elicit.Problem {
	if r.Outcome != elicit.Failed {
		return t.Answer(rounds, key, elicit.Action(r.Outcome), r.Content)
	}
	if len(r.Problems) > 0 {
		return &r.Problems[0]
	}
	return &elicit.Problem{Code: "answer_unfit"}
}

// advance continues a round as far as the answers allow. It gives the client what only the client can answer, or
// repeats the call.
func (m *Machine) advance(t *turn) {
	if t.over || t.begins || !m.calls.open(t.call) {
		return
	}
	open := t.Open()
	if len(open) == 0 {
		m.repeat(t)
		return
	}
	var clients []string
	shown := false
	for _, key := range open {
		if show, theirs := t.toClient[key]; theirs {
			clients = append(clients, key)
			shown = shown || show != nil
		}
	}
	switch {
	case len(clients) < len(open) && !shown:
	case t.call.rounds:
		// The engine may show a held question only after those before it are answered, and the client answers them only
		// with its retry. The client gets the available questions now, and the rest with the next retry.
		m.handOver(t, clients)
	default:
		m.requestForeign(t)
	}
}

// repeat repeats the call with the answers of this round.
func (m *Machine) repeat(t *turn) {
	if t.over || !m.calls.open(t.call) {
		return
	}
	t.over = true
	m.release(t.call)
}

// failRound fails the call and withdraws its open questions.
func (m *Machine) failRound(t *turn, problems ...elicit.Problem) {
	t.failed = problems
	if t.over || !m.calls.open(t.call) {
		return
	}
	t.over = true
	m.withdrawCall(t.call)
	m.failCall(t.call, problems...)
}
