package abi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// FuzzLine checks that a table answers any line with one valid line.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"op":"open","input":{}}`, `{"id":[1,"a"],"op":"describe"}`, `{"op":"form","input":` + deploySchema + `}`,
		`{"op":"check","handle":"0000000100000001","input":{"region":"eu"}}`,
		`{"op":"step","handle":"0000000100000001","input":{"save":"s"}}`,
		`{"op":"parse","input":{"document_text":"{"}}`, `{"op":"close","handle":"0000000100000001"}`,
		"{\"id\":{\n},\"op\":\"x\"}", `{"id":1,"id":2}`, ``,
		`{"op":"open","input":{"relay":{"server":"s"}}}`, `{"op":"client","handle":"0000000100000002","message":"{}"}`,
		`{"op":"server","handle":"0000000100000002","message_base64":"eyL/In0="}`, `{"op":"client","message":7}`,
		`{"op":"step","handle":"0000000100000002","input":{"event":{"event":"ended","end":"host"}}}`,
		`{"op":"next","handle":"0000000100000003","input":{"at":1000,"elapsed":50}}`,
		`{"op":"next","handle":"0000000100000003","input":{"failed":true}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var table Table
		table.Line([]byte(`{"op":"form","input":`+deploySchema+`}`), nil)
		table.Line([]byte(`{"op":"open","input":`+relayed+`}`), nil)
		table.Line([]byte(`{"op":"open","input":`+strings.TrimSuffix(relayed, "}")+`,"pull":true}}`), nil)
		got := table.Line(line, nil)
		var answer struct {
			ID     json.RawMessage
			Status string
			Handle string
			Output map[string]json.RawMessage
			Text   *string
		}
		dec := json.NewDecoder(bytes.NewReader(got))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&answer); err != nil || answer.Status == "" || answer.Output == nil || answer.ID == nil {
			t.Fatalf("%s is answered with %s (%v)", line, got, err)
		}
		if bytes.ContainsAny(got, "\r\n") {
			t.Fatalf("%s is answered with more than a line: %q", line, got)
		}
		if _, wrong := answer.Output["problems"]; answer.Status != "ok" && !wrong {
			t.Fatalf("%s fails without a problem: %s", line, got)
		}
	})
}

const relayed = `{"relay":{"server":"build","role":"client","modes":["form"],"session":{"version":"2025-11-25",` +
	`"declared":["form"]}}}`

// TestLinesOfAConnection gives a connection messages of both ends as lines, in both spellings, and tries every wrong
// form of such a line.
func TestLinesOfAConnection(t *testing.T) {
	var table Table
	line := func(text string) string { return string(table.Line([]byte(text), nil)) }
	if got := line(`{"op":"open","input":` + relayed + `}`); !strings.Contains(got, `"handle":"0000000100000001"`) {
		t.Fatalf("open: %s", got)
	}
	const at = `"handle":"0000000100000001",`
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	quoted, _ := json.Marshal(ping)
	coded := base64.StdEncoding.EncodeToString([]byte(ping))
	for _, c := range []struct{ name, line, want string }{
		{"text", `{"id":1,"op":"client",` + at + `"message":` + string(quoted) + `}`,
			`{"id":1,"status":"ok","output":{"effects":[{"effect":"forward","to":"server"}]}}`},
		{"base64", `{"op":"server",` + at + `"message_base64":"` + coded + `"}`,
			`{"id":null,"status":"ok","output":{"effects":[{"effect":"forward","to":"client"},{"effect":"wake","at":600000}]}}`},
		{"blank", `{"op":"client",` + at + `"message":""}`, `{"id":null,"status":"ok","output":{"effects":[]}}`},
		{"no bytes", `{"op":"client",` + at + `"message_base64":""}`, `{"id":null,"status":"ok","output":{"effects":[]}}`},
		{"not UTF-8", `{"op":"client",` + at + `"message_base64":"eyL/In0="}`, `"effect":"note"`},
		{"no message", `{"op":"client",` + at + `"id":1}`, `{"code":"bad_input","pointer":"/message"}`},
		{"both", `{"op":"client",` + at + `"message":"{}","message_base64":"e30="}`,
			`{"code":"bad_input","pointer":"/message"}`},
		{"a document", `{"op":"client",` + at + `"message":{}}`, `{"code":"bad_input","pointer":"/message"}`},
		{"no base64", `{"op":"client",` + at + `"message_base64":"e30"}`, `{"code":"bad_input","pointer":"/message"}`},
		{"an input", `{"op":"client",` + at + `"message":"{}","input":{}}`, `{"code":"unknown_member","pointer":"/input"}`},
		{"no handle", `{"op":"client","message":"{}"}`, `"status":"unknown_handle"`},
		{"a message to a step", `{"op":"step",` + at + `"message":"{}","input":{"event":{"event":"ticked"}}}`,
			`{"code":"unknown_member","pointer":"/message"}`},
		{"bytes to a step", `{"op":"step",` + at + `"message_base64":"e30=","input":{"event":{"event":"ticked"}}}`,
			`{"code":"unknown_member","pointer":"/message_base64"}`},
		{"the end", `{"op":"step",` + at + `"input":{"event":{"event":"ended","end":"host"}}}`,
			`{"effect":"close","end":"server"}`},
		{"close", `{"op":"close","handle":"0000000100000001"}`, `{"id":null,"status":"ok","output":{}}`},
		{"closed", `{"op":"client",` + at + `"message":"{}"}`, `"status":"unknown_handle"`},
	} {
		if got := line(c.line); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestLongestMessageFitsALine gives a connection the longest message in base64, and one that is a byte longer.
func TestLongestMessageFitsALine(t *testing.T) {
	var table Table
	table.Line([]byte(`{"op":"open","input":`+relayed+`}`), nil)
	head, tail := `{"jsonrpc":"2.0","method":"x","params":{"data":"`, `"}}`
	for more, want := range []string{`{"effect":"forward","to":"server"}`, `"code":"message_too_long"`} {
		message := head + strings.Repeat("a", relay.DefaultMaxMessage-len(head)-len(tail)+more) + tail
		line := []byte(`{"op":"client","handle":"0000000100000001","message_base64":"` +
			base64.StdEncoding.EncodeToString([]byte(message)) + `"}`)
		if got := table.Line(line, nil); !bytes.Contains(got, []byte(want)) || len(got) > 1000 {
			t.Errorf("%d bytes: %.300s", len(message), got)
		}
	}
}

