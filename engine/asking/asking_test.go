package asking_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// rig drives a machine as a host does, and keeps what it asks for.
type rig struct {
	t       *testing.T
	config  asking.Config
	m       *asking.Machine
	now     int64
	records []byte
	effects []asking.Effect // of the last step
	reload  bool            // save and load the machine before every step
}

func open(t *testing.T, c asking.Config) *rig {
	t.Helper()
	c.Server, c.Principal = "deploy-bot", "ann"
	r := &rig{t: t, config: c}
	m, effects, problems := asking.New(c, asking.Input{At: 0, Random: [32]byte{1}})
	if problems != nil {
		t.Fatal(problems)
	}
	r.m = m
	r.keep(effects)
	return r
}

func (r *rig) keep(effects []asking.Effect) {
	r.effects = r.effects[:0]
	for _, next := range effects {
		if record, is := next.(effect.Append); is {
			r.records = append(append(r.records, record.Record...), '\n')
			continue
		}
		r.effects = append(r.effects, next)
	}
}

func (r *rig) step(ev asking.Event) {
	r.t.Helper()
	again, problems := asking.ReadEvent(ev.AppendJSON(nil))
	if problems != nil || string(again.AppendJSON(nil)) != string(ev.AppendJSON(nil)) {
		r.t.Fatalf("%s reads as %v, %v", ev.AppendJSON(nil), again, problems)
	}
	if r.reload {
		r.load()
	}
	r.now++
	r.keep(r.m.Step(asking.Input{At: r.now, Random: [32]byte{byte(r.now), byte(r.now >> 8), 7}, Event: again}))
}

// since is when the engine counted what is left of a rate, which is the time of loading after a load.
var since = regexp.MustCompile(`"(session_)?allowance(_at)?":\d+`)

func (r *rig) load() {
	r.t.Helper()
	state := r.m.Save()
	m, effects, problems := asking.Load(r.config, state, asking.Input{At: r.now, Random: [32]byte{byte(r.now), 9}})
	if problems != nil {
		r.t.Fatalf("%v\n%s", problems, state)
	}
	if again := m.Save(); since.ReplaceAllString(string(again), "") != since.ReplaceAllString(string(state), "") {
		r.t.Fatalf("saved\n%s\nthen\n%s", state, again)
	}
	r.records, r.m = nil, m
	r.keep(effects)
}

func (r *rig) said() string {
	var b strings.Builder
	for _, next := range r.effects {
		b.Write(append(next.AppendJSON(nil), '\n'))
	}
	return b.String()
}

// want checks that every text is in the effects of the last step, and that no text after a "!" is.
func (r *rig) want(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if text, not := strings.CutPrefix(text, "!"); strings.Contains(r.said(), text) == not {
			r.t.Fatalf("wanted %q (not: %v) in\n%s", text, not, r.said())
		}
	}
}

func get[T asking.Effect](r *rig) (found T) {
	r.t.Helper()
	for _, next := range r.effects {
		if e, is := next.(T); is {
			return e
		}
	}
	r.t.Fatalf("no %T in\n%s", found, r.said())
	return found
}

func (r *rig) call(name string) { r.t.Helper(); r.step(asking.Called{Call: name, Target: "deploy"}) }

func (r *rig) pose(call string, position int, q asking.Question) {
	r.t.Helper()
	r.step(asking.Posed{Call: call, Position: position, Question: q})
}

func text(message string) asking.Question {
	return asking.Question{Mode: elicit.Form, Message: message,
		Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)}
}

func number(n int) []byte {
	return fmt.Appendf(nil, `{"action":"accept","content":{"n":%d}}`, n)
}

var both = elicit.Modes{Form: true, URL: true}

// each runs a test on a machine that stays in memory, and on one that is saved and loaded before every step.
func each(t *testing.T, c asking.Config, test func(r *rig)) {
	for _, reload := range []bool{false, true} {
		t.Run(fmt.Sprintf("reload %v", reload), func(t *testing.T) {
			r := open(t, c)
			r.reload = reload
			test(r)
			if n := strings.Count(string(r.records), "\n"); true {
				if got := engine.Replay(r.records, nil); got.Problem != nil || int(got.Records) != n {
					t.Errorf("the journal of %d records replays %d of them: %v", n, got.Records, got.Problem)
				}
			}
		})
	}
}

