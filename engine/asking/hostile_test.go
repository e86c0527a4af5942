package asking_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestHugeAnswers gives answers of 10 MB: as a response, in a repeated call and from a page. Each counts as an answer
// that does not fit, through the JSON of an event too.
func TestHugeAnswers(t *testing.T) {
	huge := `{"action":"accept","content":{"n":"` + strings.Repeat("x", 10<<20) + `"}}`
	r := open(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true})
	r.call("1")
	r.pose("1", 0, text("How many?"))
	r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Result: []byte(huge)})
	r.want(`"json_size"`, `"send"`)
	r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Result: number(1)})
	r.want(`"content":{"n":1}`)

	r = open(t, asking.Config{Version: "2026-07-28", Declared: both})
	r.call("1")
	r.pose("1", 0, text("How many?"))
	body := get[asking.Interrupt](r).Body
	r.step(asking.Called{Call: "2", Target: "deploy", Answers: body, Responses: []byte(`{"q0.0":` + huge + `}`)})
	r.pose("2", 0, text("How many?"))
	r.want(`"interrupt"`, `!"settle"`)
}

// TestUnfitTexts asks with texts that no journal record can hold, as a host in Go may. The handler hears it at once,
// and not when the time of the question is up.
func TestUnfitTexts(t *testing.T) {
	long, none := strings.Repeat("x", 1025), []byte(`{"type":"object","properties":{}}`)
	for _, q := range []asking.Question{
		{Mode: elicit.Form, Message: "How many\xff", Schema: none},
		{Mode: elicit.Form, Message: "How many?", Schema: none, For: long},
		{Mode: elicit.URL, Message: "Visit", URL: "https://bot.example/\xff"},
	} {
		for _, version := range []string{"2025-11-25", "2026-07-28"} {
			r := open(t, asking.Config{Version: version, Declared: both, Requests: true, Page: "https://bot.example/"})
			r.call("1")
			r.now++
			r.keep(r.m.Step(asking.Input{At: r.now, Event: asking.Posed{Call: "1", Question: q}}))
			r.want(`"outcome":"error","cause":"invalid_request"`, `!"send"`, `!"interrupt"`)
			r.pose("1", 1, text("How many?"))
			r.want(`!"settle"`) // the person has this one
		}
	}
	for _, c := range []asking.Config{{Server: "s", Principal: long}, {Server: long}} {
		c.Version = "2025-11-25"
		if _, _, problems := asking.New(c, asking.Input{}); len(problems) == 0 {
			t.Errorf("%.20q, %.20q: no problem", c.Server, c.Principal)
		}
	}
	for range 20 { // always in the same order
		both := asking.Config{Server: long, Principal: long, Version: "2025-11-25"}
		_, _, p := asking.New(both, asking.Input{})
		if len(p) != 2 || p[0].Pointer != "/server" || p[1].Pointer != "/principal" {
			t.Fatalf("problems of both names: %v", p)
		}
	}
}

// TestManyCalls makes more calls than a machine holds. The oldest interrupted call is forgotten, a running one never.
func TestManyCalls(t *testing.T) {
	r := open(t, asking.Config{Version: "2025-06-18", Fallback: asking.DefaultFallback})
	for i := range 1024 {
		r.call(fmt.Sprint(i))
	}
	r.call("more")
	r.want("too_many_calls")
	r.pose("7", 0, text("How many?"))
	r.want(`"interrupt"`)
	r.step(asking.Returned{Call: "7"})
	r.step(asking.Called{Call: "more", Target: "another"})
	r.want(`"cause":"call_ended"`, "!too_many_calls")
}

// TestDamagedStates loads states with a byte changed, cut or repeated. Load returns a machine that still steps, or
// problems.
func TestDamagedStates(t *testing.T) {
	c := asking.Config{Version: "2025-11-25", Declared: both, Requests: true, Page: "https://bot.example/"}
	r := open(t, c)
	r.call("1")
	r.pose("1", 0, text("How many?"))
	r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Error: []byte(`{"code":-1,"message":"no"}`)})
	r.pose("1", 1, text("And now?"))
	r.pose("1", 2, text("And then?"))
	state, refused := r.m.Save(), 0
	rapid.Check(t, func(t *rapid.T) {
		damaged := append([]byte(nil), state...)
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(damaged)-1).Draw(t, "at")
			switch rapid.IntRange(0, 2).Draw(t, "damage") {
			case 0:
				damaged[at] = rapid.SampledFrom([]byte(`019-"{}[],:atrue`)).Draw(t, "byte")
			case 1:
				damaged = append(damaged[:at:at], damaged[min(at+rapid.IntRange(1, 40).Draw(t, "cut"), len(damaged)):]...)
			case 2:
				damaged = append(damaged[:at:at], append([]byte(`"x":1,`), damaged[at:]...)...)
			}
			if len(damaged) == 0 {
				break
			}
		}
		m, _, problems := asking.Load(r.config, damaged, asking.Input{At: 100, Random: [32]byte{5}})
		if (m == nil) != (len(problems) > 0) {
			t.Fatalf("machine %v, problems %v", m != nil, problems)
		}
		if m == nil {
			refused++
			return
		}
		for i, ev := range []asking.Event{asking.Posed{Call: "1", Position: 3, Question: text("More?")},
			asking.Posed{Call: "1", Position: 1, Question: text("And now?")}, asking.Cancelled{Call: "1"},
			asking.Closed{}} {
			m.Step(asking.Input{At: int64(400_000 * i), Random: [32]byte{6, byte(i)}, Event: ev})
		}
	})
	if refused < 10 {
		t.Errorf("only %d damaged states were refused", refused)
	}
}

