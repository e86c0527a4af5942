package mcp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// MaxHanded is the most rounds that wait for clients to repeat their calls. Beyond it, the oldest round is abandoned.
const MaxHanded = 64

// HandedFor is how long a client may keep a round, in milliseconds. Its questions count among those that are shown, so
// a round that no one continues would make every later question wait.
// A handed round has no request at any end. Only its token leads back to it. Only these bounds and the end of
// the connection end it otherwise.
const HandedFor = 30 * 60_000

// handOver ends the client's request with the part of the server's result that only the client can answer.
//
// The client reads {"resultType":"input_required","inputRequests":{…},"requestState":TOKEN}. TOKEN is an id of the
// machine. The server's own state stays here, so a client can neither read nor change it.
func (d *Dialogue) handOver(t *turn, keys []string) {
	k := t.call
	token := d.link.IDs.Next()
	entries := jsontext.Begin(nil)
	for _, key := range keys {
		entries.Raw(key, entryText(t.entry(key)))
	}
	// The result has only the entries, because no check has read the other members of the server's result.
	out := jsontext.With(nil, "resultType", "input_required")
	out.Raw("inputRequests", entries.End())
	out.Raw("requestState", token)
	// Removed first: for Ended, the call is over without an answer of the server, and its tool stays a candidate for
	// questions.
	d.link.Calls.Remove(k.Call)
	d.link.calls.End(k.Call, false)
	state, _ := wire.Text(token)
	c := &continuation{state: state, request: k.Request, asked: k.asked, approval: k.approval, turn: t, keys: keys}
	if c.asked == "" {
		c.asked = argumentsOf(paramsOf(k.Request))
	}
	d.link.Calls.Kept += c.size() // Remove has subtracted the bytes of the request
	d.link.answerCall(k.ID, wire.AppendResult(nil, k.ID, out.End()))

	c.over = d.link.Clock.After(HandedFor, func() { d.abandon(c) })
	d.handed.list = append(d.handed.list, c)
	if len(d.handed.list) > MaxHanded {
		d.abandon(d.handed.list[0])
	}
}

// abandon ends a round that a client has not continued.
func (d *Dialogue) abandon(c *continuation) {
	d.takeHanded(c)
	d.withdrawCall(c.turn.call)
}

// Handed returns the bytes of the rounds that clients have.
func (d *Dialogue) Handed() (bytes int) {
	for _, c := range d.handed.list {
		bytes += c.size()
	}
	return bytes
}

func (d *Dialogue) takeHanded(c *continuation) {
	d.handed.take(c)
	d.link.Clock.Stop(c.over)
	d.link.Calls.Kept -= c.size()
}

// sameAs reports whether a request calls what k called. An answer that a person gave to one tool is not for another
// tool.
//
// The comparison is by text, since a client may escape a name in another way in its retry.
func (k *call) sameAs(msg *gate.Message) bool {
	name, _ := wire.Text(msg.Tool)
	return k.method == msg.Method && (k.method != methodToolsCall || k.tool == name)
}

// retried is a client's retry of a round.
type retried struct {
	*continuation
	responses wire.Object
}

// resumed takes the client's retry of a round, and returns the call that the server had. Every token is valid for one
// retry with the arguments of that call. A retry with other arguments is an error, and the round stays open for its own
// call.
//
// It returns false for a request that continues no round. Then Called removes its answers, or refuses its state. The
// retry may change _meta, such as the progress token, and nothing else. Its other params are not even used.
func (d *Dialogue) resumed(k *call, msg *gate.Message) (retry bool, body []byte) {
	if !msg.Responses {
		return false, nil
	}
	o, _ := wire.ReadObject(msg.Params)
	state, _ := wire.Text(o.Get("requestState"))
	c := d.handed.find(state)
	if c == nil || !c.turn.call.sameAs(msg) {
		return false, nil
	}
	if argumentsOf(msg.Params) != c.asked {
		problem := elicit.Problem{Code: "round_altered", Pointer: "/params"}
		d.link.refuse(msg.ID, wire.InvalidParams, problem)
		return true, nil
	}
	// From here on the token is used up. A second retry with it gets unknown_request_state, as with a server of that date.
	d.takeHanded(c)
	k.retried = &retried{continuation: c}
	k.retried.responses, _ = o.Child("inputResponses")
	k.method, k.name, k.tool, k.session, k.rounds = msg.Method, c.turn.call.name, c.turn.call.tool, d.agreed.session, true
	k.asked, k.approval = c.asked, c.approval
	// Sent makes release take a new id: the server had the call before, under another one.
	k.Repeats, k.Shared, k.Sent = true, true, true
	k.progress.token = gate.Clone(msg.Token)
	body = gate.Splice(withMeta(c.request, msg.Meta), "id", gate.Clone(k.ID))
	return true, d.declareIn(k, msg.Method, withoutDraftResponses(body))
}

