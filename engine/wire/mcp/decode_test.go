package mcp

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// sentences fails for problems without a sentence.
func sentences(t *testing.T, problems []elicit.Problem) {
	t.Helper()
	for _, p := range problems {
		for i := range p.Args {
			p.Args[i].Raw = `"x"` // a peer's own braces are no place left open
		}
		if s := english.Problem(p); s == strings.ReplaceAll(p.Code, "_", " ") || strings.ContainsAny(s, "{}") {
			t.Fatalf("problem %q renders as %q", p.Code, s)
		}
	}
}

// FuzzCreate checks that a request is complete or refused with problems, in every dialect.
func FuzzCreate(f *testing.F) {
	for _, s := range []string{
		`{"message":"m","requestedSchema":{"type":"object","properties":{}}}`,
		`{"mode":"url","message":"m","url":"https://a.example","elicitationId":"e",` +
			`"_meta":{"codex_request_type":"approval_request"}}`,
		`{"mode":null,"task":{},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"},"persist":["session"]}}`,
		`[]`, `{"message":7,"requestedSchema":[],"_meta":3}`,
	} {
		f.Add([]byte(s), true, true)
	}
	f.Fuzz(func(t *testing.T, params []byte, form, url bool) {
		if jsontext.Check(params, jsontext.Limits{}) != nil {
			return
		}
		for _, d := range Dialects() {
			q, x, no := d.DecodeCreate(params, Modes{Form: form, URL: url})
			if no != nil {
				if len(no.Problems) == 0 {
					t.Fatalf("%s %s: refused without a reason", d.Version, params)
				}
				sentences(t, no.Problems)
				continue
			}
			whole := q.Mode == elicit.Form && form && wire.TypeOf(q.Schema) == wire.Map && q.URL == "" && q.Link == "" ||
				q.Mode == elicit.URL && url && d.URL && q.URL != "" && q.Schema == nil && (q.Link != "") == d.Link
			if !whole || !utf8.ValidString(q.Message) {
				t.Fatalf("%s %s: request %+v", d.Version, params, q)
			}
			again, ok := d.AppendCreate(nil, &q)
			if !ok {
				t.Fatalf("%s %s: cannot be asked again", d.Version, params)
			}
			p, _, no := d.DecodeCreate(again, Modes{Form: form, URL: url})
			if no != nil || p.Message != q.Message || p.URL != q.URL || p.Link != q.Link || !bytes.Equal(p.Schema, q.Schema) {
				t.Fatalf("%s %s: asked again it is %s, %v", d.Version, params, again, no)
			}
			a, ok := d.AppendAnswer(nil, []byte(`1`), Answer{Action: elicit.Decline, Mode: q.Mode, Content: []byte(`{"x":1}`),
				Echo: x.Echo})
			if !ok || bytes.Contains(a, []byte(`"content"`)) && !bytes.Contains(x.Echo, []byte(`"content"`)) ||
				jsontext.Check(a, jsontext.Limits{}) != nil {
				t.Fatalf("%s %s: declined with %s", d.Version, params, a)
			}
		}
	})
}

