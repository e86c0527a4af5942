package main_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// pythonsdk lists the sessions with the Python SDK. The tool `ask` lets the SDK write the schema, and `raw` sends any
// schema. `book` asks in two rounds, or directly in older sessions.
func (p parts) pythonsdk() []foreign {
	missing := p.stamped("Python", "venv")
	command := p.pythonServer()
	return []foreign{
		{name: "2025-06-18", missing: missing, command: command, date: june, calls: pythonOld},
		{name: "2025-11-25", missing: missing, command: command, date: november, calls: pythonForms},
		{name: "2026-07-28", missing: missing, command: command, date: july, calls: pythonRounds},
	}
}

func (p parts) pythonServer() []string {
	return []string{filepath.Join(p.drivers, "venv/bin/python"), filepath.Join(p.drivers, "pythonsdk/server.py")}
}

// raw asks with a schema of the test.
func raw(name string, schema string, a answer) call {
	args := map[string]any{"message": name, "schema": json.RawMessage(schema)}
	return call{name: name, tool: "raw", args: args, rules: byMessage(name, a)}
}

func (c call) wants(text string) call           { c.want = text; return c }
func (c call) refusal(pieces ...string) call    { c.refused = pieces; return c }
func (c call) failure(pieces ...string) call    { c.failed = pieces; return c }
func (c call) words(pieces ...string) call      { c.says = pieces; return c }
func (c call) misfitAt(pointers ...string) call { c.misfit = pointers; return c }

// page is a call that asks to open one page; the result is the same for all these servers.
func page(name, tool, message string, a answer) call {
	return call{name: name, tool: tool, args: map[string]any{"id": name, "message": message}, rules: byMessage(message, a)}
}

// book is a call with two questions, of which the second depends on the first answer, or with only the first.
func book(name string, first answer, second ...answer) call {
	rules := byMessage("Where shall "+name+" stay?", first)
	for _, a := range second {
		rules = append(rules, byMessage("How long in *", a)...)
	}
	return call{name: name, tool: "book", args: map[string]any{"guest": name}, rules: rules}
}

func city(name string) answer { return accept(map[string]any{"city": name}) }
func nights(n any) answer     { return accept(map[string]any{"nights": n}) }

var table = map[string]any{"name": "Ada", "day": "2026-02-28", "guests": 8, "tip": 2.5, "window": true,
	"email": "ada@example.com", "note": "", "course": "meat"}