func TestByRequest(t *testing.T) {
	each(t, asking.Config{Version: "2025-06-18", Declared: both, Requests: true}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("How many?"))
		send := get[asking.Send](r)
		r.want(`"method":"elicitation/create"`, `"message":"How many?"`, `!"mode"`)
		r.step(asking.Responded{Ref: send.Ref, Result: []byte(`{"action":"accept","content":{"n":"x"}}`)})
		second := get[asking.Send](r) // it did not fit, so it is asked again, with the reason
		r.want(`How many?\n\nn: `)
		r.step(asking.Responded{Ref: second.Ref, Result: number(4)})
		r.want(`"effect":"settle","call":"1","position":0`, `"outcome":"accept","cause":"user","content":{"n":4}`)
		r.step(asking.Responded{Ref: second.Ref, Result: number(5)})
		r.want("already_settled", `"outcome":"accept"`)
		r.pose("1", 1, text("And now?"))
		send = get[asking.Send](r)
		r.step(asking.Cancelled{Call: "1"})
		r.want(`"cancel_sent"`, `"cause":"call_ended"`)
		r.step(asking.Responded{Ref: send.Ref, Result: number(5)})
		r.want("already_settled", `"cause":"call_ended"`)
	})
}

func TestAttemptsAndErrors(t *testing.T) {
	each(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true, Attempts: 2}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("How many?"))
		for range 2 {
			r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Result: []byte(`{"action":"accept"}`)})
		}
		r.want(`"outcome":"cancel","cause":"attempts_used"`, `"code":"missing"`)
		r.pose("1", 1, text("Again?"))
		r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Error: []byte(`{"code":-32601,"message":"no"}`)})
		r.want(`"cause":"peer_error"`, `"code":"client_error"`, `-32601`)
		r.pose("1", 2, asking.Question{Mode: elicit.Form, Message: "?",
			Schema: []byte(`{"type":"object","properties":{"a":{"type":"object"}}}`)})
		r.want(`"outcome":"error","cause":"invalid_request"`, "nested_object")
		r.pose("1", 3, text("Slow?"))
		r.now += asking.DefaultTTL
		r.step(event.Ticked{})
		r.want(`"cause":"timeout"`, `"cancel_sent"`)
	})
}

func TestByRounds(t *testing.T) {
	config := asking.Config{Version: "2026-07-28", Declared: both}
	each(t, config, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("First?"))
		i := get[asking.Interrupt](r)
		r.want(`"offer":"input_required","requests":{"q0.0":{"method":"elicitation/create"`, `!"keep"`)
		r.step(asking.Returned{Call: "1"})
		// The call is made again, before a machine that has never heard of it.
		again := open(r.t, r.config)
		again.reload = r.reload
		run := func(name, responses string) {
			again.step(asking.Called{Call: name, Target: "deploy", Answers: i.Body, Responses: []byte(responses)})
			again.pose(name, 0, text("First?"))
		}
		run("2", `{"q0.0":{"action":"accept","content":{"n":true}}}`)
		again.want(`"requests":{"q0.1":`, `wrong_type`)
		i = get[asking.Interrupt](again)
		again.step(asking.Returned{Call: "2"})
		again = open(r.t, r.config)
		run("3", `{"q0.1":{"action":"accept","content":{"n":1}}}`)
		again.want(`"content":{"n":1}`)
		again.pose("3", 1, text("Second?"))
		i = get[asking.Interrupt](again)
		again.want(`"requests":{"q1.0":`)
		again = open(r.t, r.config)
		run("4", `{"q1.0":{"action":"decline"}}`)
		again.want(`"content":{"n":1}`, `"replayed":true`)
		again.pose("4", 1, text("Second?"))
		again.want(`"position":1`, `"outcome":"decline"`)
		again = open(r.t, r.config) // without the state, nothing counts
		again.step(asking.Called{Call: "5", Target: "deploy", Responses: []byte(`{"q0.0":` + string(number(1)) + `}`)})
		again.pose("5", 0, text("First?"))
		again.want(`"interrupt"`, `!"settle"`)
		i = get[asking.Interrupt](again)
		again = open(r.t, r.config) // nor does an answer to another question
		again.step(asking.Called{Call: "6", Target: "deploy", Answers: i.Body,
			Responses: []byte(`{"q0.0":` + string(number(1)) + `}`)})
		again.pose("6", 0, text("Other?"))
		again.want(`"interrupt"`, `!"settle"`)
	})
}

