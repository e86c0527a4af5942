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
			want = 10 // as the official SDKs have it
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

// said spells what a problem or a value is, for the tables below.
func said(problems []elicit.Problem, value string) string {
	if len(problems) == 0 {
		return value
	}
	var list []string
	for _, p := range problems {
		list = append(list, p.Code+" "+p.Pointer)
	}
	return strings.Join(list, ", ")
}

// TestCapabilities: what a client of each date declares is what its server may ask, and it is written where it is read.
func TestCapabilities(t *testing.T) {
	for raw, want := range map[string]string{
		`-`: "none, none, none", `{}`: "form, form, form", `{"form":{}}`: "form, form, form", `{"url":{}}`: "form, url, url",
		`{"form":{},"url":{}}`: "form, form url, form url", `{"x":{}}`: "form, form, form", `7`: "bad, bad, bad",
		`{"form":null}`: "form, bad, bad", `{"form":{},"url":true}`: "form, form bad, form bad",
	} {
		var got []string
		for _, d := range Dialects() {
			var m Modes
			if m = d.ParseCapability(nil); raw != "-" {
				m = d.ParseCapability([]byte(raw))
			}
			words := ""
			for _, one := range []struct {
				is   bool
				word string
			}{{m.Form, "form "}, {m.URL, "url "}, {m.Malformed, "bad "}, {m == Modes{}, "none "}} {
				if one.is {
					words += one.word
				}
			}
			got = append(got, strings.TrimSpace(words))
			for _, replace := range []bool{false, true} {
				params, ok := d.Declare(nil, []byte(`{"x":1}`), m, replace)
				back := d.ParseCapability(d.Declared(params))
				if ok == m.None() || ok && (back.Form != m.Form || back.URL != m.URL) {
					t.Errorf("%s: %s is declared as %s", d.Version, raw, params)
				}
			}
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", raw, s, want)
		}
	}
}

