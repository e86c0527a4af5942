package wire

import (
	"bytes"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

func TestEnvelopeKeepsSpans(t *testing.T) {
	const id, params = `"\u0061/1"`, `{ "n" : 1.50e0 , "n2":[ ] }`
	raw := []byte(" {\"jsonrpc\":\"2.0\" , \"id\" : " + id + ",\"m\\u0065thod\":\"tools\\/call\", \"params\" : " + params +
		" }\r\n")
	e, fault := ReadEnvelope(raw, jsontext.Limits{})
	if fault != nil || e.Problems != nil {
		t.Fatalf("fault %v problems %v", fault, e.Problems)
	}
	if e.Kind != Request || string(e.ID) != id || e.Method != "tools/call" || string(e.Params) != params {
		t.Errorf("got %v id=%s method=%q params=%s", e.Kind, e.ID, e.Method, e.Params)
	}
	if &e.Params[0] != &raw[bytes.Index(raw, []byte(params))] {
		t.Error("params is a copy, want a span of the message")
	}
}

// TestEnvelopeBounds: an id has at most 1024 bytes as spelled, and what is no document has no members.
func TestEnvelopeBounds(t *testing.T) {
	for quoted, good := range map[int]bool{1022: true, 1023: false} {
		raw := `{"jsonrpc":"2.0","id":"` + strings.Repeat("a", quoted) + `","method":"m"}`
		e, fault := ReadEnvelope([]byte(raw), jsontext.Limits{})
		if fault != nil || (e.Problems == nil) != good {
			t.Errorf("an id of %d bytes: fault %v problems %v", quoted+2, fault, e.Problems)
		}
	}
	e, fault := ReadEnvelope([]byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":{}} x`), jsontext.Limits{})
	if fault == nil || e.ID != nil || e.Params != nil {
		t.Errorf("with more behind it: fault %v id %s params %s", fault, e.ID, e.Params)
	}
}

// TestValidID: an id is a string or a whole number, and a minus alone is no number.
func TestValidID(t *testing.T) {
	for raw, good := range map[string]bool{`"a"`: true, `""`: true, `0`: true, `-7`: true, `-`: false, `1.0`: false,
		`1e0`: false, `--7`: false, `null`: false, `[1]`: false, ``: false} {
		if ValidID([]byte(raw)) != good {
			t.Errorf("%q is an id: %v, want %v", raw, !good, good)
		}
	}
}

// TestText: a text is read with the white space of a document around it, and nothing else is a text.
func TestText(t *testing.T) {
	for raw, want := range map[string]string{` "a b"` + "\r\n": "a b", "\t\"\\u0061\" ": "a", `" "`: " ", `"`: "none",
		` 7`: "none", ``: "none"} {
		got, ok := Text([]byte(raw))
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("the text of %q is %q, want %q", raw, got, want)
		}
	}
}

func TestIDKey(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"escapes", `"a\u00e9"`, `"aé"`, true},
		{"number and string", `1`, `"1"`, false},
		{"minus zero", `-0`, `0`, true},
		{"big integers", `9007199254740993`, `9007199254740992`, false},
		{"prefix letter in a string", `"i1"`, `1`, false},
	}
	for _, tt := range tests {
		if got := IDKey([]byte(tt.a)) == IDKey([]byte(tt.b)); got != tt.same {
			t.Errorf("%s: IDKey(%s) == IDKey(%s) is %v, want %v", tt.name, tt.a, tt.b, got, tt.same)
		}
	}
}

func TestWriters(t *testing.T) {
	problems := []elicit.Problem{{Code: "missing", Pointer: "/message"}, {Code: "empty_value", Pointer: "/url"}}
	tests := []struct{ name, got, want string }{
		{"request", string(AppendRequest(nil, []byte(`"a"`), "x/y", []byte(`{}`))),
			`{"jsonrpc":"2.0","id":"a","method":"x/y","params":{}}`},
		{"request without params", string(AppendRequest(nil, []byte(`7`), "ping", nil)),
			`{"jsonrpc":"2.0","id":7,"method":"ping"}`},
		{"notification", string(AppendNotification(nil, "n", []byte(`{"a":1}`))),
			`{"jsonrpc":"2.0","method":"n","params":{"a":1}}`},
		{"result", string(AppendResult([]byte("x"), []byte(`7`), []byte(`{}`))), `x{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"error to nobody", string(AppendError(nil, nil, ParseError, "say \"what\"", nil)),
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"say \"what\""}}`},
		{"problems", string(AppendProblems(nil, []byte(`7`), InvalidParams, problems)),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"this is required (at /message), and 1 more",` +
				`"data":{"problems":[{"code":"missing","pointer":"/message"},{"code":"empty_value","pointer":"/url"}]}}}`},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, tt.got, tt.want)
		}
		if e, f := ReadEnvelope(bytes.TrimPrefix([]byte(tt.want), []byte("x")), jsontext.Limits{}); f != nil ||
			e.Problems != nil {
			t.Errorf("%s: reading it back: fault %v problems %v", tt.name, f, e.Problems)
		}
	}
}

func TestKindsHaveNames(t *testing.T) {
	var got []string
	for k := range Error + 2 {
		got = append(got, k.String())
	}
	const want = "invalid batch request notification result error invalid"
	if s := strings.Join(got, " "); s != want || Kind(255).String() != "invalid" {
		t.Errorf("got %s, want %s", s, want)
	}
}

func TestProblemsReplyIsBounded(t *testing.T) {
	many := make([]elicit.Problem, 10_000)
	for i := range many {
		many[i].Code = "missing"
	}
	if n := len(AppendProblems(nil, nil, InvalidParams, many)); n > 4096 {
		t.Errorf("reply has %d bytes, want at most 4096", n)
	}
}

func FuzzEnvelope(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"a","params":{}}`, `[{}]`,
		`{"id":null,"error":{},"jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","result":1,"id":1.0}`, `{"jsonrpc":2,"method":""}`, "{\"a\":\"\xff\"}", `nul`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, fault := ReadEnvelope(raw, jsontext.Limits{})
		if fault != nil {
			return
		}
		if ok := e.Kind > Batch; ok != (e.Problems == nil) {
			t.Fatalf("%s: kind %v with problems %v", raw, e.Kind, e.Problems)
		}
		if e.ID != nil && !ValidID(e.ID) {
			t.Fatalf("%s: id %s", raw, e.ID)
		}
		if e.Kind != Request {
			return
		}
		again, fault := ReadEnvelope(AppendRequest(nil, e.ID, e.Method, e.Params), jsontext.Limits{Bytes: len(raw) + 64})
		if fault != nil || again.Method != e.Method || !bytes.Equal(again.ID, e.ID) || !bytes.Equal(again.Params, e.Params) {
			t.Fatalf("%s: written and read again it is %+v (%v)", raw, again, fault)
		}
	})
}
