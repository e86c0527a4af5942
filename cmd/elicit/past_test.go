package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

func confirmForm() []byte { return []byte(`{"type":"object","properties":{}}`) }

// past is a run whose journal is written while it is played. Its clock stands still between events.
type past struct {
	engine  *engine.Engine
	at      time.Time
	random  byte
	refs    int
	records bytes.Buffer
	shown   elicit.ID // the last question that was shown
}

func newPast(config string) *past {
	p := &past{engine: engine.New(), at: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
	p.do(event.Configured{Config: []byte(config)})
	return p
}

func (p *past) do(ev event.Event) {
	in := engine.Input{At: p.at.UnixMilli(), Event: ev}
	p.random++
	in.Random[0], in.Random[1] = p.random, byte(p.refs)
	in.Random[2] = byte(p.refs >> 8)
	for _, next := range p.engine.Step(in) {
		switch ef := next.(type) {
		case effect.Append:
			p.records.Write(append(ef.Record, '\n'))
		case effect.Show:
			p.shown = ef.ID
		}
	}
}

func (p *past) open(server string) {
	both := elicit.Modes{Form: true, URL: true}
	p.do(event.Opened{Session: server, Server: server, Side: elicit.Answering, Declared: both, Shown: both})
}

// ask asks for a confirmation. An answer other than "" comes after the time; before that, the question is drawn.
func (p *past) ask(server, tool, message, answer string, after time.Duration) {
	p.askAll(elicit.Request{Session: server, Tool: tool, Message: message, Mode: elicit.Form,
		Schema: []byte(`{"type":"object","properties":{}}`)}, answer, after)
}

func (p *past) askAll(r elicit.Request, answer string, after time.Duration) {
	p.refs++
	p.at = p.at.Add(time.Minute)
	r.Ref, r.Side = fmt.Sprint(p.refs), elicit.Answering
	p.do(event.Asked{Request: r})
	if answer == "" {
		p.do(event.Cancelled{Session: r.Session, Ref: r.Ref})
		return
	}
	p.do(event.Noted{Session: r.Session, ID: p.shown, Receipt: event.ReceiptShown})
	p.at = p.at.Add(after)
	p.do(event.Answered{Session: r.Session, ID: p.shown, Action: elicit.Action(answer)})
}