var pythonForms = []call{
	form("table", "ask", "table", accept(table),
		`{"action":"accept","data":{"name":"Ada","guests":8,"tip":2.5,"window":true,
		"day":"2026-02-28","email":"ada@example.com","note":"","course":"meat"}}`),
	form("table-defaults", "ask", "table", accept(map[string]any{"name": "A", "day": "2024-02-29"}),
		`{"action":"accept","data":{"name":"A","guests":2,"tip":0.0,"window":false,`+
			`"day":"2024-02-29","email":null,"note":null,"course":"fish"}}`),
	wrong("table-wrong", "ask", "table",
		map[string]any{"name": "", "guests": 0, "tip": "1", "window": "yes",
			"day": "2026-02-29", "email": "@", "course": "Fish"},
		"/name", "/guests", "/tip", "/window", "/day", "/email", "/course"),
	form("decline", "ask", "table", decline, `{"action":"decline"}`),
	form("cancel", "ask", "table", dismiss, `{"action":"cancel"}`),
	form("pattern", "ask", "pattern", accept(map[string]any{"code": "a_1"}),
		`{"action":"accept","data":{"code":"a_1","step":null}}`),
	wrong("pattern-wrong", "ask", "pattern", map[string]any{"code": "a-1", "step": 7}, "/code", "/step"),
	// In Python \w matches letters of every alphabet, and in JSON Schema only ASCII letters.
	wrong("pattern-letters", "ask", "pattern", map[string]any{"code": "äöü"}, "/code"),
	form("several", "ask", "several", accept(nil), `{"action":"accept","data":{"tags":["a"]}}`),
	form("several-none", "ask", "several", accept(map[string]any{"tags": []string{}}),
		`{"action":"accept","data":{"tags":[]}}`),
	form("nothing", "ask", "nothing", accept(nil), `{"action":"accept","data":{}}`),
	unsent("enum", "ask", "sizes", "'size'", "$ref"),
	form("numbers", "ask", "numbers", accept(map[string]any{"stars": 3}), `{"action":"accept","data":{"stars":3}}`),
	wrong("numbers-wrong", "ask", "numbers", map[string]any{"stars": 4}, "/stars"),
	unsent("nested", "ask", "nested", "'inner'"),

	raw("raw-root", `{"type":"array","items":{"type":"string"}}`, accept(nil)).refusal(`"root_not_object"`),
	raw("raw-nested", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`,
		accept(nil)).
		refusal(`"nested_object"`, `/requestedSchema/properties/a"`),
	raw("raw-nothing-said", `{}`, accept(nil)).refusal(`"missing_keyword"`),
	raw("raw-default", `{"type":"object","properties":{"n":{"type":"integer","default":0}},"required":["n"]}`,
		accept(nil)).
		wants(`{"action":"accept","content":{"n":0}}`),

	page("visit", "visit", "Sign in at the bank.", accept(nil)).wants(`{"action":"accept"}`),
	page("visit-declined", "visit", "Sign in at the bank.", decline).wants(`{"action":"decline"}`),
	page("required", "required", "Allow reading.", accept(nil)).wants(`{"read":"required"}`),
	page("required-declined", "required", "Allow reading.", decline).failure("-32603", "was not visited: decline"),

	book("Ada", city("Oslo"), nights(3)).wants(`{"guest":"Ada","city":"Oslo","nights":3}`),
	book("Dan", decline).words("Resolver for parameter 'place' could not resolve", "elicitation was decline"),
	book("Bob", city("Rome"), dismiss).wants(`{"guest":"Bob","city":"Rome","stay":"cancel"}`),
}

var pythonOld = []call{
	form("table", "ask", "table", accept(table),
		`{"action":"accept","data":{"name":"Ada","guests":8,"tip":2.5,"window":true,
		"day":"2026-02-28","email":"ada@example.com","note":"","course":"meat"}}`),
	// 2025-06-18 has no lists, but this server does not check its client's date.
	form("several", "ask", "several", accept(map[string]any{"tags": []string{"b"}}),
		`{"action":"accept","data":{"tags":["b"]}}`),
	page("visit", "visit", "Sign in at the bank.", accept(nil)).refusal(`"mode_undeclared"`),
}

var pythonRounds = []call{
	book("Ada", city("Oslo"), nights(14)).wants(`{"guest":"Ada","city":"Oslo","nights":14}`),
	book("Bea", city("Rome"), accept(nil)).wants(`{"guest":"Bea","city":"Rome","nights":1}`),
	book("Dan", decline).words("Resolver for parameter 'place' could not resolve", "elicitation was decline"),
	book("Bob", city("Rome"), decline).wants(`{"guest":"Bob","city":"Rome","stay":"decline"}`),
	book("Cyd", city("Rome"), nights(15)).wants(`{"guest":"Cyd","city":"Rome","stay":"cancel"}`).misfitAt("/nights"),
	// This protocol date does not have the error, but the SDK sends it and the proxy understands it.
	page("required", "required", "Allow reading.", accept(nil)).wants(`{"read":"required"}`),
}

// sealedState shows that the state which the proxy carries is sealed, so that the rounds above prove it was carried
// byte for byte: the server itself, asked without a proxy, refuses one with a single character changed.
func (p parts) sealedState(t *testing.T) {
	t.Parallel()
	foreign{missing: p.stamped("Python", "venv")}.need(t)
	l := openLines(t, p.pythonServer())
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	say := func(id, more string) string {
		l.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call",` +
			`"params":{"name":"book","arguments":{"guest":"Ada"},` + more + meta + `}}`)
		got, _ := l.until(id)
		return got
	}
	var first struct {
		Result struct {
			InputRequests map[string]json.RawMessage
			RequestState  string
		}
	}
	if err := json.Unmarshal([]byte(say("1", "")), &first); err != nil || first.Result.RequestState == "" ||
		len(first.Result.InputRequests) != 1 {
		t.Fatalf("first round: %v, %+v", err, first)
	}
	var key string
	for key = range first.Result.InputRequests {
	}
	answers := `"inputResponses":{"` + key + `":{"action":"accept","content":{"city":"Rome"}}},"requestState":"`
	middle := len(first.Result.RequestState) / 2
	letter := "A"
	if first.Result.RequestState[middle] == 'A' {
		letter = "B"
	}
	broken := first.Result.RequestState[:middle] + letter + first.Result.RequestState[middle+1:]
	contains(t, "a changed state", squeezed(say("2", answers+broken+`",`)), `"code":-32602`)
	if got := say("3", answers+first.Result.RequestState+`",`); !strings.Contains(got, "How long in Rome?") {
		t.Errorf("the state as it was: got %s, want the second question", clip(got))
	}
}
