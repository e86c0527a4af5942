package mcp

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
//
// A turn begins in startRound and ends once, with over. Its entries are in Round: those without an answer are Open. An
// entry that is open is with the engine, with the client (in toClient), or held back by the engine.
type turn struct {
	mcp.Round
	call     *call                   // changes when a client continues the round under a new id
	size     int                     // bytes of the server's result and of what the client supplied
	toClient map[string]*effect.Show // keys that the client's retry will answer; nil for entries that are no questions
	requests map[string][]byte       // keys for which a client without rounds has a request
	over     bool                    // it has failed, and its other questions are being withdrawn
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
//
//	resultType "input_required"             a round, also with inputRequests left out: the server only has state
//	other resultType with inputRequests     refused: some clients ask anyway
//	resultType spelled alike                refused: "Input_Required" is one for a reader that ignores case
//	inputRequests only in _meta             a round of the drafts, or refused
//	none of these                           passes
func (d *Dialogue) roundAsked(k *call, msg *gate.Message) bool {
	kind, _ := wire.Text(msg.ResultType)
	inMeta := msg.Meta != nil && asksInMeta(msg.Meta)
	switch {
	case kind != "input_required" && msg.InputRequests == nil && !inMeta && !gate.Alike([]byte(kind), "input_required"):
		return false
	case kind != "input_required" && (msg.InputRequests != nil || msg.ResultType != nil):
		// Some readers act on the entries, whatever type the result has.
		d.link.failRead(k, elicit.Problem{Code: "input_not_named", Pointer: "/result/resultType"})
		return true
	case !mayAsk(k.method):
		d.link.failRead(k, elicit.Problem{Code: "input_not_allowed", Pointer: "/result/resultType",
			Args: []elicit.Arg{elicit.Str("method", gate.Clipped(k.name))}})
		return true
	case !d.link.Takes(nil):
		d.link.Fail(k.Call, link.ServerEnded)
		return true
	}
	// The entries keep spans of body for as long as the round lasts.
	body := gate.Clone(msg.Result)
	asked, problems := rounds.DecodeResult(nameOf(k.method), body, k.declared)
	if problems == nil && asked.Asks {
		if problem := gate.Askable(msg.Raw); problem != nil {
			problems = []elicit.Problem{*problem}
		}
	}
	switch {
	case problems != nil:
		d.link.failRead(k, problems...)
		return true
	case !asked.Asks && inMeta: // in no form of the drafts, but a lax client may look there
		d.link.failRead(k, elicit.Problem{Code: "input_not_named", Pointer: "/result/resultType"})
		return true
	case !asked.Asks:
		return false
	}
	k.Shared = true
	d.startRound(k, len(body), asked)
	return true
}

// asksInMeta reports whether a result asks in the array form of the drafts.
func asksInMeta(meta []byte) bool {
	o, ok := wire.ReadObject(meta)
	return ok && o.Get("inputRequests") != nil
}

// startRound asks everything that a round asks, or waits if it asks nothing. size is the size of the server's result.
//
// before.Next counts the rounds of the call, and results with only state too. It refuses a round beyond its bound.
func (d *Dialogue) startRound(k *call, size int, asked mcp.Result) {
	var before mcp.Round
	if k.turn != nil {
		before = k.turn.Round
	}
	next, ok := before.Next(asked)
	if !ok {
		d.link.Fail(k.Call, before.Refused())
		return
	}
	if k.turn != nil {
		d.link.Calls.Keep(k.Call, -k.turn.size)
	}
	t := &turn{Round: next, call: k, size: size, toClient: map[string]*effect.Show{}}
	k.turn = t
	if !d.link.Calls.Keep(k.Call, size) {
		d.link.Fail(k.Call, link.TooManyCalls)
		return
	}
	// The server asks nothing and has only state: it is busy. The call is repeated after a pause that doubles up to four
	// seconds.
	if len(t.Entries) == 0 {
		d.link.keepAlive()
		k.next = d.link.Clock.After(pause(k), func() { d.release(k) })
		return
	}
	k.pauses = 0
	for i := range t.Entries {
		if t.Entries[i].Foreign() {
			t.toClient[t.Entries[i].Key] = nil
		}
	}
	// Policy may answer the first entry inside askEntry. advance must not repeat the call before the last entry was asked.
	t.begins = true
	for i := range t.Entries {
		if !t.Entries[i].Foreign() && !t.over {
			d.askEntry(t, &t.Entries[i])
		}
	}
	t.begins = false
	d.advance(t)
}

// pause is the time until the next repetition, in milliseconds. It is 250, 500, 1000, 2000, then 4000 ms. A result that
// asks something resets the count.
func pause(k *call) int64 {
	d := min(int64(firstPause)<<k.pauses, lastPause) // mcp.MaxRounds bounds the pauses
	k.pauses++
	return d
}

// askEntry asks the engine about one entry. For a client with rounds, a question that the engine wants shown waits for
// the client's retry, because the client can be asked in no other way.
//
// e points into t.Entries, which never moves. Show may change its message and schema: the client gets the inspected
// words.
func (d *Dialogue) askEntry(t *turn, e *mcp.Entry) {
	k, key, req := t.call, e.Key, e.Request
	req.Session, req.Parent, req.Tool = k.session, d.parentOf(k), k.tool
	req.Ref = "round " + req.Parent + "/" + strconv.Itoa(t.Number) + "/" + key
	q := &link.Question{Request: req, Of: t}
	if d.link.Who.MaybeClient() {
		q.Show = func(s *effect.Show) {
			if t.call.rounds {
				e.Request.Message = s.Message
				if s.Form != nil {
					e.Request.Schema = s.Form.AppendSchema(nil, rounds.Modes)
				}
				t.toClient[key] = s
				d.advance(t)
				return
			}
			d.asking.Show(q, s, d.agreed.dialect)
		}
	}
	// The call may be another one by now, if a client has continued the round. Everything goes through t.
	q.Settle = func(r effect.Reply) {
		delete(t.toClient, key)
		if problem := entryAnswer(t, key, r); problem != nil {
			d.failRound(t, *problem)
			return
		}
		d.advance(t)
	}
	d.link.ask(q)
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
//
// It is called after every event of the round and does nothing while an entry is with the engine and none is for the
// client.
func (d *Dialogue) advance(t *turn) {
	if t.over || t.begins || !t.call.Open {
		return
	}
	open := t.Open()
	if len(open) == 0 {
		d.release(t.call)
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
	// Some questions are with the host, or held. Foreign entries wait for them, so the client gets one result.
	case len(clients) < len(open) && !shown:
	case t.call.rounds:
		// The engine may show a held question only after those before it are answered, and the client answers them only
		// with its retry. The client gets the available questions now, and the rest with the next retry.
		d.handOver(t, clients)
	default:
		d.requestForeign(t)
	}
}

// failRound fails the call and withdraws its open questions.
func (d *Dialogue) failRound(t *turn, problems ...elicit.Problem) {
	t.failed = problems
	if t.over || !t.call.Open {
		return
	}
	t.over = true
	d.withdrawCall(t.call)
	d.link.Fail(t.call.Call, problems...)
}
