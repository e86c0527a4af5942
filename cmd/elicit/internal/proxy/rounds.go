package proxy

import (
	"bytes"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// turn is one round of a call: what the server wants to know before it goes on, and who is finding out.
type turn struct {
	mcp.Round
	call      *call             // changes when a client takes the round up again under a new id
	result    []byte            // the server's result, as received
	toClient  map[string]answer // keys the client's retry will answer; nil for entries that are no questions
	requested map[string][]byte // keys a client without rounds has been asked for, and under which id
	over      bool              // the round is in nobody's hands here: repeated, failed, or with the client
}

// Waits between calls made again with nothing but the state; the server said it is busy.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 4 * time.Second
)

// roundAsked starts a round when the server's result asks for input. False passes the result on.
func (p *Proxy) roundAsked(k *call, e wire.Envelope) bool {
	if k.request == nil || p.ending.begun {
		return false
	}
	asked, problems := rounds.DecodeResult(k.method, e.Result, k.declared)
	o, _ := wire.ReadObject(e.Result)
	kind, _ := wire.Text(o.Get("resultType"))
	switch {
	case problems != nil && kind != "input_required":
		return false // some extension's result: for the client to judge
	case problems != nil:
		p.logRefused(problems)
		p.failCall(k, nil, wire.InternalError, problems...)
		return true
	case !asked.Asks, k.rounds && p.clientAnswers() && !questions(asked):
		return false
	}
	if problem := askable(e.Raw); problem != nil {
		p.failCall(k, nil, wire.InternalError, *problem)
		return true
	}
	p.begin(k, e.Result, asked)
	return true
}

// begin asks all that a round asks, or waits a moment when it asks nothing.
func (p *Proxy) begin(k *call, result []byte, asked mcp.Result) {
	var before mcp.Round
	if k.turn != nil {
		before = k.turn.Round
	}
	next, ok := before.Next(asked)
	if !ok {
		p.failCall(k, nil, wire.InternalError, before.Refused())
		return
	}
	t := &turn{Round: next, call: k, result: bytes.Clone(result), toClient: map[string]answer{}}
	k.turn = t
	if len(t.Entries) == 0 {
		p.keepAlive()
		p.after(pause(k), func() { p.repeat(t) })
		return
	}
	k.pauses = 0
	for i := range t.Entries {
		if t.Entries[i].Foreign() {
			t.toClient[t.Entries[i].Key] = nil
		}
	}
	for i := range t.Entries {
		if !t.Entries[i].Foreign() {
			p.askEntry(t, &t.Entries[i])
		}
	}
	p.advance(t)
}

// clientAnswers reports whether no user interface of our own does.
func (p *Proxy) clientAnswers() bool { return p.o.ForwardToClient || p.o.UI == nil }

func questions(r mcp.Result) bool {
	for i := range r.Entries {
		if !r.Entries[i].Foreign() {
			return true
		}
	}
	return false
}

func pause(k *call) time.Duration {
	d := min(firstPause<<min(k.pauses, 10), lastPause)
	k.pauses++
	return d
}

// askEntry asks the engine about one entry. A question it wants shown by a client that knows rounds waits for the
// client's own retry; the client has no other way to be asked.
func (p *Proxy) askEntry(t *turn, e *mcp.Entry) {
	k, key, req := t.call, e.Key, e.Request
	req.Session, req.Parent, req.Tool = k.session, k.key, k.tool
	req.Ref = fmt.Sprintf("round %s/%d/%s", k.key, t.Number, key)
	q := &question{request: req}
	if p.o.ForwardToClient {
		q.show = func(s engine.Show, done answer) {
			e.Request.Message, req.Message = s.Message, s.Message
			if k.rounds {
				t.toClient[key] = done
				p.advance(t)
				return
			}
			p.askClient(s.ID, p.inSession(&req), req.Mode, done)
		}
	}
	q.settle = func(r engine.Reply) {
		delete(t.toClient, key)
		if problem := entryAnswer(t, key, r); problem != nil {
			p.failRound(t, *problem)
			return
		}
		p.advance(t)
	}
	p.ask(q)
}

// entryAnswer stores the engine's reply. Within a round a server cannot be told that it asked something unfit, so then
// the call fails; being too many at once counts as nobody having seen the question.
func entryAnswer(t *turn, key string, r engine.Reply) *elicit.Problem {
	action := elicit.Action(r.Outcome)
	if r.Outcome == elicit.Failed {
		if r.Cause != elicit.ByRateLimit {
			return &append(r.Problems[:len(r.Problems):len(r.Problems)], elicit.Problem{Code: "answer_unfit"})[0]
		}
		action = elicit.Cancel
	}
	return t.Answer(rounds, key, action, r.Content)
}

// inSession spells a question of a round for a client of a session. A URL needs a link there; nothing will complete it.
func (p *Proxy) inSession(q *elicit.Request) []byte {
	r := *q
	if r.Mode == elicit.URL && r.Link == "" {
		r.Link = p.prefix + r.Ref
	}
	out, _ := p.dialect.AppendCreate(nil, &r)
	return out
}

// advance goes on with a round as far as the answers allow: hands the client what only it can answer, or makes the
// call again.
func (p *Proxy) advance(t *turn) {
	if t.over || !p.calls.open(t.call) {
		return
	}
	open := t.Open()
	if len(open) == 0 {
		p.repeat(t)
		return
	}
	for _, key := range open {
		if _, clients := t.toClient[key]; !clients {
			return
		}
	}
	if t.call.rounds {
		p.handOver(t, open)
		return
	}
	p.requestForeign(t)
}

// repeat makes the call again with the answers of this round.
func (p *Proxy) repeat(t *turn) {
	if t.over || !p.calls.open(t.call) {
		return
	}
	t.over = true
	id := p.newID()
	retry, problems := t.Retry(id)
	if problems == nil {
		var body []byte
		if body, problems = mcp.AppendRetry(nil, t.call.request, retry, p.limits); problems == nil {
			p.calls.sent(t.call, id)
			p.toServer.put(ended(body))
			return
		}
	}
	p.failCall(t.call, nil, wire.InternalError, problems...)
}

// failRound fails the call and withdraws what it still asks.
func (p *Proxy) failRound(t *turn, problems ...elicit.Problem) {
	if t.over || !p.calls.open(t.call) {
		return
	}
	t.over = true
	p.withdrawCall(t.call)
	p.failCall(t.call, nil, wire.InternalError, problems...)
}
