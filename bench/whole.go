package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// wholeConfig raises the rate limit, which a benchmark would reach at once, and has one rule to decide.
const wholeConfig = `{"limits":{"per_minute":60000,"burst":60000},` +
	`"policy":{"user":{"version":1,"approval_policy":"on-request",` +
	`"rules":[{"name":"no-secrets","when":{"sensitive":true},"then":"decline"}]}}}`

// host is an engine with a journal in memory and one open session. It is the part between a peer and a person.
type host struct {
	engine  *engine.Engine
	dialect mcp.Dialect
	at      int64
	journal []byte // the records of the last step; a host would write them out
	reply   []byte
}

func newHost() *host {
	d, ok := mcp.Lookup("2025-11-25")
	mustHold(ok, "no dialect")
	h := &host{engine: engine.New(), dialect: d, at: 1_700_000_000_000}
	both := elicit.Modes{Form: true, URL: true}
	h.step(event.Configured{Config: []byte(wholeConfig)})
	h.step(event.Opened{Session: "s", Server: "bench", Side: elicit.Answering, Declared: both, Shown: both})
	return h
}

func (h *host) step(ev event.Event) []effect.Effect {
	h.at += 10
	records, effects := effect.Records(h.engine.Step(engine.Input{At: h.at, Event: ev}))
	for _, record := range records {
		h.journal = append(h.journal[:0], record...)
	}
	return effects
}

// elicit gives a peer's bytes to the whole engine and returns the bytes of the reply.
func (h *host) elicit(message, answer []byte) []byte {
	envelope, fault := wire.ReadEnvelope(message, wire.Limits{})
	mustHold(fault == nil, "the message is refused")
	request, extra, refusal := h.dialect.DecodeCreate(envelope.Params, h.dialect.AllModes())
	mustHold(refusal == nil, "the question is refused")
	request.Session, request.Ref = "s", string(envelope.ID)
	show, ok := h.step(event.Asked{Request: request})[0].(effect.Show)
	mustHold(ok, "the question is not shown")
	reply, ok := h.step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept,
		Content: answer})[0].(effect.Reply)
	mustHold(ok && reply.Outcome == elicit.Accepted, "the answer is refused")
	h.reply, _ = h.dialect.AppendAnswer(h.reply[:0], envelope.ID,
		mcp.Answer{Action: elicit.Accept, Mode: request.Mode, Content: reply.Content, Echo: extra.Echo})
	return h.reply
}

// createMessage is the peer's message that asks for the form.
func createMessage(schema []byte) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":8,"method":"elicitation/create",`+
		`"params":{"mode":"form","message":%q,"requestedSchema":%s}}`, question, schema)
}

// serials makes questions with different schemas, so that no cache of schemas helps. A number in the description makes
// the difference.
type serials struct {
	message []byte
	at      int // the position of the digits
	n       int64
}

const noSerial = "0000000000"

func newSerials() *serials {
	text := bytes.Replace(formText, []byte("at it."), []byte("at it. "+noSerial), 1)
	message := createMessage(text)
	return &serials{message: message, at: bytes.Index(message, []byte(noSerial))}
}

// next returns the same slice with another number in it. The earlier question must have ended.
func (s *serials) next() []byte {
	s.n++
	for i, n := len(noSerial)-1, s.n; i >= 0; i, n = i-1, n/10 {
		s.message[s.at+i] = byte('0' + n%10)
	}
	return s.message
}

func whole() ([]*contest, []row) {
	own, again := newHost(), newHost()
	message, questions := createMessage(formText), newSerials()
	fresh := &line{name: "elicit, schema not seen before", unit: "ns", run: func(n int) {
		for range n {
			own.elicit(questions.next(), rightAnswer)
		}
	}}
	seen := &line{name: "elicit, schema seen before", unit: "ns", run: func(n int) {
		for range n {
			again.elicit(message, rightAnswer)
		}
	}}
	sdk, closeSDK := goSDK(formText)
	c := &contest{procs: 2, batch: 2 * batch, batches: batches, lines: []*line{fresh, seen, sdk}}
	rows := []row{
		{path: "one whole elicitation, schema not seen before", ours: fresh, against: sdk, most: 0.02},
		{path: "one whole elicitation, schema seen before", ours: seen, against: sdk, most: 0.02},
	}
	ts, closeTS, err := tsSDK()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: without the TypeScript SDK:", err)
	} else {
		c.lines = append(c.lines, ts)
		rows = append(rows, row{path: "one whole elicitation, schema not seen before", ours: fresh, against: ts, most: 0.06},
			row{path: "one whole elicitation, schema seen before", ours: seen, against: ts, most: 0.06})
	}
	c.close = func() {
		closeSDK()
		if closeTS != nil {
			closeTS()
		}
	}
	return []*contest{c}, rows
}