// FuzzResult checks that a result read for questions can always be answered with its state unchanged, or is refused.
func FuzzResult(f *testing.F) {
	for _, s := range []string{
		`{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s\u0041"}`,
		`{"resultType":"input_required","inputRequests":{},"requestState":""}`,
		`{"_meta":{"inputRequests":[{"type":"confirmation","message":"m","options":["a",{"label":"b","value":"c"}]}],` +
			`"requestState":"s"}}`,
		`{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"m",` +
			`"requestedSchema":{}}}}}`,
		`{"resultType":"task"}`, `{}`, `null`,
	} {
		f.Add([]byte(s))
	}
	d := july(f)
	f.Fuzz(func(t *testing.T, result []byte) {
		if jsontext.Check(result, jsontext.Limits{}) != nil {
			return
		}
		asked, problems := d.DecodeResult("tools/call", result, d.AllModes())
		if problems != nil {
			sentences(t, problems)
			return
		}
		if !asked.Asks {
			return
		}
		if asked.State != nil && !bytes.Contains(result, asked.State) {
			t.Fatalf("%s: state %s is not a span of it", result, asked.State)
		}
		round, _ := Round{}.Next(asked)
		for _, key := range round.Open() {
			p := round.Answer(d, key, elicit.Cancel, nil)
			if p != nil {
				p = round.Supply(key, []byte(`{}`), jsontext.Limits{})
			}
			if p != nil {
				t.Fatalf("%s: %q cannot be answered: %v", result, key, p)
			}
		}
		retry, problems := round.Retry([]byte(`2`))
		if problems != nil {
			t.Fatalf("%s: %v", result, problems)
		}
		request := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`)
		if out, problems := AppendRetry(nil, request, retry, jsontext.Limits{}); problems != nil || !bytes.Contains(out,
			asked.State) {
			t.Fatalf("%s: retry %s %v", result, out, problems)
		}
	})
}

// TestSchemaIsASpan checks that the compiler gets the schema in the sender's own spelling.
func TestSchemaIsASpan(t *testing.T) {
	const schema = `{ "type" : "obj\u0065ct", "properties":{ "n":{"type":"number","default":1.50e0} } }`
	params := []byte(`{"message":"m", "requestedSchema" : ` + schema + ` }`)
	for _, d := range Dialects() {
		q, _, no := d.DecodeCreate(params, d.AllModes())
		if no != nil || string(q.Schema) != schema {
			t.Errorf("%s: got %s %v, want %s", d.Version, q.Schema, no, schema)
		}
	}
}

// TestMadeSchemaIsJSON checks that labels from the wire cannot break out of the generated schema.
func TestMadeSchemaIsJSON(t *testing.T) {
	d := july(t)
	result := []byte(`{"_meta":{"inputRequests":[{"type":"confirmation","message":"m","options":[{"label":"\"}]}` +
		`,{\"x\":[{","value":"a\\\"\u0000"}]}]}}`)
	asked, problems := d.DecodeResult("", result, d.AllModes())
	if problems != nil {
		t.Fatal(problems)
	}
	got := asked.Entries[0].Request.Schema
	if f := jsontext.Check(got, jsontext.Limits{}); f != nil {
		t.Fatalf("%s: %v", got, f)
	}
	const want = `{"type":"object","properties":{"value":{"type":"string","oneOf":[{"const":"a\\\"\u0000",` +
		`"title":"\"}]},{\"x\":[{"}]}},"required":["value"]}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestClipKeepsCharactersWhole(t *testing.T) {
	for limit, want := range []string{"", "", "é", "é", "é", "é€", "é€x", "é€x"} {
		if got := wire.Clip("é€x", limit); got != want {
			t.Errorf("clip to %d: got %q, want %q", limit, got, want)
		}
	}
}

// TestServerIsUnderstood: a client reads each message that the asking side writes, in every date that has it.
func TestServerIsUnderstood(t *testing.T) {
	form := elicit.Request{Mode: elicit.Form, Message: "a \"b\"", Schema: []byte(`{"type":"object","properties":{}}`)}
	page := elicit.Request{Mode: elicit.URL, Message: "Sign in", URL: "https://a.example", Link: `l"1`}
	for _, d := range Dialects() {
		for _, q := range []elicit.Request{form, page} {
			if !d.Link {
				q.Link = ""
			}
			requests, fits := d.AppendInputRequests([]byte("x"), `k"`, &q)
			if fits != (q.Mode == elicit.Form || d.URL) || !fits && string(requests) != "x" {
				t.Errorf("%s asks for %s: %t, %s", d.Version, q.Mode, fits, requests)
			}
			if d.Carrier == wire.Rounds {
				asked, problems := d.DecodeResult("tools/call", AppendInputRequired(nil, requests[1:], `s"`), d.AllModes())
				if problems != nil || len(asked.Entries) != 1 || asked.Entries[0].Key != `k"` || string(asked.State) != `"s\""` {
					t.Fatalf("%s: %+v, %v", d.Version, asked, problems)
				}
				if got := asked.Entries[0].Request; got.Mode != q.Mode || got.Message != q.Message || got.URL != q.URL ||
					!bytes.Equal(got.Schema, q.Schema) {
					t.Errorf("%s: got %+v, want %+v", d.Version, got, q)
				}
			}
			object, fits := d.AppendURLRequired([]byte("x"), &q)
			if fits != (d.Link && q.Mode == elicit.URL) || !fits && string(object) != "x" {
				t.Errorf("%s demands %s: %t, %s", d.Version, q.Mode, fits, object)
			}
			if fits {
				list, problems := d.DecodeURLRequired(object[1:], d.AllModes())
				if problems != nil || len(list) != 1 || list[0].URL != q.URL || list[0].Link != q.Link ||
					list[0].Message != q.Message || !bytes.Contains(object, []byte(`"message":"Sign in","data"`)) {
					t.Errorf("%s: %s reads as %+v, %v", d.Version, object, list, problems)
				}
			}
		}
		if link, problems := d.DecodeComplete(AppendComplete(nil, `l"1`)); d.Link != (problems == nil && link == `l"1`) {
			t.Errorf("%s: complete reads as %q, %v", d.Version, link, problems)
		}
	}
	e, _ := wire.ReadEnvelope(AppendCancelled(nil, []byte(`"i\u0041"`), `no "longer"`), jsontext.Limits{})
	got, problems := DecodeCancelled(e.Params)
	if e.Method != MethodCancelled || problems != nil || string(got.ID) != `"i\u0041"` || got.Reason != `no "longer"` {
		t.Errorf("%s: %+v, %v", e.Params, got, problems)
	}
	for want, got := range map[string][]byte{
		`{"resultType":"input_required"}`:                                 AppendInputRequired(nil, nil, ""),
		`[{"type":"text","text":"\""}]`:                                   AppendText(nil, `"`),
		`{"progressToken":"t","progress":2,"message":"m"}`:                AppendProgress(nil, []byte(`"t"`), 2, "m"),
		`{"taskId":"t","inputResponses":{"a":{},"b":{}},"_meta":{"x":1}}`: AppendUpdate(nil, "t", both, []byte(`{"x":1}`)),
		`{"taskId":"t\"","inputResponses":{"a":{},"b":{}}}`:               AppendUpdate(nil, `t"`, both, nil),
		`{"x":1}`: InputResponse([]byte(`{"b":2,"a":{"x":1}}`), "a"),
		"":        InputResponse([]byte(`["a"]`), "a"),
	} {
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestBounds: a message is read up to each bound of this package, and tells what is beyond it.
func TestBounds(t *testing.T) {
	many := func(n int, each string) string {
		var list []string
		for i := range n {
			list = append(list, strings.ReplaceAll(each, "%", strconv.Itoa(i)))
		}
		return strings.Join(list, ",")
	}
	old, d := november2025, july(t)
	result := func(members string) []elicit.Problem {
		_, problems := d.DecodeResult("", []byte(`{"resultType":"input_required",`+members+`}`), d.AllModes())
		return problems
	}
	asks := func(requests string) []elicit.Problem { return result(`"inputRequests":{` + requests + `}`) }
	drafts := func(list string) []elicit.Problem { return result(`"_meta":{"inputRequests":[` + list + `]}`) }
	options := func(list string) []elicit.Problem {
		return drafts(`{"type":"confirmation","message":"m","options":[` + list + `]}`)
	}
	required := func(n int) []elicit.Problem {
		_, problems := old.DecodeURLRequired([]byte(`{"code":-32042,"data":{"elicitations":[`+
			many(n, `{"mode":"url","message":"m","url":"https://a.example/%","elicitationId":"%"}`)+`]}}`), old.AllModes())
		return problems
	}
	link := func(size int) []elicit.Problem {
		_, problems := old.DecodeComplete([]byte(`{"elicitationId":"` + strings.Repeat("l", size) + `"}`))
		return problems
	}
	task := func(size int) []elicit.Problem {
		_, problems := d.DecodeTask([]byte(`{"taskId":"`+strings.Repeat("t", size)+`","status":"input_required",`+
			`"inputRequests":{}}`), d.AllModes())
		return problems
	}
	retry := func(n int) []elicit.Problem {
		r := Retry{ID: []byte("2")}
		for i := range n {
			r.Responses = append(r.Responses, Response{Key: strconv.Itoa(i), Value: []byte("{}")})
		}
		_, problems := AppendRetry(nil, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`), r, jsontext.Limits{})
		return problems
	}
	const roots = `{"method":"roots/list"}`
	for _, c := range []struct {
		name           string
		within, beyond []elicit.Problem
		want           string
	}{
		{"state", result(`"requestState":"` + strings.Repeat("s", 256<<10-2) + `"`),
			result(`"requestState":"` + strings.Repeat("s", 256<<10-1) + `"`), "text_too_large /requestState"},
		{"questions", asks(many(32, `"%":`+roots)), asks(many(33, `"%":`+roots)),
			"too_many_entries /inputRequests"},
		{"key", asks(`"` + strings.Repeat("k", 256) + `":` + roots),
			asks(`"` + strings.Repeat("k", 257) + `":` + roots), "text_too_large /inputRequests"},
		{"no key", asks(`" ":` + roots), asks(`"":` + roots), "input_key_empty /inputRequests"},
		{"confirmations", drafts(many(32, `{"type":"confirmation","message":"m"}`)),
			drafts(many(33, `{"type":"confirmation","message":"m"}`)), "too_many_entries /_meta/inputRequests"},
		{"options", options(many(1000, `"%"`)), options(many(1001, `"%"`)),
			"too_many_entries /_meta/inputRequests/0/options"},
		{"URLs", required(16), required(17), "too_many_entries /data/elicitations"},
		{"no URL", required(1), required(0), "empty_value /data/elicitations"},
		{"link", link(1024), link(1025), "text_too_large /elicitationId"},
		{"no link", link(1), link(0), "missing /elicitationId"},
		{"task", task(256), task(257), "text_too_large /taskId"},
		{"answers", retry(32), retry(33), "too_many_entries "},
	} {
		if c.within != nil {
			t.Errorf("%s within its bound: %v", c.name, c.within)
		}
		if len(c.beyond) != 1 || c.beyond[0].Code+" "+c.beyond[0].Pointer != c.want {
			t.Errorf("%s beyond its bound: %v, want %s", c.name, c.beyond, c.want)
		}
	}
	_, undeclared := d.DecodeResult("", []byte(`{"_meta":{"inputRequests":[7]}}`), Modes{URL: true})
	if len(undeclared) != 1 || undeclared[0].Code != "mode_undeclared" {
		t.Errorf("confirmations for a client without forms: %v", undeclared)
	}
	if n := len(options(many(1000, `7`))); n != 16 {
		t.Errorf("%d problems of one confirmation, want 16", n)
	}
	why, problems := DecodeCancelled([]byte(`{"requestId":1,"reason":"` + strings.Repeat("r", 1025) + `"}`))
	if problems != nil || len(why.Reason) != 1024 {
		t.Errorf("%d bytes of a reason are kept, %v", len(why.Reason), problems)
	}
}

var both = []Response{{Key: "a", Value: []byte(`{}`)}, {Key: "b", Value: []byte(`{}`)}}

// TestProgressToken: a token goes back as it came, or it names nothing.
func TestProgressToken(t *testing.T) {
	text := `"` + strings.Repeat("a", 510) + `"`
	for raw, want := range map[string]string{
		`"a\u0062"`: `"ab"`, `""`: `""`, `7`: `7`, `-7`: `-7`, `0`: `0`, text: text, `"a` + text[1:]: "",
		`1234567890123456`: `1234567890123456`, `12345678901234567`: "", `1.5`: "", `1e3`: "",
		`-`: "", `null`: "", `true`: "",
		`{}`: "", `["a"]`: "", `"a`: "", ``: "",
	} {
		if got := string(ProgressToken([]byte(raw))); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}
