package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

// hostile is text with a C1 control, a direction override, and invisible characters.
const hostile = "a\u009b31m\u202eb\u2066\u200b\u3164\u115f\u034f\ufe0f\u2028\u2800\u00ad\ufeff" +
	"\U000e0041\U000e0100\U0001d173z"

func TestEscapedKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just(hostile),
			rapid.StringOfN(rapid.RuneFrom([]rune(hostile+`"\é😀`)), 0, 20, -1)).Draw(t, "text")
		given, err := json.Marshal(map[string]any{text: []any{text, 1}})
		must.OK(t, err)
		var raw bytes.Buffer // as the engine spells it, without the escapes of encoding/json
		enc := json.NewEncoder(&raw)
		enc.SetEscapeHTML(false)
		must.OK(t, enc.Encode(map[string]any{text: []any{text, 1}}))
		var want, got any
		must.Unmarshal(t, given, &want)
		out := cli.EscapeInvisible(raw.Bytes())
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s is no JSON: %v", out, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q", want, got)
		}
		if bad := unseen(string(out)); bad != "" {
			t.Fatalf("%s is still in %q", bad, out)
		}
	})
	for _, plain := range []string{`{"a":"é ß 日本 😀 Ωмир שלום"}`, "[\n\t1]\n"} {
		if got := string(cli.EscapeInvisible([]byte(plain))); got != plain {
			t.Errorf("%s became %s", plain, got)
		}
	}
	if got := string(cli.EscapeInvisible([]byte("\"\U000e0041\x9b\u009b\""))); got != `"\udb40\udc41\ufffd\u009b"` {
		t.Errorf("got %s", got)
	}
}

// unseen returns a character of the text that a terminal obeys or that nobody sees. It uses its own list and not the
// one under test.
func unseen(text string) string {
	for _, r := range text {
		if r >= 0x7f && r <= 0x9f || strings.ContainsRune("\u061c\u200e\u200f\u202a\u202b\u202c"+
			"\u202d\u202e\u2066\u2067\u2068\u2069", r) ||
			r > 0x9f && r != 'é' && strings.ContainsRune(hostile, r) {
			return fmt.Sprintf("U+%04X", r)
		}
	}
	return ""
}

// TestNoCommandPrintsWhatATerminalObeys runs every command that prints JSON without a guest on hostile input.
func TestNoCommandPrintsWhatATerminalObeys(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		return must.Write(t, text, dir, name)
	}
	schema := file("schema.json", `{"type":"object","title":"`+hostile+
		`","properties":{"`+hostile+`":{"type":"string","enum":["`+hostile+`","`+hostile+`"]}}}`)
	text := file("text.json", `{"type":"object","properties":{"t":{"type":"string"}}}`)
	user := file("user.json", `{"version":1,"rules":[{"name":"`+hostile+`","when":{"kind":"confirm"},"then":"accept"}]}`)
	file("user.cases.json", `[{"name":"`+hostile+`","server":"files",`+
		`"request":{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}},`+
		`"want":{"outcome":"decline"}}]`)
	journal := file("run.jsonl", hostileJournal(t))
	tests := []struct {
		args  []string
		shows bool // the hostile text is part of what is printed
	}{
		{[]string{"check", "--json", schema}, true},
		{[]string{"check", "--json", text, `{"t":"` + hostile + `"}`}, true},
		{[]string{"check", text, `{"t":"` + hostile + `"}`}, true},
		{[]string{"check", "--json", text, `{"` + hostile + `":1}`}, false},
		{[]string{"lint", "--json", schema}, true},
		{[]string{"lint", "--sarif", schema}, true},
		{[]string{"decide", "--json", "--why", "--policy", user, `{"kind":"confirm","mode":"form"}`}, true},
		{[]string{"policy", "test", "--json", user}, true},
		{[]string{"policy", "import", "--json", "--config",
			file("config.toml", "approval_policy = \"never\"\n\"key"+strings.ReplaceAll(hostile, "\u009b", "")+
				"\" = 1\n")}, false},
		{[]string{"grants", "list", "--json", "--grants", file("grants.json", hostileGrant())}, true},
		{[]string{"log", "--json", journal}, true},
		{[]string{"replay", "--json", journal}, false},
		{[]string{"replay", "--json", "--policy", file("other.json",
			`{"version":1,"approval_policy":"never"}`), journal}, true},
		{[]string{"ask", "--json", "--schema", text, "--message", "Go on?", "--answers",
			file("answers.json", `[{"answer":{"action":"accept","content":{"t":"`+hostile+`"}}}]`)}, true},
		{[]string{"ask", "--schema", text, "--message", "Go on?", "--answers", filepath.Join(dir, "answers.json")}, true},
	}
	if _, err := exec.LookPath("cat"); err == nil { // a guardian's text is part of a reply
		says := file("verdict.json", `{"v":1,"decision":"pass","findings":[{"code":"c","message":"`+hostile+`"}]}`)
		permit := file("guardian.json", `{"name":"g","phases":["before_show"],"reads":[],"command":["cat","`+says+`"]}`)
		tests = append(tests, struct {
			args  []string
			shows bool
		}{[]string{"ask", "--json", "--message", "Go on?",
			"--answers", file("yes.json", `[{"answer":{"action":"accept"}}]`), "--guardian", permit}, true})
	}
	for _, tt := range tests {
		var out, notes bytes.Buffer
		run(tt.args, strings.NewReader(""), &out, &notes)
		name := strings.Join(slices.DeleteFunc(slices.Clone(tt.args), func(s string) bool { return unseen(s) != "" }), " ")
		if bad := unseen(out.String()) + unseen(notes.String()); bad != "" {
			t.Errorf("%s prints %s:\n%q\n%q", name, bad, out.String(), notes.String())
		}
		if !json.Valid(lastValue(out.Bytes())) {
			t.Errorf("%s prints no JSON: %s\n%s", name, out.String(), notes.String())
		}
		if tt.shows && !strings.Contains(out.String(), `\u009b31m\u202eb`) {
			t.Errorf("%s does not print the hostile text, so it tests nothing: %s\n%s", name, out.String(), notes.String())
		}
	}
}

// lastValue returns the last line of JSON lines, or the whole of one value over several lines.
func lastValue(out []byte) []byte {
	if json.Valid(out) {
		return out
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return lines[len(lines)-1]
}

func hostileJournal(t *testing.T) string {
	var records strings.Builder
	e := engine.New()
	for i, ev := range []event.Event{
		event.Configured{Config: []byte(`{}`)},
		event.Opened{Session: "s", Server: hostile, Side: elicit.Answering,
			Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}},
		event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form,
			Message: hostile, Schema: []byte(`{"type":"object","properties":{}}`)}},
	} {
		for _, next := range e.Step(engine.Input{At: int64(1000 * (i + 1)), Event: ev}) {
			if a, ok := next.(effect.Append); ok {
				fmt.Fprintf(&records, "%s\n", a.Record)
			}
		}
	}
	if !strings.Contains(records.String(), hostile) {
		t.Fatal("the journal does not hold the hostile text")
	}
	return records.String()
}

func hostileGrant() string {
	id := strings.Repeat("0", 32)
	return string(engine.AppendGrants(nil, []elicit.Grant{{ID: elicit.ID(id), Digest: id + id, Server: "x",
		Message: hostile, Scope: elicit.Always, Identity: hostile}}))
}