// TestValuesAreBounded keeps values until they have 32 KiB. One that is too large is not kept, and the rest stays.
func TestValuesAreBounded(t *testing.T) {
	r := open(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true})
	r.call("1")
	half := []byte(`"` + strings.Repeat("x", 16<<10) + `"`)
	r.step(asking.Once{Call: "1", Value: half})
	r.want(`"value"`)
	r.step(asking.Once{Call: "1", Position: 1, Value: half})
	r.want("values_too_large", `!"value"`)
	for _, next := range r.m.Step(asking.Input{Event: asking.Once{Call: "1", Position: 1, Value: []byte(`{"a":`)}}) {
		if _, is := next.(effect.Problem); !is {
			t.Errorf("%s", next.AppendJSON(nil))
		}
	}
	r.step(asking.Once{Call: "1", Position: 1, Value: []byte(`[ 1 ]`)})
	r.want(`"value":[1]`)
	if len(r.m.Value("1", 0, "")) != len(half) || r.m.Value("1", 0, "another") != nil || r.m.Value("2", 0, "") != nil {
		t.Error("another value")
	}
}

// TestStateThatIsNoJSON: a state that cannot be read says why, and not that it is of another version.
func TestStateThatIsNoJSON(t *testing.T) {
	for state, want := range map[string]string{``: "json_empty", `{"asking":1`: "json_truncated", `[]`: "wrong_type",
		`{"asking":1,"asking":1}`: "json_duplicate_key", `{"asking":2}`: "state_version", `{}`: "state_version"} {
		m, _, problems := asking.Load(asking.Config{Server: "s", Version: "2025-11-25"}, []byte(state),
			asking.Input{At: 1, Random: [32]byte{1}})
		if m != nil || len(problems) != 1 || problems[0].Code != want {
			t.Errorf("%s: %v, want %s", state, problems, want)
		}
	}
}

// TestEventsAsJSON: the JSON of an event has every member of it.
func TestEventsAsJSON(t *testing.T) {
	for _, ev := range []asking.Event{
		asking.Called{Call: "c", Method: "m", Target: "t", Arguments: []byte(`{"a":1}`), Structured: true,
			Answers: []byte(`{"b":1}`), Responses: []byte(`{"c":1}`), Key: "k"},
		asking.Lost{Call: "c"}, asking.Keyed{Call: "c"}, asking.Returned{Call: "c"}, asking.Completed{ID: "i"},
		asking.Posed{Call: "c", Position: 2, Question: asking.Question{Mode: elicit.Form, Message: "?",
			Schema: []byte(`{}`), URL: "u", Wait: true, Secret: true, For: "f", TTL: 3}},
		asking.Once{Call: "c", Position: 2, Key: "k", Value: []byte(`1`)},
		asking.Responded{Ref: "r", Result: []byte(`{"a":1}`), Error: []byte(`{"b":1}`)},
		asking.Submitted{Link: "l", ID: "i", Principal: "p", Action: elicit.Accept, Content: []byte(`{"a":1}`),
			Cleared: []string{"n"}, Via: event.ViaModel},
		asking.Claimed{Link: "l", Principal: "p", Browser: "b"}, asking.Cancelled{Call: "c", ID: "i"},
		asking.Closed{Cause: elicit.ByShutdown},
	} {
		doc := ev.(interface{ AppendJSON([]byte) []byte }).AppendJSON(nil)
		if got, problems := asking.ReadEvent(doc); len(problems) > 0 || !reflect.DeepEqual(got, ev) {
			t.Errorf("%s: %+v (%v), want %+v", doc, got, problems, ev)
		}
	}
}

// TestUnknownEnd: an end for another cause than these two is one of the session.
func TestUnknownEnd(t *testing.T) {
	r := open(t, asking.Config{Version: "2025-11-25", Declared: both, Requests: true})
	r.call("1")
	r.pose("1", 0, asking.Question{Mode: elicit.URL, Message: "Visit", URL: "https://bot.example/", Wait: true})
	r.step(asking.Responded{Ref: get[asking.Send](r).Ref, Result: []byte(`{"action":"accept"}`)})
	r.step(asking.Closed{Cause: elicit.ByUser})
	r.want(`"outcome":"cancel","cause":"session_closed"`)
}

// TestFallbackTool: the tool tells a model what it is for, and takes what a report has.
func TestFallbackTool(t *testing.T) {
	tool := string(asking.AppendFallbackTool(nil, "f"))
	for _, want := range []string{`"name":"f"`, `"description":"Another tool's result may ask you`, `"inputSchema":{`,
		`"required":["id","action"]`} {
		if !strings.Contains(tool, want) {
			t.Errorf("%s lacks %s", tool, want)
		}
	}
}
