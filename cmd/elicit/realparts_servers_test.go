package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestRealServers tests the proxy with servers of other makers: FastMCP and the official Python SDK with pydantic
// models, both TypeScript SDKs with zod schemas, and the Java SDK. The official Go client declares no elicitation, and
// calls their tools one after the other in one session. The answers come from a file. The test compares the values that
// the server's own handler got.
func TestRealServers(t *testing.T) {
	takesLong(t, "real servers take half a minute")
	p := build(t)
	t.Run("pythonsdk/sealed-state", p.sealedState)
	for name, table := range map[string]func(parts) []foreign{
		"fastmcp": parts.fastmcp, "pythonsdk": parts.pythonsdk, "zod": parts.zod, "java": parts.java,
	} {
		for _, s := range table(p) {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				s.run(t, p)
			})
		}
	}
}

// foreign is one session with one server of another maker.
type foreign struct {
	name    string
	missing error    // why its packages are missing, nil when they are installed
	command []string // of the server
	date    string
	calls   []call
}

// call is one tool call. An entry of the answers file that matches its message answers its only question once.
type call struct {
	name  string
	tool  string
	args  map[string]any
	rules []rule

	want    string   // the tool's text as JSON, with its members in any order
	says    []string // or: pieces of the text
	refused []string // or: the server's question got the error -32602 with these pieces
	failed  []string // or: the call itself failed with these pieces
	misfit  []string // pointers of the problems of the prepared answer, which cancels the question
}

// form is a call of a tool that asks one form; all those servers have such a tool.
func form(name, tool, kind string, a answer, want string) call {
	return call{name: name, tool: tool, args: map[string]any{"type": kind, "message": name},
		rules: byMessage(name, a), want: want}
}

// wrong is form with an answer that does not fit. A file cannot correct its answer, so the server gets a cancel.
func wrong(name, tool, kind string, content map[string]any, misfit ...string) call {
	c := form(name, tool, kind, accept(content), `{"action":"cancel"}`)
	c.misfit = misfit
	return c
}

// unfit is form with a schema that the engine refuses with a named problem.
func unfit(name, tool, kind string, pieces ...string) call {
	c := form(name, tool, kind, accept(map[string]any{}), "")
	c.refused = pieces
	return c
}

// unsent is form with a schema that the server's own SDK does not send.
func unsent(name, tool, kind string, pieces ...string) call {
	c := form(name, tool, kind, accept(map[string]any{}), "")
	c.says = append([]string{`"unsent":`}, pieces...)
	return c
}

func byMessage(message string, a answer) []rule {
	return []rule{{When: map[string]string{"message": message}, Answer: a}}
}

var decline, dismiss = answer{Action: "decline"}, answer{Action: "cancel"}

// stamped returns an error unless setup.sh has installed a directory of packages completely.
func (p parts) stamped(what, dir string) error {
	if _, err := os.Stat(filepath.Join(p.drivers, dir, ".installed-from")); err != nil {
		return errors.New("the " + what + " packages are not installed")
	}
	return nil
}

func (s foreign) run(t *testing.T, p parts) {
	needs(t, s.missing)
	var rules []rule
	for _, c := range s.calls {
		rules = append(rules, c.rules...)
	}
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	// On a busy machine, Python takes longer to end than the default allows.
	line := p.behind("answers="+answersFile(t, rules), s.command, "--journal", journal, "--grace", "20s")
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	var errs notetest.Notes
	cmd.Stderr = &errs
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1.0.0"},
		&mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: patience / 2},
		&mcp.ClientSessionOptions{ProtocolVersion: s.date})
	if err != nil {
		t.Fatalf("no session: %v\n%s", err, clip(errs.String()))
	}
	if got := session.InitializeResult().ProtocolVersion; got != s.date {
		t.Errorf("protocol: got %s, want %s", got, s.date)
	}
	for _, c := range s.calls {
		t.Run(c.name, func(t *testing.T) { c.run(t, ctx, session) })
	}
	if err := session.Close(); err != nil {
		t.Errorf("the server's end: %v", err)
	}
	s.misfits(t, journal)
}