// TestCreate: what a client reads of a question, by date, and why it refuses one.
func TestCreate(t *testing.T) {
	const form = `"message":"m","requestedSchema":{"properties":{}}`
	const approval = `"codex_request_type":"approval_request","codex_approval_kind":"mcp_tool_call"`
	june, november, july := Dialects()[0], Dialects()[1], Dialects()[2]
	for _, c := range []struct {
		d            Dialect
		params, want string
	}{
		{june, form, "form"}, {june, `"mode":"form",` + form, "form"},
		{june, `"mode":"url",` + form, "mode_undeclared /mode"},
		{november, `"mode":"audio",` + form, "unknown_mode /mode"}, {november, `"mode":7,` + form, "wrong_type /mode"},
		{november, `"mode":"url","message":"m"`, "missing /url, missing /elicitationId"},
		{november, `"mode":"url","message":"m","url":"","elicitationId":""`, "empty_value /url, missing /elicitationId"},
		{july, `"mode":"url","message":"m","url":"u"`, "url"},
		{july, `"message":7`, "wrong_type /message, missing /requestedSchema"},
		{november, form + `,"task":{}`, "form tasked"}, {july, form + `,"task":{}`, "form"},
		{november, form + `,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}`,
			`form {"io.modelcontextprotocol/related-task":{"taskId":"t"}}`},
		{july, form + `,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}`, "form"},
		{june, form + `,"_meta":{"codex_approval_kind":"tool_suggestion"}`, "form suggestion"},
		{june, form + `,"_meta":{` + approval + `,"tool_name":"w"}`, "form approval"},
		{june, form + `,"_meta":{` + approval + `,"tool_name":" "}`, "form malformed"},
		{june, form + `,"_meta":{` + approval + `}`, "form malformed"},
		{june, form + `,"_meta":{` + approval + `,"tool_name":"w","tool_params":[]}`, "form malformed"},
		{june, form + `,"_meta":{` + approval + `,"tool_name":"w","tool_params":{},"tool_title":"T"}`, "form approval"},
		{june, form + `,"_meta":{` + approval + `,"tool_name":"w","tool_description":7}`, "form malformed"},
		{june, form + `,"_meta":{"codex_request_type":"approval_request","tool_name":"w"}`, "form malformed"},
		{june, form + `,"_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"w"}`, "form"},
		{june, strings.Replace(form, "{}", `{"a":{}}`, 1) + `,"_meta":{` + approval + `,"tool_name":"w"}`, "form malformed"},
		{june, form + `,"_meta":{"codex_strict_auto_review":true,"persist":"always"}`, "form strict persistable"},
		{june, form + `,"_meta":{"codex_strict_auto_review":1,"persist":["x","session"]}`, "form persistable"},
		{june, form + `,"_meta":{"persist":["x"]}`, "form"}, {june, form + `,"_meta":{"persist":"once"}`, "form"},
	} {
		q, x, no := c.d.DecodeCreate([]byte("{"+c.params+"}"), c.d.AllModes())
		got := string(q.Mode)
		for _, one := range []struct {
			is   bool
			word string
		}{{q.Claim != "", string(q.Claim)}, {q.StrictReview, "strict"}, {q.Persistable, "persistable"}, {x.Tasked, "tasked"},
			{x.Echo != nil, string(x.Echo)}} {
			if one.is {
				got += " " + one.word
			}
		}
		if no != nil {
			got = said(no.Problems, "")
		}
		if got != c.want || no != nil && no.Code != wire.InvalidParams {
			t.Errorf("%s: {%s}: %s, want %s", c.d.Version, c.params, got, c.want)
		}
	}
	_, _, no := november.DecodeCreate([]byte(`{`+form+`}`), Modes{})
	if no == nil || no.Code != wire.MethodNotFound || said(no.Problems, "") != "elicitation_unsupported " {
		t.Errorf("a client without elicitation: %v", no)
	}
	_, _, no = november.DecodeCreate([]byte(`{`+form+`}`), Modes{URL: true})
	if no == nil || said(no.Problems, "") != "mode_undeclared /mode" {
		t.Errorf("a client without forms: %v", no)
	}
}

// TestTasks: what a task of the extension waits for.
func TestTasks(t *testing.T) {
	const ask = `"inputRequests":{"k":{"method":"roots/list"}}`
	for task, want := range map[string]string{
		`"taskId":"t","status":"input_required",` + ask:                   "t input_required lists k",
		`"taskId":"t","status":"input_required"`:                          "t input_required",
		`"taskId":"t","status":"working"`:                                 "t working lists",
		`"taskId":"t","status":"completed"`:                               "t completed over lists",
		`"taskId":"t","status":"failed"`:                                  "t failed over lists",
		`"taskId":"t","status":"cancelled"`:                               "t cancelled over lists",
		`"taskId":"t","status":"later"`:                                   "t later",
		`"taskId":"t","status":"working",` + ask:                          "task_input_not_named /status",
		`"status":"input_required",` + ask:                                "missing /taskId",
		`"taskId":"t","status":"input_required","inputRequests":[]`:       "wrong_type /inputRequests",
		`"taskId":"t","status":"input_required","inputRequests":{"k":{}}`: "missing /inputRequests/k/method",
	} {
		read, problems := july(t).DecodeTask([]byte("{"+task+"}"), Modes{Form: true})
		got := read.ID + " " + read.Status
		if read.Over() {
			got += " over"
		}
		if read.Lists {
			got += " lists"
		}
		for _, e := range read.Entries {
			got += " " + e.Key
		}
		if s := said(problems, got); s != want {
			t.Errorf("%s: %s, want %s", task, s, want)
		}
		read, problems = november2025.DecodeTask([]byte("{"+task+"}"), Modes{Form: true})
		if problems != nil || read.ID != "" {
			t.Errorf("a date without the extension reads %+v, %v", read, problems)
		}
	}
	if _, problems := july(t).DecodeTask([]byte(`7`), Modes{}); said(problems, "") != "wrong_type " {
		t.Errorf("no task: %v", problems)
	}
}

