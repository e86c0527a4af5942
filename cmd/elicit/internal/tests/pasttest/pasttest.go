// Package pasttest plays runs of an engine for tests, and keeps the journals that they write.
package pasttest

import (
	"bytes"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Confirm is the schema of a form without fields.
func Confirm() []byte { return []byte(`{"type":"object","properties":{}}`) }

// Past is a run whose journal is written while it is played. Its clock stands still between events.
type Past struct {
	engine  *engine.Engine
	At      time.Time
	random  byte
	Refs    int
	Records bytes.Buffer
	shown   elicit.ID // the last question that was shown
}

// New starts a run with a configuration.
func New(config string) *Past {
	p := &Past{engine: engine.New(), At: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
	p.Do(event.Configured{Config: []byte(config)})
	return p
}

// Do gives an event to the engine.
func (p *Past) Do(ev event.Event) {
	in := engine.Input{At: p.At.UnixMilli(), Event: ev}
	p.random++
	in.Random[0], in.Random[1] = p.random, byte(p.Refs)
	in.Random[2] = byte(p.Refs >> 8)
	for _, next := range p.engine.Step(in) {
		switch ef := next.(type) {
		case effect.Append:
			p.Records.Write(append(ef.Record, '\n'))
		case effect.Show:
			p.shown = ef.ID
		}
	}
}

// Open opens the session of a server.
func (p *Past) Open(server string) {
	both := elicit.Modes{Form: true, URL: true}
	p.Do(event.Opened{Session: server, Server: server, Side: elicit.Answering, Declared: both, Shown: both})
}

// Ask asks for a confirmation. An answer other than "" comes after the time; before that, the question is drawn.
func (p *Past) Ask(server, tool, message, answer string, after time.Duration) {
	p.AskAll(elicit.Request{Session: server, Tool: tool, Message: message, Mode: elicit.Form,
		Schema: []byte(`{"type":"object","properties":{}}`)}, answer, after)
}

// AskAll asks a question, and answers it as Ask does.
func (p *Past) AskAll(r elicit.Request, answer string, after time.Duration) {
	p.Refs++
	p.At = p.At.Add(time.Minute)
	r.Ref, r.Side = fmt.Sprint(p.Refs), elicit.Answering
	p.Do(event.Asked{Request: r})
	if answer == "" {
		p.Do(event.Cancelled{Session: r.Session, Ref: r.Ref})
		return
	}
	p.Do(event.Noted{Session: r.Session, ID: p.shown, Receipt: event.ReceiptShown})
	p.At = p.At.Add(after)
	p.Do(event.Answered{Session: r.Session, ID: p.shown, Action: elicit.Action(answer)})
}
