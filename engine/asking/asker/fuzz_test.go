package asker_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// choices are the bytes that decide what a host without a plan does.
type choices []byte

func (c *choices) next(n int) int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b) % n
}

func pick[T any](c *choices, from []T) (one T) {
	if len(from) > 0 {
		one = from[c.next(len(from))]
	}
	return one
}

// stray is a host that tells the machine what it likes: results of effects twice, late, or of another session.
type stray struct {
	choices
	m        *asker.Machine
	at       int64
	passed   int64
	sessions []string
	states   [][]byte
	bodies   [][]byte
	tokens   []string
	sends    []string
	resumes  []string
	todo     []asker.Effect
}

var tokenPattern = regexp.MustCompile(`[0-9a-f]{32}\.[0-9a-f]+`)

// step steps the machine, and keeps the names in its effects.
func (s *stray) step(ev asker.Event) {
	in := asker.Input{At: s.at, Elapsed: s.passed, Event: ev}
	in.Random[0], in.Random[1] = byte(len(s.choices)), byte(len(s.choices)>>8)
	for _, next := range s.m.Step(in) {
		doc := next.AppendJSON(nil)
		if !json.Valid(doc) {
			panic(fmt.Sprintf("an effect is no JSON: %s", doc))
		}
		for _, token := range tokenPattern.FindAll(doc, 8) {
			s.tokens = append(s.tokens, string(token))
		}
		switch ef := next.(type) {
		case asker.Load:
			s.sessions = append(s.sessions, ef.Session)
		case asker.Commit:
			s.sessions = append(s.sessions, ef.Session)
			s.states = append(s.states, ef.State)
		case asker.Seal:
			s.bodies = append(s.bodies, ef.Claims.Body)
		case asker.Send:
			s.sends = append(s.sends, ef.Ref)
		case asker.Reply:
			if ef.Session != "" {
				s.resumes = append(s.resumes, ef.Session)
			}
			continue
		}
		s.todo = append(s.todo, next)
	}
}

// result is what the host tells of an effect.
func (s *stray) result(next asker.Effect) asker.Event {
	fail := s.next(5) == 0
	switch ef := next.(type) {
	case asker.Load:
		switch {
		case fail:
			return asker.StoreFailed{Session: ef.Session}
		case s.next(3) == 0 || len(s.states) == 0:
			return asker.Missing(ef)
		}
		return asker.Loaded{Session: ef.Session, Version: uint64(s.next(4)), State: pick(&s.choices, s.states)}
	case asker.Commit:
		switch {
		case fail:
			return asker.StoreFailed{Session: ef.Session}
		case s.next(6) == 0:
			return asker.Conflicted{Session: ef.Session}
		}
		return asker.Committed{Session: ef.Session, Version: ef.From + 1}
	case asker.Redeem:
		return asker.Redeemed{Call: ef.Call, Again: fail}
	case asker.Watch:
		if fail {
			return asker.Unwatched(ef)
		}
		return asker.Watched(ef)
	case asker.Unseal:
		return asker.Unsealed{Call: ef.Call, ID: ef.State, Body: pick(&s.choices, s.bodies), Expires: s.at + 1000}
	case asker.Seal:
		return asker.Sealed{Call: ef.Call, State: "state"}
	case asker.Due:
		return asker.Found{Sessions: s.sessions[:min(len(s.sessions), s.next(4))]}
	case asker.Append:
		return asker.Appended{Session: ef.Session}
	case asker.Consult:
		return asker.Consulted{Session: ef.Session, Event: event.Consulted{ID: ef.Consult.ID}}
	}
	return asker.Ticked{}
}

func (s *stray) client() asker.Client {
	c := asker.Client{Version: []string{"2026-07-28", "2025-11-25", "2025-06-18", ""}[s.next(4)],
		Session: []string{"", "", "s1", "s2"}[s.next(4)], Principal: []string{"", "ann", "ann", "eve"}[s.next(4)],
		Requests: s.next(2) == 0}
	c.Declared.Form, c.Declared.URL = s.next(2) == 0, s.next(2) == 0
	return c
}

func (s *stray) name(kind string) string { return fmt.Sprint(kind, s.next(6)) }

