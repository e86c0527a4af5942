package pasttest

import (
	"bytes"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// scene is a host whose person agrees to everything. Its clock advances one second for each event.
type scene struct {
	records bytes.Buffer
	now     time.Time
	shown   elicit.ID
}

func (s *scene) Append(record []byte) error {
	s.records.Write(record)
	return s.records.WriteByte('\n')
}

func (s *scene) Now() time.Time {
	s.now = s.now.Add(time.Second)
	return s.now
}

func (s *scene) Read(to []byte) (int, error) {
	for i := range to {
		to[i] = byte(s.now.Second())
	}
	return len(to), nil
}

// Story runs a short story through an engine and returns its journal.
func Story(_ interface{ Fatal(...any) }) []byte {
	s := &scene{now: time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)}
	config := `{"policy":{"user":{"version":1,` +
		`"rules":[{"name":"no-secrets","when":{"sensitive":true},"then":"decline"}]}}}`
	e := engine.New()
	both := elicit.Modes{Form: true, URL: true}
	do := func(ev event.Event) {
		in := engine.Input{At: s.Now().UnixMilli(), Event: ev}
		_, _ = s.Read(in.Random[:])
		for _, next := range e.Step(in) {
			switch ef := next.(type) {
			case effect.Append:
				_ = s.Append(ef.Record)
			case effect.Show:
				s.shown = ef.ID
			}
		}
	}
	do(event.Configured{Config: []byte(config)})
	ask := func(r elicit.Request) {
		r.Session, r.Side = "s1", elicit.Answering
		do(event.Asked{Request: r})
	}
	do(event.Opened{Session: "s1", Server: "demo", Side: elicit.Answering, Declared: both, Shown: both})
	ask(elicit.Request{Ref: "1", Tool: "deploy", Mode: elicit.Form, Message: "Deploy\x1b[2J to production?",
		Schema: []byte(`{"type":"object","properties":{"replicas":{"type":"integer","default":2}}}`)})
	do(event.Answered{Session: "s1", ID: s.shown, Action: elicit.Accept, Content: []byte(`{"replicas":2.5}`)})
	do(event.Answered{Session: "s1", ID: s.shown, Action: elicit.Accept, Content: []byte(`{"replicas":3}`)})
	ask(elicit.Request{Ref: "2", Mode: elicit.Form, Message: "Who are you?",
		Schema: []byte(`{"type":"object","properties":{"password":{"type":"string"}}}`)})
	ask(elicit.Request{Ref: "3", Mode: elicit.URL, Message: "Sign in", URL: "https://example.org/login", Link: "e1"})
	do(event.Answered{Session: "s1", ID: s.shown, Action: elicit.Accept})
	do(event.Completed{Session: "s1", Link: "e1"})
	do(event.Closed{Session: "s1", Cause: elicit.ByShutdown})
	return s.records.Bytes()
}