// TestAnswers: what a server reads is what the client's person did, and nothing that the person took back.
func TestAnswers(t *testing.T) {
	for result, want := range map[string]string{
		`{"action":"accept","content":{"a":1}}`:  `accept {"a":1}`,
		`{"action":"accept","content":null}`:     "accept ",
		`{"action":"accept"}`:                    "accept ",
		`{"action":"accept","content":[]}`:       "wrong_type /content",
		`{"action":"decline","content":{"a":1}}`: "decline ",
		`{"action":"cancel","content":[]}`:       "cancel ",
		`{"action":"yes"}`:                       "unknown_action /action",
		`{"action":7}`:                           "wrong_type /action",
		`{}`:                                     "missing /action",
		`[]`:                                     "wrong_type ",
	} {
		for _, d := range Dialects() {
			a, problems := d.DecodeAnswer([]byte(result), elicit.Form)
			if got := said(problems, string(a.Action)+" "+string(a.Content)); got != want {
				t.Errorf("%s: %s: %s, want %s", d.Version, result, got, want)
			}
		}
	}
	echo := []byte(`{"e":1}`)
	for _, c := range []struct {
		a    Answer
		want string
	}{
		{Answer{elicit.Accept, elicit.Form, []byte(`{"a":1}`), nil}, `{"action":"accept","content":{"a":1}}`},
		{Answer{elicit.Accept, elicit.Form, nil, echo}, `{"action":"accept","content":{},"_meta":{"e":1}}`},
		{Answer{elicit.Accept, elicit.URL, []byte(`{"a":1}`), nil}, `{"action":"accept"}`},
		{Answer{elicit.Decline, elicit.Form, []byte(`{"a":1}`), echo}, `{"action":"decline","_meta":{"e":1}}`},
		{Answer{"yes", elicit.Form, nil, nil}, ""},
	} {
		for _, d := range Dialects() {
			want := c.want
			if d.Carrier == wire.Rounds {
				want = strings.Replace(want, `,"_meta":{"e":1}`, "", 1)
			} else if want != "" {
				want = `{"jsonrpc":"2.0","id":7,"result":` + want + `}`
			}
			if got, ok := d.AppendAnswer(nil, []byte(`7`), c.a); string(got) != want || ok != (want != "") {
				t.Errorf("%s: got %s %t, want %s", d.Version, got, ok, want)
			}
		}
	}
	if got, ok := june2025.AppendAnswer(nil, []byte(`1.5`), Answer{Action: elicit.Cancel}); ok {
		t.Errorf("a request without an id is answered: %s", got)
	}
}

// TestMetaOfAnotherType: a _meta that is no object stays as it is, and refuses only what has to be written into it. In
// a result it has no questions.
func TestMetaOfAnotherType(t *testing.T) {
	request := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":1}}`)
	for want, r := range map[string]Retry{"": {}, "/params/_meta": {Progress: []byte("3")},
		"/params/_meta ": {Array: true}} {
		r.ID = []byte("2")
		if _, problems := AppendRetry(nil, request, r, jsontext.Limits{}); want == "" && problems != nil ||
			want != "" && (len(problems) != 1 || problems[0].Pointer != strings.TrimSpace(want)) {
			t.Errorf("%+v: %v", r, problems)
		}
	}
	for text, want := range map[string]bool{`{"_meta":{}}`: false, `{"_meta":{"requestState":"s"}}`: true,
		`{"_meta":{"inputRequests":{}}}`: true, `{"_meta":{"inputRequests":[]}}`: true, `{"_meta":1}`: false} {
		o, _ := wire.ReadObject([]byte(text))
		if _, array := arrayShape(o, true); array != want {
			t.Errorf("%s: %v", text, array)
		}
	}
}