// event is something that nobody expects.
func (s *stray) event() asker.Event {
	call, ref, session := s.name("call"), s.name("ref"), pick(&s.choices, s.sessions)
	action := []elicit.Action{elicit.Accept, elicit.Decline, elicit.Cancel}[s.next(3)]
	content := [][]byte{nil, []byte(`{}`), []byte(`{"n":1}`), []byte(`{"confirm":"yes"}`)}[s.next(4)]
	answer := fmt.Appendf(nil, `{"action":%q,"content":%s}`, action, content)
	if content == nil {
		answer = fmt.Appendf(nil, `{"action":%q}`, action)
	}
	responses := fmt.Appendf(nil, `{"elicit-%d":%s}`, s.next(3), answer)
	switch s.next(20) {
	case 0, 1:
		ev := asker.Called{Call: call, Client: s.client(), Target: "t", Arguments: []byte(`{"a":1}`)}
		switch s.next(4) {
		case 0:
			ev.State, ev.Responses = "state", responses
		case 1:
			ev.Session = pick(&s.choices, s.resumes)
		}
		return ev
	case 2, 3, 4:
		q := asking.Question{Mode: elicit.Form, Message: "M", Schema: []byte(
			`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}
		return asker.Posed{Ref: ref, Call: call, Question: q}
	case 5:
		return asker.Kept{Ref: ref, Call: call, Key: "k"}
	case 6:
		return asker.Computed{Ref: ref, Call: call, Key: "k", Position: s.next(3), Value: []byte(`1`)}
	case 7:
		return asker.Keyed{Ref: ref, Call: call}
	case 8:
		return asker.GivenUp{Ref: ref}
	case 9, 10:
		return asker.Returned{Call: call, Cancelled: s.next(3) == 0, Result: content}
	case 11:
		return asker.Responded{Ref: pick(&s.choices, s.sends), Result: answer}
	case 12, 13:
		ev := asker.Submitted{Ref: ref, ID: pick(&s.choices, s.tokens), Client: s.client(), Action: action, Content: content}
		if s.next(2) == 0 {
			ev.ID, ev.Link = "", ev.ID
		}
		return ev
	case 14:
		return asker.Claimed{Ref: ref, Link: pick(&s.choices, s.tokens), Principal: "ann", Browser: "b"}
	case 15:
		return asker.Viewed{Ref: ref, Link: pick(&s.choices, s.tokens)}
	case 16:
		return asker.Completed{Ref: ref, ID: pick(&s.choices, s.tokens)}
	case 17:
		if s.next(8) == 0 {
			return asker.Closed{Ref: ref}
		}
		return asker.Closed{Ref: ref, Session: "s1"}
	case 18:
		return []asker.Event{asker.Hinted{Session: session}, asker.Unwatched{Session: session},
			asker.Committed{Session: session}, asker.Missing{Session: session}, asker.Conflicted{Session: session},
			asker.StoreFailed{Session: session}, asker.StoreFailed{Call: call}, asker.StoreFailed{},
			asker.Appended{Session: session}, asker.Watched{Session: session}, asker.Sealed{Call: call},
			asker.Redeemed{Call: call}, asker.Unsealed{Call: call}, asker.Found{Sessions: s.sessions},
			asker.Loaded{Session: session, State: pick(&s.choices, s.states)}, asker.Progressed{Call: call}}[s.next(16)]
	}
	s.at += int64(s.next(256)-100) * 3000
	s.passed += int64(s.next(256)) * 100
	return asker.Ticked{}
}

// FuzzStray tells the machine of results that nobody asked for, twice, late, and of other sessions. It makes no promise
// to such a host, but it neither panics nor goes on for ever.
func FuzzStray(f *testing.F) {
	for i := range 4 {
		f.Add(bytes.Repeat([]byte{byte(i), 7, 31, 2, 0, 9, 200, 3}, 60))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		s := &stray{choices: doc[:min(len(doc), 4000)], at: 1_000_000_000}
		c := asker.Config{Asking: asking.Config{Server: "bot", Page: "https://bot.example/", Fallback: "f"},
			Store: s.next(2) == 0, Journal: s.next(4) == 0, Keep: 1000}
		s.m, _ = asker.New(c)
		for len(s.choices) > 0 {
			if len(s.todo) == 0 || s.next(3) == 0 {
				s.step(s.event())
				continue
			}
			i := s.next(len(s.todo))
			next := s.todo[i]
			if s.next(10) > 0 {
				s.todo = append(s.todo[:i:i], s.todo[i+1:]...)
			}
			s.step(s.result(next))
		}
	})
}