// misfits checks in the journal that each answer that did not fit has problems at exactly the expected fields.
func (s foreign) misfits(t *testing.T, journal string) {
	t.Helper()
	text := must.Text(t, journal)
	var got, want []string
	for line := range strings.Lines(text) {
		var r struct {
			Event   struct{ Event string }
			Effects []struct{ Problems []struct{ Pointer string } }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("journal: %v: %s", err, clip(line))
		}
		for _, effect := range r.Effects {
			var at []string
			for _, p := range effect.Problems {
				at = append(at, p.Pointer)
			}
			if r.Event.Event == "answered" {
				got = append(got, slices.Compact(at)...) // zod adds a pattern of the same meaning to a format
			}
		}
	}
	for _, c := range s.calls {
		want = append(want, c.misfit...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("where the prepared answers did not fit: got %q, want %q", got, want)
	}
}

func (c call) run(t *testing.T, ctx context.Context, session *mcp.ClientSession) {
	v := visit{tool: c.tool, args: c.args, timeout: patience / 2}
	o := v.callGo(ctx, session)
	if c.failed != nil {
		if o.Error == nil {
			t.Fatalf("got %s, want a failed call", clip(string(o.Result)))
		}
		contains(t, "error", fmt.Sprintf("%s %s %s", o.Error.Code, o.Error.Message, o.Error.Data), c.failed...)
		return
	}
	if o.Error != nil {
		t.Fatalf("call: %s %s %s", o.Error.Code, o.Error.Message, o.Error.Data)
	}
	if c.says != nil {
		contains(t, "the tool's words", o.text(), c.says...)
		return
	}
	if c.refused != nil {
		contains(t, "what the server got", squeezed(o.text()),
			append([]string{`"error":{`, `"code":-32602`}, c.refused...)...)
		return
	}
	if got, want := parsed(t, o.text()), parsed(t, c.want); !reflect.DeepEqual(got, want) {
		t.Errorf("the handler saw\n     %s\nwant %s", clip(o.text()), c.want)
	}
}

// parsed parses a JSON text; numbers keep their spelling.
func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return text
	}
	return v
}

// squeezed removes the white space of a JSON text.
func squeezed(text string) string {
	var v json.RawMessage
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return string(b)
}

