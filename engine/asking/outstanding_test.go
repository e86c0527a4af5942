package asking_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestAnsweredBeforeTheReturn lets a call go on whose interrupted handler has not been reported as over: another host
// was killed between the two.
func TestAnsweredBeforeTheReturn(t *testing.T) {
	each(t, asking.Config{Version: "2025-06-18", Fallback: "elicitation_result"}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("How many?"))
		id := elicit.ID(between(string(get[asking.Interrupt](r).Result), `"elicit/question":{"id":"`, `"`))
		for range 2 { // whoever passes it on may not learn that it counts, and does so again
			r.step(asking.Submitted{ID: id, Principal: "ann", Action: elicit.Accept, Content: []byte(`{"n":3}`),
				Via: event.ViaModel})
			r.want(`"resume","call":"1"`, "!call_running")
		}
		r.call("2")
		r.pose("2", 0, text("How many?"))
		r.want(`"replayed":true`, `"n":3`)
		r.step(asking.Returned{Call: "1"}) // late, and nothing any more
		r.pose("2", 1, text("And now?"))
		r.want(`"interrupt"`, "And now?")
	})
}

// TestOldestBeforeTheReturn forgets calls whose interrupted handlers nobody has reported as over. Otherwise a machine
// that is full of them takes no other call.
func TestOldestBeforeTheReturn(t *testing.T) {
	r := open(t, asking.Config{Version: "2025-06-18", Fallback: "elicitation_result",
		Engine: []byte(`{"limits":{"per_minute":60000,"burst":60000}}`)})
	for i := range 1100 { // more than a machine holds
		name := fmt.Sprint("c", i)
		r.step(asking.Called{Call: name, Target: name})
		r.pose(name, 0, text("How many?"))
		r.want(`"interrupt"`)
		id := elicit.ID(between(string(get[asking.Interrupt](r).Result), `"elicit/question":{"id":"`, `"`))
		r.step(asking.Submitted{ID: id, Principal: "ann", Action: elicit.Decline, Via: event.ViaModel})
		r.want(`"resume"`)
	}
}

// TestOutstanding tells the host of a run what it may have missed because another host made the step.
func TestOutstanding(t *testing.T) {
	each(t, asking.Config{Version: "2025-06-18", Declared: both, Requests: true}, func(r *rig) {
		none := func(call string) {
			t.Helper()
			if got := r.m.Outstanding(call); len(got) != 0 {
				t.Fatalf("call %s has %v outstanding", call, got)
			}
		}
		r.call("1")
		none("1")
		r.pose("1", 0, text("How many?"))
		sent := get[asking.Send](r)
		r.call("2")
		r.pose("2", 0, text("And then?")) // in the queue
		for range 2 {
			got := r.m.Outstanding("1")
			if len(got) != 1 || string(got[0].AppendJSON(nil)) != string(sent.AppendJSON(nil)) {
				t.Fatalf("outstanding: %v, sent was %v", got, sent)
			}
		}
		none("2")
		r.step(asking.Responded{Ref: sent.Ref, Result: number(3)})
		none("1")
		if got := r.m.Outstanding("2"); len(got) != 1 || got[0].(asking.Send).Ref != get[asking.Send](r).Ref {
			t.Fatalf("outstanding: %v", got)
		}
		none("3")
		r.step(asking.Returned{Call: "2"})
		none("2")
	})
	each(t, asking.Config{Version: "2026-07-28", Declared: both}, func(r *rig) {
		r.call("1")
		r.pose("1", 0, text("How many?"))
		ends := get[asking.Interrupt](r)
		got := r.m.Outstanding("1")
		if len(got) != 1 || string(got[0].AppendJSON(nil)) != string(ends.AppendJSON(nil)) {
			t.Fatalf("outstanding: %v, the end was %v", got, ends)
		}
		r.step(asking.Returned{Call: "1"})
		if got := r.m.Outstanding("1"); len(got) != 0 {
			t.Fatalf("after the end: %v", got)
		}
	})
}

// TestNoWayLeft poses a question again whose way is gone: the server was started again without its page.
func TestNoWayLeft(t *testing.T) {
	for _, page := range []string{"https://bot.example/", ""} {
		r := open(t, asking.Config{Version: "2025-06-18", Page: "https://bot.example/", Fallback: "elicitation_result"})
		r.call("1")
		r.pose("1", 0, text("How many?"))
		r.want(`"interrupt"`, "https://bot.example/")
		r.step(asking.Returned{Call: "1"})
		if r.config.Page = page; page == "" {
			r.config.Fallback = ""
		}
		r.load()
		r.call("2")
		r.pose("2", 0, text("How many?"))
		if page == "" {
			r.want(`"cause":"unsupported"`, "!https://bot.example/", `!"offer"`)
		} else {
			r.want(`"interrupt"`, "https://bot.example/")
		}
	}
}