func TestByText(t *testing.T) {
	each(t, asking.Config{Version: "2025-06-18", Fallback: "elicitation_result"}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("How many?"))
		i := get[asking.Interrupt](r)
		r.want(`"offer":"fallback"`, "all the tool elicitation_result", `How many?`)
		id := elicit.ID(between(string(i.Result), `"elicit/question":{"id":"`, `"`))
		r.step(asking.Returned{Call: "1"})
		submit := func(n string) {
			r.step(asking.Submitted{ID: id, Principal: "ann", Action: elicit.Accept, Content: []byte(`{"n":` + n + `}`),
				Via: event.ViaModel})
		}
		submit(`"x"`)
		r.want("wrong_type", "!resume")
		submit("3")
		r.want(`"resume","call":"1","target":"deploy"`, `"model_answer"`)
		r.call("2") // the same call, by target and arguments
		r.pose("2", 0, text("How many?"))
		r.want(`"replayed":true`, `"n":3`)
		submit("4")
		r.want("already_settled")
		r.pose("2", 1, asking.Question{Mode: elicit.Form, Message: "Your password?", Secret: true,
			Schema: []byte(`{"type":"object","properties":{"p":{"type":"string"}}}`)})
		r.want(`"cause":"unsupported"`, "page_needed")
		r.step(asking.Returned{Call: "2"})
		submit("4")
		r.want("already_settled", "!resume")
		r.step(asking.Submitted{ID: id, Principal: "bob", Action: elicit.Accept, Via: event.ViaModel})
		r.want("wrong_principal", "!accept")
	})
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

func TestPage(t *testing.T) {
	secret := asking.Question{Mode: elicit.Form, Message: "Key?", Secret: true,
		Schema: []byte(`{"type":"object","properties":{"k":{"type":"string","minLength":3}},"required":["k"]}`)}
	for name, c := range map[string]asking.Config{
		"request": {Version: "2025-11-25", Declared: both, Requests: true},
		"error":   {Version: "2025-11-25", Declared: both},
		"rounds":  {Version: "2026-07-28", Declared: both},
		"text":    {Version: "2025-06-18", Fallback: "elicitation_result"},
	} {
		c.Page = "https://bot.example/ask/"
		t.Run(name, func(t *testing.T) {
			each(t, c, func(r *rig) {
				r.call("1")
				r.pose("1", 0, secret)
				page := get[asking.Page](r)
				r.want("https://bot.example/ask/" + page.Link)
				next := "1"
				switch name {
				case "request":
					r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Result: []byte(`{"action":"accept"}`)})
					r.want("!settle")
				case "rounds":
					i := get[asking.Interrupt](r)
					r.step(asking.Returned{Call: "1"})
					next = "2"
					r.step(asking.Called{Call: next, Target: "deploy", Answers: i.Body,
						Responses: []byte(`{"q0.0":{"action":"accept"}}`)})
					r.pose(next, 0, secret)
					r.want("!settle", "!interrupt") // it waits for the page
					r.now += asking.DefaultHold
					r.step(event.Ticked{})
					r.want(`"interrupt"`) // but not too long
					r.step(asking.Returned{Call: next})
					next = "3"
					r.step(asking.Called{Call: next, Target: "deploy", Answers: i.Body,
						Responses: []byte(`{"q0.0":{"action":"accept"}}`)})
					r.pose(next, 0, secret)
				default:
					r.step(asking.Returned{Call: "1"})
				}
				submit := func(principal, k string) {
					r.step(asking.Submitted{Link: page.Link, Principal: principal, Action: elicit.Accept,
						Content: []byte(`{"k":"` + k + `"}`)})
				}
				submit("bob", "abcd")
				r.want("wrong_principal", "!settle")
				submit("ann", "a")
				r.want("too_short", "!settle")
				submit("ann", "abcd")
				r.want(`"settle"`, `"content":{"k":"abcd"}`, `"page":true`)
				if name == "request" {
					r.want(`"notifications/elicitation/complete"`, page.Link)
				}
				if name == "text" {
					r.step(asking.Submitted{ID: get[asking.Settle](r).ID, Principal: "ann", Action: elicit.Accept,
						Via: event.ViaModel})
					r.want(`"resume"`)
				}
				if name == "text" || name == "error" {
					r.call("2")
					r.pose("2", 0, secret)
					r.want(`"replayed":true`, `"k":"abcd"`)
				}
				submit("ann", "abcd")
				r.want("already_settled")
			})
		})
	}
}

func TestURL(t *testing.T) {
	visit := asking.Question{Mode: elicit.URL, Message: "Sign in", URL: "https://id.example/", Wait: true}
	each(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, visit)
		send := get[asking.Send](r)
		r.want(`"mode":"url"`, `"elicitationId"`)
		r.step(asking.Responded{Ref: send.Ref, Result: []byte(`{"action":"accept"}`)})
		r.want("!settle")
	})
}

func TestOrders(t *testing.T) {
	for order, want := range map[asking.Order][]string{
		asking.Queue: {"!settle", "!send"}, asking.Reject: {"question_open", `"outcome":"error"`},
		asking.Supersede: {`"cause":"superseded"`, `"cancel_sent"`, `"message":"Two?"`},
	} {
		each(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true, Order: order}, func(r *rig) {
			r.call("1")
			r.pose("1", 0, text("One?"))
			r.pose("1", 1, text("Two?"))
			r.want(want...)
		})
	}
}