// java lists the sessions with a server on the Java SDK, whose newest date is 2025-11-25.
func (p parts) java() []foreign {
	classes := filepath.Join(p.drivers, "java/classes") + string(filepath.ListSeparator) +
		filepath.Join(p.drivers, "java/lib/*")
	command := []string{"java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classes, "FormsServer"}
	return []foreign{{name: "2025-11-25", missing: p.stamped("Java", "java/lib"), command: command, date: november,
		calls: javaForms}}
}

// own asks with the server's own form, or with a schema of the test.
func own(name, schema string, a answer) call {
	c := call{name: name, tool: "ask", args: map[string]any{"message": name}, rules: byMessage(name, a)}
	if schema != "" {
		c.args["schema"] = json.RawMessage(schema)
	}
	return c
}

var javaForms = []call{
	own("all", "", accept(map[string]any{"name": "Ada", "count": 5_000_000_000,
		"ratio": 1, "sure": true, "unit": "SECONDS", "day": "2026-01-31"})).
		wants(`{"action":"accept","content":{"name":"Ada","count":5000000000,"ratio":1,` +
			`"sure":true,"unit":"SECONDS","day":"2026-01-31"}}`),
	own("defaults", "", accept(map[string]any{"name": "Ada"})).
		wants(`{"action":"accept","content":{"name":"Ada","count":3,"ratio":0.25,"sure":false,"unit":"MINUTES"}}`),
	own("wrong", "", accept(map[string]any{"name": "", "count": 5_000_000_001,
		"ratio": 1.01, "sure": 0, "unit": "seconds", "day": "31.1.2026"})).
		wants(`{"action":"cancel"}`).misfitAt("/name", "/count", "/ratio", "/sure", "/unit", "/day"),
	own("decline", "", decline).wants(`{"action":"decline"}`),
	own("cancel", "", dismiss).wants(`{"action":"cancel"}`),
	own("confirm", `{"type":"object","properties":{}}`, accept(nil)).wants(`{"action":"accept","content":{}}`),
	own("nested", `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`, accept(nil)).
		refusal(`"nested_object"`, `/requestedSchema/properties/a"`),
	own("numbers", `{"type":"object","properties":{"a":{"type":"integer","enum":[1,2]}}}`, accept(map[string]any{"a": 2})).
		wants(`{"action":"accept","content":{"a":2}}`),
	page("visit", "visit", "Open it.", accept(nil)).wants(`{"action":"accept"}`),
	page("visit-declined", "visit", "Open this.", decline).wants(`{"action":"decline"}`),
	page("required", "required", "Allow it.", accept(nil)).wants(`{"read":"Allow it."}`),
	page("required-declined", "required", "Allow this.", decline).failure("-32603", "was not visited: decline"),
	own("alive", "", accept(map[string]any{"name": "A"})).
		wants(`{"action":"accept","content":{"name":"A","count":3,"ratio":0.25,"sure":false,"unit":"MINUTES"}}`),
}

// zod lists the sessions with zod schemas. The tool `ask` sends the JSON Schema that zod makes, `careless` sends the
// zod schema itself, and `round` sends the SDK's version in rounds, or for older clients with the SDK's own shim.
func (p parts) zod() []foreign {
	one := []string{"node", filepath.Join(p.drivers, "zod/server1.mjs")}
	two := []string{"node", filepath.Join(p.drivers, "zod/server2.mjs")}
	return []foreign{
		{name: "sdk1/2025-06-18", missing: p.node, command: one, date: june, calls: zodOld},
		{name: "sdk1/2025-11-25", missing: p.node, command: one, date: november, calls: zodPages},
		{name: "sdk2/2025-11-25", missing: p.node, command: two, date: november,
			calls: append(zodForms, zodRounds("shim")...)},
		{name: "sdk2/2026-07-28", missing: p.node, command: two, date: july, calls: zodRounds("round")},
	}
}

var zodProfile = map[string]any{"name": "Ada", "email": "ada@example.com", "age": 36,
	"langs": []string{"ts", "py"}, "nick": ""}

var zodOld = []call{
	own("profile", "", accept(zodProfile)).
		wants(`{"action":"accept","content":{"name":"Ada","email":"ada@example.com","role":"dev",` +
			`"langs":["ts","py"],"age":36,"nick":"","remote":false}}`),
	own("profile-defaults", "", accept(map[string]any{"name": "A", "email": "a@b.co", "age": 0})).
		wants(`{"action":"accept","content":{"name":"A","email":"a@b.co","role":"dev",` +
			`"langs":["go"],"age":0,"remote":false}}`),
	own("profile-wrong", "", accept(map[string]any{"name": "", "email": "ada", "age": 151,
		"role": "DEV", "langs": []string{"c"}})).
		wants(`{"action":"cancel"}`).misfitAt("/name", "/email", "/role", "/langs/0", "/age"),
	own("decline", "", decline).wants(`{"action":"decline"}`),
	own("cancel", "", dismiss).wants(`{"action":"cancel"}`),
}

var zodPages = append([]call{
	page("visit", "visit", "Sign in at the bank.", accept(nil)).wants(`{"action":"accept"}`),
	page("visit-declined", "visit", "Sign in at the bank.", decline).wants(`{"action":"decline"}`),
	page("required", "required", "Allow reading.", accept(nil)).wants(`{"read":"required"}`),
	page("required-declined", "required", "Allow reading.", decline).failure("-32603", "was not visited: decline"),
}, zodOld...)

var zodForms = []call{
	form("person", "ask", "person", accept(person),
		`{"action":"accept","content":{"name":"Ada","email":"ada@example.com",`+
			`"homepage":"https://example.com/ada","born":"1815-12-10","seen":"2026-01-31T12:30:00Z"}}`),
	form("person-least", "ask", "person", accept(map[string]any{"name": "Al", "email": "a@b.co", "born": "2024-02-29"}),
		`{"action":"accept","content":{"name":"Al","email":"a@b.co","born":"2024-02-29"}}`),
	wrong("person-wrong", "ask", "person",
		map[string]any{"name": "A", "email": "ada@localhost", "homepage": "x",
			"born": "2023-02-29", "seen": "2026-01-31T12:30:00+01:00"},
		"/name", "/email", "/homepage", "/born", "/seen"),
	form("order", "ask", "order", accept(map[string]any{"count": 1, "weight": 2.5, "code": "äöüß"}),
		`{"action":"accept","content":{"count":1,"weight":2.5,"code":"äöüß","express":false,"note":""}}`),
	wrong("order-wrong", "ask", "order",
		map[string]any{"count": 1.5, "weight": 0.4, "code": "abc", "express": "no", "note": 1},
		"/count", "/weight", "/code", "/express", "/note"),
	form("choices", "ask", "choices", accept(map[string]any{"colour": "red", "tags": []string{"c", "a"}}),
		`{"action":"accept","content":{"colour":"red","size":"l","tags":["c","a"]}}`),
	wrong("choices-too-many", "ask", "choices",
		map[string]any{"colour": "red", "tags": []string{"a", "b", "c"}},
		"/tags"),
	wrong("choices-none", "ask", "choices", map[string]any{"colour": "red", "tags": []string{}}, "/tags"),
	form("nothing", "ask", "nothing", accept(nil), `{"action":"accept","content":{}}`),
	form("nullable", "ask", "nullable", accept(map[string]any{"nick": "", "age": 0}),
		`{"action":"accept","content":{"nick":"","age":0}}`),
	form("pattern", "ask", "pattern",
		accept(map[string]any{"code": "AB-123", "id": "123e4567-e89b-12d3-a456-426614174000", "slug": "a-b"}),
		`{"action":"accept","content":{"code":"AB-123","id":"123e4567-e89b-12d3-a456-426614174000","slug":"a-b"}}`),
	// zod's own check ignores case here, but JSON Schema has no flags, so zod leaves the flag out.
	wrong("pattern-flag-lost", "ask", "pattern",
		map[string]any{"code": "ab-123", "id": "123e4567", "slug": "A"},
		"/code", "/id", "/slug"),
	form("exclusive", "ask", "exclusive", accept(map[string]any{"part": 0.5, "step": 10}),
		`{"action":"accept","content":{"part":0.5,"step":10}}`),
	wrong("exclusive-wrong", "ask", "exclusive", map[string]any{"part": 1, "step": 0}, "/part", "/step"),
	form("literal", "ask", "literal", accept(map[string]any{"only": "this", "some": "b"}),
		`{"action":"accept","content":{"only":"this","some":"b"}}`),
	wrong("literal-wrong", "ask", "literal", map[string]any{"only": "that", "some": "c"}, "/only", "/some"),
	form("strict", "ask", "strict", accept(map[string]any{"name": "x", "more": 1}),
		`{"action":"accept","content":{"name":"x"}}`),
	form("hosts", "ask", "hosts", accept(map[string]any{"address": "192.0.2.1", "host": "example.com"}),
		`{"action":"accept","content":{"address":"192.0.2.1","host":"example.com"}}`),
	wrong("hosts-wrong", "ask", "hosts", map[string]any{"address": "192.0.2.256", "host": "-x"}, "/address", "/host"),
	form("decline", "ask", "person", decline, `{"action":"decline"}`),
	form("cancel", "ask", "person", dismiss, `{"action":"cancel"}`),
	unfit("nested", "ask", "nested", `"nested_object"`, `/requestedSchema/properties/inner"`),
	unfit("union", "ask", "union", `"union_type"`, `/requestedSchema/properties/value/type"`),
	unfit("record", "ask", "record", `"nested_object"`, `/requestedSchema/properties/labels"`),
	unfit("careless", "careless", "person", `"missing_keyword"`),
}

func zodRounds(way string) []call {
	name := func(s string) string { return way + "-" + s }
	return []call{
		form(name("person"), "round", "person", accept(with(person, "seen", nil)),
			`{"action":"accept","content":{"name":"Ada","email":"ada@example.com",`+
				`"homepage":"https://example.com/ada","born":"1815-12-10"}}`),
		form(name("order"), "round", "order",
			accept(map[string]any{"count": 10, "weight": 0.5, "code": "abcd", "express": true}),
			`{"action":"accept","content":{"count":10,"weight":0.5,"code":"abcd","express":true,"note":""}}`),
		wrong(name("order-wrong"), "round", "order", map[string]any{"count": 11}, "/count", "/weight", "/code"),
		form(name("nothing"), "round", "nothing", accept(nil), `{"action":"accept","content":{}}`),
		form(name("decline"), "round", "person", decline, `{"action":"decline"}`),
		unsent(name("nested"), "round", "nested", "properties.inner"),
		unsent(name("pattern"), "round", "pattern", "properties.code.pattern"),
		unsent(name("nullable"), "round", "nullable", "properties.nick"),
		page(name("visit"), "visit", "Sign in at the bank.", accept(nil)).wants(`{"action":"accept"}`),
		page(name("visit-declined"), "visit", "Sign in at the bank.", decline).wants(`{"action":"decline"}`),
		book("Ada", city("Oslo"), nights(3)).wants(`{"guest":"Ada","city":"Oslo","stay":"accept","nights":3}`),
		book("Bea", city("Rome"), accept(nil)).wants(`{"guest":"Bea","city":"Rome","stay":"accept","nights":1}`),
		book("Bob", city("Rome"), decline).wants(`{"guest":"Bob","city":"Rome","stay":"decline"}`),
		book("Eve", decline).wants(`{"guest":"Eve","where":"decline"}`),
	}
}

// fastmcp lists the sessions with FastMCP. The tool `ask` lets FastMCP write the schema, and `plain` sends pydantic's
// schema of the same type.
func (p parts) fastmcp() []foreign {
	command := []string{filepath.Join(p.drivers, "venv/bin/python"), filepath.Join(p.drivers, "fastmcp/server.py")}
	missing := p.stamped("Python", "venv")
	return []foreign{
		{name: "forms", missing: missing, command: command, date: november, calls: fastmcpForms},
		{name: "rounds", missing: missing, command: command, date: july, calls: fastmcpRounds},
	}
}

func value(v any) map[string]any { return map[string]any{"value": v} }

var (
	person = map[string]any{"name": "Ada", "email": "ada@example.com", "homepage": "https://example.com/ada",
		"born": "1815-12-10", "seen": "2026-01-31T12:30:00Z"}
	order = map[string]any{"count": 10, "packs": 12, "weight": 0.5, "price": 0.15, "code": "AB-123"}
)

// with returns a copy of a map with one changed member; nil removes it.
func with(m map[string]any, name string, v any) map[string]any {
	out := make(map[string]any, len(m))
	maps.Copy(out, m)
	if out[name] = v; v == nil {
		delete(out, name)
	}
	return out
}

var fastmcpForms = []call{
	form("str", "ask", "str", accept(value("Zoë \"✓\"")), `{"action":"accept","data":"Zoë \"✓\"","type":"str"}`),
	form("str-empty", "ask", "str", accept(value("")), `{"action":"accept","data":"","type":"str"}`),
	form("int", "ask", "int", accept(value(-7)), `{"action":"accept","data":-7,"type":"int"}`),
	form("int-zero", "ask", "int", accept(value(0)), `{"action":"accept","data":0,"type":"int"}`),
	form("int-huge", "ask", "int", accept(value(int64(9007199254740993))),
		`{"action":"accept","data":9007199254740993,"type":"int"}`),
	wrong("int-fraction", "ask", "int", value(1.5), "/value"),
	wrong("int-text", "ask", "int", value("1"), "/value"),
	form("float", "ask", "float", accept(value(0.1)), `{"action":"accept","data":0.1,"type":"float"}`),
	form("bool-false", "ask", "bool", accept(value(false)), `{"action":"accept","data":false,"type":"bool"}`),
	wrong("bool-missing", "ask", "bool", map[string]any{}, "/value"),
	form("literal", "ask", "literal", accept(value("green")), `{"action":"accept","data":"green","type":"str"}`),
	wrong("literal-outside", "ask", "literal", value("blue"), "/value"),
	form("enum", "ask", "enum", accept(value("l")), `{"action":"accept","data":"l","type":"Size"}`),
	wrong("enum-by-its-name", "ask", "enum", value("LARGE"), "/value"),
	form("options", "ask", "options", accept(value("red")), `{"action":"accept","data":"red","type":"str"}`),
	form("titled", "ask", "titled", accept(value("g")), `{"action":"accept","data":"g","type":"str"}`),
	wrong("titled-by-its-title", "ask", "titled", value("Green"), "/value"),
	form("several", "ask", "several", accept(value([]string{"blue", "red"})),
		`{"action":"accept","data":["blue","red"],"type":"list"}`),
	form("several-none", "ask", "several", accept(value([]string{})), `{"action":"accept","data":[],"type":"list"}`),
	form("several-titled", "ask", "several-titled", accept(value([]string{"g"})),
		`{"action":"accept","data":["g"],"type":"list"}`),
	wrong("several-titled-outside", "ask", "several-titled", value([]string{"g", "Red"}), "/value/1"),
	form("list", "ask", "list", accept(value([]string{"red"})), `{"action":"accept","data":["red"],"type":"list"}`),
	form("decline", "ask", "str", decline, `{"action":"decline"}`),
	form("cancel", "ask", "person", dismiss, `{"action":"cancel"}`),
	{name: "nobody", tool: "ask", args: map[string]any{"type": "bool", "message": "nobody answers"},
		want: `{"action":"cancel"}`},

	form("person", "ask", "person", accept(person),
		`{"action":"accept","type":"Person","data":{"name":"Ada","email":"ada@example.com",
		"homepage":"https://example.com/ada","born":"1815-12-10","seen":"2026-01-31T12:30:00Z"}}`),
	wrong("person-all-wrong", "ask", "person",
		map[string]any{"name": "A", "email": "ada",
			"homepage": "example", "born": "1815-13-10", "seen": "yesterday"},
		"/name", "/email", "/homepage", "/born", "/seen"),
	wrong("person-empty", "ask", "person", map[string]any{}, "/name", "/email", "/homepage", "/born", "/seen"),
	form("order", "ask", "order", accept(order),
		`{"action":"accept","type":"Order","data":{"count":10,"packs":12,"weight":0.5,"price":0.15,"code":"AB-123"}}`),
	wrong("order-all-wrong", "ask", "order",
		map[string]any{"count": 11, "packs": 13, "weight": 2.5, "price": 0.12,
			"code": "AB-1234"},
		"/count", "/packs", "/weight", "/price", "/code"),
	wrong("order-exclusive", "ask", "order", with(order, "packs", 0), "/packs"),
	form("choices", "ask", "choices",
		accept(map[string]any{"colour": "red", "tags": []string{"c", "a"}, "sizes": []string{"s"}}),
		`{"action":"accept","type":"Choices","data":{"colour":"red","only":"this",`+
			`"size":"l","tags":["c","a"],"sizes":["s"]}}`),
	form("choices-defaults", "ask", "choices", accept(map[string]any{"colour": "green"}),
		`{"action":"accept","type":"Choices","data":{"colour":"green","only":"this","size":"l","tags":["b"],"sizes":[]}}`),
	wrong("choices-all-wrong", "ask", "choices",
		map[string]any{"colour": "RED", "only": "that", "size": "LARGE",
			"tags": "b", "sizes": []string{"xl"}},
		"/colour", "/only", "/size", "/tags", "/sizes/0"),
	// FastMCP's own schema generator drops minItems and maxItems, so only pydantic can check them.
	form("choices-too-many", "ask", "choices", accept(map[string]any{"colour": "red", "tags": []string{"a", "b", "c"}}),
		`{"unread":["tags"]}`),
	form("defaults", "ask", "defaults", accept(nil),
		`{"action":"accept","type":"Defaults","data":{"flag":false,"count":0,"ratio":0.0,`+
			`"text":"","on":true,"day":"2026-01-31"}}`),
	form("defaults-against", "ask", "defaults",
		accept(map[string]any{"flag": true, "count": -1, "ratio": 1.5, "text": "x", "on": false, "day": "2024-02-29"}),
		`{"action":"accept","type":"Defaults","data":{"flag":true,"count":-1,"ratio":1.5,`+
			`"text":"x","on":false,"day":"2024-02-29"}}`),
	form("nothing", "ask", "nothing", accept(nil), `{"action":"accept","type":"Nothing","data":{}}`),
	form("nothing-with-extra", "ask", "nothing", accept(map[string]any{"x": 1}),
		`{"action":"accept","type":"Nothing","data":{}}`),
	form("closed-with-extra", "ask", "closed", accept(map[string]any{"name": "Ada", "x": 1}),
		`{"action":"accept","type":"Closed","data":{"name":"Ada"}}`),

	// FastMCP itself refuses these; `plain` below sends them anyway.
	unsent("nested", "ask", "nested", "'address'"),
	unsent("free", "ask", "free", "'words'"),
	unsent("optional", "ask", "maybe", "'nick' has union type 'null'"),
	unsent("none", "ask", "none", "requires a response_type"),
	unfit("ambiguous", "ask", "ambiguous", `"union_type"`, `/properties/value/anyOf"`),
	form("numbers", "ask", "numbers", accept(map[string]any{"level": 2}),
		`{"action":"accept","type":"Numbers","data":{"level":2}}`),
	wrong("numbers-wrong", "ask", "numbers", map[string]any{"level": 3}, "/level"),
	wrong("numbers-as-text", "ask", "numbers", map[string]any{"level": "1"}, "/level"),
	unfit("look-behind", "ask", "look-behind", `"pattern_unsupported"`, `/properties/code/pattern"`, `look_behind`),
	unfit("plain-nested", "plain", "nested", `"nested_object"`, `/properties/address"`),
	form("plain-numbers", "plain", "numbers", accept(map[string]any{"level": 1.0}),
		`{"action":"accept","type":"Numbers","data":{"level":1}}`),
	unfit("plain-free", "plain", "free", `"free_array"`, `/properties/words/items"`),
	unfit("plain-root", "plain", "enum", `"root_not_object"`, `/requestedSchema/type"`),
	form("plain-person", "plain", "person", accept(person),
		`{"action":"accept","type":"Person","data":{"name":"Ada","email":"ada@example.com",
		"homepage":"https://example.com/ada","born":"1815-12-10","seen":"2026-01-31T12:30:00Z"}}`),
	form("plain-choices", "plain", "choices", accept(map[string]any{"colour": "red", "sizes": []string{"s", "l"}}),
		`{"action":"accept","type":"Choices","data":{"colour":"red","only":"this",`+
			`"size":"l","tags":["b"],"sizes":["s","l"]}}`),
	wrong("plain-choices-too-many", "plain", "choices",
		map[string]any{"colour": "red", "tags": []string{"a", "b", "c"}},
		"/tags"),
	form("maybe", "plain", "maybe",
		accept(map[string]any{"nick": "", "ratio": 0.5, "size": "s", "tags": []string{"a"}, "known": "yes"}),
		`{"action":"accept","type":"Maybe","data":{"nick":"","ratio":0.5,"homepage":null,`+
			`"size":"s","tags":["a"],"flag":false,"known":"yes"}}`),
	form("maybe-left-out", "plain", "maybe", accept(map[string]any{"known": "x"}),
		`{"action":"accept","type":"Maybe","data":{"nick":null,"ratio":null,"homepage":null,`+
			`"size":null,"tags":null,"flag":false,"known":"x"}}`),
	wrong("maybe-wrong", "plain", "maybe", map[string]any{"ratio": 0, "homepage": "x", "size": "xl", "known": "x"},
		"/ratio", "/homepage", "/size"),
	form("alive", "ask", "bool", accept(value(true)), `{"action":"accept","data":true,"type":"bool"}`),
}

var fastmcpRounds = []call{
	{name: "book", tool: "book", args: map[string]any{"guest": "Ada"},
		rules: append(byMessage("Where to?", accept(map[string]any{"city": "Oslo"})),
			byMessage("When to Oslo?", accept(map[string]any{"day": "2026-02-28"}))...),
		want: "Booked Oslo for Ada: 2026-02-28, 1 nights."},
	{name: "book-declined", tool: "book", args: map[string]any{"guest": "Eve"},
		rules: []rule{{When: map[string]string{"message": "Where to?"}, Answer: decline}}, want: "decline at where"},
	{name: "book-wrong", tool: "book", args: map[string]any{"guest": "Eve"},
		rules: append(byMessage("Where to?", accept(map[string]any{"city": "Rome"})),
			byMessage("When to Rome?", accept(map[string]any{"day": "soon", "nights": 15}))...),
		misfit: []string{"/day", "/nights"}, want: "cancel at when"},
	{name: "direct", tool: "ask", args: map[string]any{"type": "bool", "message": "direct"},
		want: "elicitation via server-initiated requests is unavailable on 2026-07-28 connections."},
}