// retry gives the answers of a client's retry to the engine. Then the server gets the call that it had, with all
// answers and its own state.
//
// t was written under the first call. Its callbacks go through t.call, which is now the new one.
func (d *Dialogue) retry(k *call) {
	c := k.retried
	t := c.turn
	t.call, k.turn = k, t
	if !d.link.Calls.Keep(k.Call, t.size) {
		t.failed = []elicit.Problem{link.TooManyCalls}
	}
	if t.failed != nil {
		d.failRound(t, t.failed...)
		return
	}
	// Each answer may settle a question at once, and that would repeat the call before the other answers are in.
	t.begins = true
	for _, key := range c.keys {
		d.takeResponse(t, key, gate.Clone(c.responses.Get(key)))
	}
	k.retried, t.begins = nil, false
	d.advance(t)
}

// takeResponse takes one answer of the client into the round. An answer to a question goes through the engine.
//
// raw is nil if the client left the key out. A question then counts as one that nobody has seen.
func (d *Dialogue) takeResponse(t *turn, key string, raw []byte) {
	show := t.toClient[key]
	if show == nil {
		if raw != nil {
			_ = d.supply(t, key, raw) // on a problem, the entry stays open and is handed over again
		}
		return
	}
	delete(t.toClient, key)
	a, problems := rounds.DecodeAnswer(raw, t.entry(key).Request.Mode)
	if raw == nil || problems != nil {
		d.link.answer(show, elicit.Cancel, nil, event.ViaNoUI)
		return
	}
	d.link.answer(show, a.Action, a.Content, event.ViaClient)
}

// supply stores the client's response to an entry that is no question.
func (d *Dialogue) supply(t *turn, key string, raw []byte) *elicit.Problem {
	if !t.call.Open {
		return &link.ServerEnded
	}
	if !d.link.Calls.Keep(t.call.Call, len(raw)) {
		return &link.TooManyCalls
	}
	t.size += len(raw)
	return t.Supply(key, raw, answerLimits)
}

// entry returns the entry called key, which must be there.
func (t *turn) entry(key string) *mcp.Entry {
	return &t.Entries[slices.IndexFunc(t.Entries, func(e mcp.Entry) bool { return e.Key == key })]
}

// requestForeign asks a client that has a session for the entries that are no questions, by the requests of its
// protocol. An error from the client fails the call, because a round cannot express an error.
//
// A foreign entry is for instance a sampling/createMessage, for which policy has no rule. A client without rounds knows
// them as requests of the server.
func (d *Dialogue) requestForeign(t *turn) {
	for i := range t.Entries {
		e := &t.Entries[i]
		if !e.Foreign() || t.requests[e.Key] != nil {
			continue
		}
		if t.requests == nil {
			t.requests = map[string][]byte{}
		}
		t.requests[e.Key] = d.link.Request(link.Request{Method: e.Method, Params: e.Params, Heard: func(msg *gate.Message) {
			if msg.Kind != gate.Result {
				d.failRound(t, gate.Problem("client_refused", elicit.Str("method", e.Method)))
				return
			}
			if problem := d.supply(t, e.Key, gate.Clone(msg.Result)); problem != nil {
				d.failRound(t, *problem)
				return
			}
			d.advance(t)
		}})
	}
}

