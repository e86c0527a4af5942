package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// The form with nine fields that all figures about one question use, its right answer (385 bytes) and a wrong one.
var (
	formText = compact(`{
  "type": "object",
  "title": "Open a ticket",
  "description": "Tell us what happened so that the right team can look at it.",
  "properties": {
    "ticket": {"type": "string", "title": "Ticket", "minLength": 5, "maxLength": 12,
      "pattern": "^[A-Z]{2,5}-[0-9]{1,6}$"},
    "summary": {"type": "string", "title": "Summary", "description": "What happened, in a few sentences",
      "minLength": 10, "maxLength": 500},
    "email": {"type": "string", "format": "email", "title": "Your e-mail"},
    "due": {"type": "string", "format": "date", "title": "Due"},
    "count": {"type": "integer", "title": "Machines affected", "minimum": 1, "maximum": 500},
    "hours": {"type": "number", "title": "Hours lost", "minimum": 0, "maximum": 1000.5},
    "urgent": {"type": "boolean", "title": "Urgent", "default": false},
    "severity": {"type": "string", "title": "Severity",
      "enum": ["low", "medium", "high", "critical"], "default": "low"},
    "teams": {"type": "array", "title": "Teams",
      "items": {"type": "string", "enum": ["network", "storage", "database", "frontend", "security"]},
      "minItems": 1, "maxItems": 3}
  },
  "required": ["ticket", "summary", "email", "severity"]
}`)
	rightAnswer = []byte(`{"ticket":"OPS-12345","summary":"The nightly backup of the billing database did not ` +
		`finish; the log ends after the second table and the disk is not full. Restarting the agent by hand did ` +
		`not help at all, nor did a reboot of the host.","email":"maria.keller@example.org",` +
		`"due":"2026-12-24","count":42,"hours":7.25,` +
		`"urgent":true,"severity":"high","teams":["storage","database"]}`)
	wrongAnswer = bytes.Replace(rightAnswer, []byte(`"count":42`), []byte(`"count":4200`), 1)
	question    = "The backup failed. Shall I open a ticket for it?"
)

// formOf returns a form of n fields, similar to the fixture, and a right answer to it.
func formOf(n int) (schema, answer []byte) {
	kinds := []struct{ schema, value string }{
		{`{"type":"string","title":"Field","minLength":1,"maxLength":40}`, `"nightly run"`},
		{`{"type":"integer","title":"Field","minimum":1,"maximum":500}`, `42`},
		{`{"type":"boolean","title":"Field","default":false}`, `true`},
		{`{"type":"string","title":"Field","enum":["low","medium","high","critical"]}`, `"high"`},
		{`{"type":"string","title":"Field","format":"date"}`, `"2026-12-24"`},
	}
	var properties, values, names []string
	for i := range n {
		name := fmt.Sprintf("field%d", i)
		properties = append(properties, fmt.Sprintf("%q:%s", name, kinds[i%len(kinds)].schema))
		values = append(values, fmt.Sprintf("%q:%s", name, kinds[i%len(kinds)].value))
		names = append(names, fmt.Sprintf("%q", name))
	}
	return []byte(`{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` +
			strings.Join(names, ",") + `]}`),
		[]byte(`{` + strings.Join(values, ",") + `}`)
}

func compact(doc string) []byte {
	var out bytes.Buffer
	must(json.Compact(&out, []byte(doc)))
	return out.Bytes()
}

// must ends the run at an error, because figures of a program with wrong results are worthless.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func mustHold(ok bool, what string) {
	if !ok {
		must(fmt.Errorf("wrong verdict: %s", what))
	}
}
