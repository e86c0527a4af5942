package main_test

import (
	"encoding/json"
	"path/filepath"
)

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
