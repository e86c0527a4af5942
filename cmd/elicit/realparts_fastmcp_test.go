package main_test

import "path/filepath"

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
	for k, old := range m {
		out[k] = old
	}
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
