package mcp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

func july(t testing.TB) Dialect {
	d, ok := Lookup("2026-07-28")
	if !ok {
		t.Fatal("2026-07-28 is not in the table")
	}
	return d
}

func TestLookupFailsClosed(t *testing.T) {
	for _, v := range []string{"", "2024-11-05", "2026-07-29", "draft", "2025-11-25 "} {
		if d, ok := Lookup(v); ok {
			t.Errorf("Lookup(%q) = %s, want none", v, d.Version)
		}
	}
}

func TestRoundAnswersOnceAndAll(t *testing.T) {
	d := july(t)
	asked, problems := d.DecodeResult("tools/call", []byte(`{"resultType":"input_required","inputRequests":{
		"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}},
		"r":{"method":"roots/list"}},"requestState":"s\u0041\/"}`), d.AllModes())
	if problems != nil {
		t.Fatal(problems)
	}
	r, ok := Round{}.Next(asked)
	if !ok || strings.Join(r.Open(), " ") != "a r" {
		t.Fatalf("open %v, want a r", r.Open())
	}
	if _, problems := r.Retry([]byte(`2`)); len(problems) != 2 {
		t.Errorf("retry with open entries: %v, want two problems", problems)
	}
	for _, tt := range []struct {
		name string
		p    *elicit.Problem
		code string
	}{
		{"unknown key", r.Answer(d, "b", elicit.Accept, nil), "unknown_input_key"},
		{"answer to a foreign entry", r.Answer(d, "r", elicit.Accept, nil), "answer_unfit"},
		{"raw answer to a question", r.Supply("a", []byte(`{}`), jsontext.Limits{}), "answer_unfit"},
		{"unknown action", r.Answer(d, "a", "reject", nil), "answer_unfit"},
		{"first answer", r.Answer(d, "a", elicit.Decline, []byte(`{"x":1}`)), ""},
		{"second answer", r.Answer(d, "a", elicit.Accept, nil), "answer_again"},
		{"broken raw answer", r.Supply("r", []byte(`{"roots":[]`), jsontext.Limits{}), "json_truncated"},
		{"raw answer", r.Supply("r", []byte(`{"roots":[]}`), jsontext.Limits{}), ""},
	} {
		got := ""
		if tt.p != nil {
			got = tt.p.Code
		}
		if got != tt.code {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.code)
		}
	}
	retry, problems := r.Retry([]byte(`2`))
	if problems != nil {
		t.Fatal(problems)
	}
	got, problems := AppendRetry(nil, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`),
		retry, jsontext.Limits{})
	const want = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x",` +
		`"inputResponses":{"a":{"action":"decline"},"r":{"roots":[]}},"requestState":"s\u0041\/"}}`
	if string(got) != want || problems != nil {
		t.Errorf("\n got %s %v\nwant %s", got, problems, want)
	}
}

// TestRoundThatNothingBegan: a Round takes answers only after Next.
func TestRoundThatNothingBegan(t *testing.T) {
	r := Round{Result: Result{Asks: true, Entries: []Entry{{Key: "a", Method: MethodCreate}}}}
	if p := r.Answer(july(t), "a", elicit.Cancel, nil); p == nil || p.Code != "answer_unfit" {
		t.Errorf("it took an answer: %v", p)
	}
	if open := r.Open(); len(open) != 1 || open[0] != "a" {
		t.Errorf("open %q", open)
	}
	if _, problems := r.Retry([]byte(`2`)); len(problems) != 1 || problems[0].Code != "answer_missing" {
		t.Errorf("it can be sent: %v", problems)
	}
}

func TestRoundsEnd(t *testing.T) {
	for _, limit := range []int{0, 1, 3} {
		want := limit
		if want == 0 {
			want = MaxRounds
		}
		r, n := Round{Limit: limit}, 0
		for next, ok := r.Next(Result{Asks: true}); ok; next, ok = r.Next(Result{Asks: true}) {
			r = next
			n++
		}
		if n != want {
			t.Errorf("limit %d allowed %d rounds, want %d", limit, n, want)
		}
	}
}

// FuzzRetry checks that a repeated call has the state byte for byte, and everything else of the call unchanged.
func FuzzRetry(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{ "name":"x" ,"requestState":"old",`+
		`"_meta":{"progressToken":3}}}`), "st\"\\u00e9", false)
	f.Add([]byte(`{"id":"q","params":{"_meta":{"requestState":"old","k":1}},"method":"tools/call","jsonrpc":"2.0"}`), "",
		true)
	f.Add([]byte(`{"id":"q","method":"tools/call","jsonrpc":"2.0"}`), "x", true)
	f.Fuzz(func(t *testing.T, request []byte, spelled string, array bool) {
		state := []byte(`"` + spelled + `"`)
		if jsontext.Check(state, jsontext.Limits{}) != nil {
			state = nil
		}
		r := Retry{ID: []byte(`"fresh"`), State: state, Array: array,
			Responses: []Response{{Key: "k", Value: []byte(`{"action":"cancel"}`)}}}
		out, problems := AppendRetry(nil, request, r, jsontext.Limits{})
		if problems != nil {
			return
		}
		before, _ := wire.ReadEnvelope(request, jsontext.Limits{})
		after, fault := wire.ReadEnvelope(out, jsontext.Limits{Bytes: len(out)})
		if fault != nil || after.Problems != nil || after.Method != before.Method || string(after.ID) != `"fresh"` {
			t.Fatalf("%s became %s: %v %v", request, out, fault, after.Problems)
		}
		was, is := carrierOf(before.Params, array), carrierOf(after.Params, array)
		if got := is.Get("requestState"); !bytes.Equal(got, state) {
			t.Fatalf("state %s, want %s", got, state)
		}
		for _, m := range was.Members {
			if m.Name != "requestState" && m.Name != "inputResponses" && !bytes.Equal(is.Get(m.Name), was.Raw(m)) {
				t.Fatalf("%s became %s: %q changed", request, out, m.Name)
			}
		}
		// Removing the additions and restoring the old id must give the original call, byte for byte.
		strip := func(doc []byte) []byte {
			o, _ := wire.ReadObject(doc)
			id, _ := o.Find("id")
			edits := []wire.Edit{{Start: id.Value, End: id.End, With: []byte(`0`)}}
			if p, ok := o.Child("params"); ok {
				if meta, ok := p.Child("_meta"); ok && array {
					p = meta
				}
				edits = p.Exchange(edits, nil, "inputResponses", "requestState")
			}
			return wire.Apply(nil, doc, edits)
		}
		if _, ok := wire.ReadObject(before.Params); ok && (!array || len(was.Members) > 0) {
			if a, b := strip(request), strip(out); !bytes.Equal(a, b) {
				t.Fatalf("%s became %s: without what was added %s, want %s", request, out, b, a)
			}
		}
	})
}

func carrierOf(params []byte, array bool) wire.Object {
	o, _ := wire.ReadObject(params)
	if array {
		o, _ = o.Child("_meta")
	}
	return o
}