// TestLinesOfTheLoop takes the effects of a connection by lines. Records and messages come as text, with their bytes.
func TestLinesOfTheLoop(t *testing.T) {
	var table Table
	line := func(text string) string { return string(table.Line([]byte(text), nil)) }
	const next = `{"op":"next","handle":"0000000100000001","input":{"at":1000,"elapsed":50}}`
	const ok = `{"id":null,"status":"ok","output":`
	line(`{"op":"open","input":` + strings.TrimSuffix(relayed, "}") + `,"pull":true}}`)
	for range 2 {
		got := line(next)
		text, is := strings.CutPrefix(got, ok+`{"effect":"append"},"text":"{\"v\":2,`)
		if !is || !strings.HasSuffix(text, `\"}"}`) {
			t.Errorf("record: %s", got)
		}
	}
	if got, want := line(next), ok+`{"wait":-1}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	quoted, _ := json.Marshal(`{"jsonrpc":"2.0", "id":1,"method":"ping","params":{"a\u0041":1.50}}`)
	line(`{"op":"client","handle":"0000000100000001","message":` + string(quoted) + `}`)
	if got, want := line(next), ok+`{"effect":"forward","to":"server"},"text":`+string(quoted)+`}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := line(`{"op":"next","handle":"0000000100000009"}`); !strings.Contains(got, `"unknown_handle"`) {
		t.Errorf("unknown handle: %s", got)
	}
	line(`{"op":"open","input":` + relayed + `}`)
	if got := line(`{"op":"next","handle":"0000000200000001"}`); !strings.Contains(got, `"status":"unknown_handle"`) {
		t.Errorf("no loop: %s", got)
	}
}

// broken are guests whose manifest has line breaks, as its author wrote it.
type broken struct{ scripted }

func (b *broken) Load(module []byte) ([]byte, []elicit.Problem) {
	out, problems := b.scripted.Load(module)
	return bytes.ReplaceAll(out, []byte(`{`), []byte("{\r\n \r \n")), problems
}

// TestEveryOperationAnswersOneLine gives every operation an input in which each line break of its vectors is a carriage
// return, which a line may hold, and a guest whose description has line breaks.
func TestEveryOperationAnswersOneLine(t *testing.T) {
	table := Table{Guests: &broken{scripted{scripts: map[string]string{}}}}
	answered := map[string]bool{}
	line := func(op, more string) {
		answered[op] = true
		got := table.Line([]byte("{\r\"op\":\r\""+op+`"`+more+"\r}"), nil)
		if bytes.ContainsAny(got, "\r\n") || !json.Valid(got) || !bytes.Contains(got, []byte(`"status":"ok"`)) {
			t.Errorf("%s%.300s is answered with %.300q", op, more, got)
		}
	}
	for _, v := range vectors.Read(t) {
		line(v.Op, `,"input":`+string(bytes.ReplaceAll(v.In, []byte("\n"), []byte("\r"))))
	}
	const at = `,"handle":"0000000100000001"`
	line("describe", "")
	line("guest", `,"input":{"module":"`+base64.StdEncoding.EncodeToString([]byte(passes))+`"}`)
	line("data", `,"input":{"document":"Cg0K"}`)
	line("open", `,"input":`+strings.ReplaceAll(relayed, ",", ",\r"))
	line("client", at+`,"message":"{\r\n}"`)
	line("server", at+`,"message_base64":"ew0KfQ=="`)
	line("step", at+`,"input":{"event":{"event":`+"\r"+`"ticked"}}`)
	line("close", at)
	pulls := strings.TrimSuffix(relayed, "}") + `,"pull":true}`
	line("open", `,"input":`+pulls)
	line("next", `,"handle":"0000000200000001"`)
	line("form", `,"input":`+strings.ReplaceAll(deploySchema, ",", ",\r"))
	line("check", `,"handle":"0000000100000002","input":`+"{\r}")
	for op := range lineOps {
		if !answered[op] {
			t.Errorf("no line of the operation %s", op)
		}
	}
	for _, op := range Ops() {
		if !answered[op] {
			t.Errorf("no line of the operation %s", op)
		}
	}
}