// unrequest withdraws the requests to the client for a round that no one waits for any more. t is nil for none.
//
// TakeBack ignores the requests that the client has answered.
func (d *Dialogue) unrequest(t *turn) {
	if t == nil || t.requests == nil {
		return
	}
	for i := range t.Entries {
		if id := t.requests[t.Entries[i].Key]; id != nil {
			d.link.calls.TakeBack(id, string(elicit.ByPeerCancelled))
		}
	}
}

// continuation is a round that a client has, which supports multi-round calls. The retry of its call is built from
// nothing else: of the retry, the machine takes only the answers and _meta.
//
// Either takeHanded or abandon ends it, once. While it exists, the questions of turn stay open in the engine.
type continuation struct {
	state    string      // the token that the client has; no one can guess it
	request  []byte      // the call as the server gets it: with the person's arguments, without answers
	asked    string      // argumentsOf the call as the client made it
	approval approval    // of a held call
	turn     *turn       // the questions, and the answers so far
	keys     []string    // the questions that the client was given
	over     *link.Timer // abandons the round when it expires
}

// size is what a continuation counts towards the bytes that are kept.
func (c *continuation) size() int { return len(c.request) + c.turn.size }

// handed are the rounds that clients have. Each is taken once.
type handed struct{ list []*continuation } // the oldest first

func (r *handed) find(state string) *continuation {
	if i := slices.IndexFunc(r.list, func(c *continuation) bool { return c.state == state }); i >= 0 {
		return r.list[i]
	}
	return nil
}

// has reports whether a call whose round a client has is known to the engine by this name.
func (r *handed) has(parent string) bool {
	return slices.ContainsFunc(r.list, func(c *continuation) bool { return c.turn.call.parent == parent })
}

func (r *handed) take(c *continuation) {
	r.list = slices.DeleteFunc(r.list, func(one *continuation) bool { return one == c })
}

// notArguments are the params of a call that its retry may change.
var notArguments = []string{"_meta", "inputResponses", "requestState"}

// argumentsOf is a digest of the params of a call, less those that a retry may change: of the tool, its arguments, and
// whatever else the client may ask of the server in the call.
//
// Both sides of each comparison go through it, so only equality counts. Numbers keep their spelling: 1 and 1.0 differ.
func argumentsOf(params []byte) string {
	o, ok := wire.ReadObject(params)
	if !ok {
		return sortedDigest([]byte("null")) // never "", which says that a call is not approved
	}
	return sortedDigest(wire.Apply(nil, params, o.Exchange(nil, nil, notArguments...)))
}

// sortedDigest is SHA-256 in hex. The order of members does not count, except in a document that is larger or deeper
// than any other that is read whole.
//
// Sorting must parse the whole document. Beyond the limits of a document, the digest is of the spelling, so a client
// that reorders a huge document gets an error and never the approval of another one.
func sortedDigest(document []byte) string {
	spell := jsontext.AppendSorted
	if jsontext.Check(document, jsontext.DocumentLimits()) != nil {
		spell = jsontext.AppendValue
	}
	sum := digest.Sum256(spell(nil, document))
	return digest.Hex(sum[:])
}

// paramsOf returns the params of a request, or nil.
func paramsOf(request []byte) []byte {
	o, _ := wire.ReadObject(request)
	return o.Get("params")
}

// withMeta returns a request with the _meta of another one, or without _meta if meta is nil.
func withMeta(request, meta []byte) []byte {
	if meta != nil {
		out, _ := wire.Set(nil, request, meta, true, "params", "_meta")
		return out
	}
	o, _ := wire.ReadObject(request)
	params, _ := o.Child("params")
	return wire.Apply(nil, request, params.Exchange(nil, nil, "_meta"))
}

// entryText returns the text of an entry for the client: a question in the words that were inspected, and anything
// else with its method and params.
func entryText(e *mcp.Entry) []byte {
	params := e.Params
	if !e.Foreign() {
		params, _ = rounds.AppendCreate(nil, &e.Request)
	}
	out := jsontext.With(nil, "method", e.Method)
	if params != nil {
		out.Raw("params", params)
	}
	return out.End()
}
