package main_test

import "path/filepath"

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
