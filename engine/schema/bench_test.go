package schema

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/must"
)

// form8 is the nine-field form of every figure in docs/reference/performance.md.
const form8 = `{
  "type": "object",
  "title": "Open a ticket",
  "description": "Tell us what happened so that the right team can look at it.",
  "properties": {
    "ticket": {"type": "string", "title": "Ticket", "minLength": 5, "maxLength": 12},
    "summary": {"type": "string", "title": "Summary", "description": "What happened, in a few sentences", ` +
	`"minLength": 10, "maxLength": 500},
    "email": {"type": "string", "format": "email", "title": "Your e-mail"},
    "due": {"type": "string", "format": "date", "title": "Due"},
    "count": {"type": "integer", "title": "Machines affected", "minimum": 1, "maximum": 500},
    "hours": {"type": "number", "title": "Hours lost", "minimum": 0, "maximum": 1000.5},
    "urgent": {"type": "boolean", "title": "Urgent", "default": false},
    "severity": {"type": "string", "title": "Severity", "enum": ["low", "medium", "high", "critical"], ` +
	`"default": "low"},
    "teams": {"type": "array", "title": "Teams", "items": {"type": "string", "enum": ["network", "storage", ` +
	`"database", "frontend", "security"]}, "minItems": 1, "maxItems": 3}
  },
  "required": ["ticket", "summary", "email", "severity"]
}`

const form8Good = `{"ticket":"OPS-12345","summary":"The nightly backup of the billing database did not finish; ` +
	`the log ends after the second table and the disk is not full. Restarting the agent by hand did not help at all, ` +
	`nor did a reboot of the host.","email":"maria.keller@example.org","due":"2026-12-24","count":42,"hours":7.25,` +
	`"urgent":true,"severity":"high","teams":["storage","database"]}`

const form8Bad = `{"ticket":"OPS","summary":"The nightly backup of the billing database did not finish; the log ` +
	`ends after the second table and the disk is not full. Restarting the agent by hand did not help at all, nor did ` +
	`a reboot of the host.","email":"maria_at_example","due":"2026-13-24","count":4200,"hours":-7.25,"urgent":true,` +
	`"severity":"huge","teams":["storage","database"]}`

func compiled(t testing.TB, doc string) *Form {
	t.Helper()
	f, problems := Compile([]byte(doc), Options{})
	if problems != nil {
		t.Fatalf("compile: %v", problems)
	}
	return f
}

func BenchmarkCompile(b *testing.B) {
	doc := []byte(form8)
	b.Run("elicit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if f, _ := Compile(doc, Options{}); f == nil {
				b.Fatal("refused")
			}
		}
	})
	b.Run("jsonschema-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			theirs(b)
		}
	})
}

func theirs(b *testing.B) *jsonschema.Resolved {
	var s jsonschema.Schema
	must.Unmarshal(b, form8, &s)
	r, err := s.Resolve(nil)
	must.OK(b, err)
	return r
}

func BenchmarkCheck(b *testing.B) {
	good, bad := []byte(form8Good), []byte(form8Bad)
	f, _ := Compile([]byte(form8), Options{})
	r := theirs(b)
	b.Run("ok/elicit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if f.Check(good) != nil {
				b.Fatal("refused")
			}
		}
	})
	b.Run("ok/jsonschema-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if json.Unmarshal(good, &v) != nil || r.Validate(v) != nil {
				b.Fatal("refused")
			}
		}
	})
	b.Run("ok/gjson-valid-only", func(b *testing.B) {
		for b.Loop() {
			if !gjson.ValidBytes(good) {
				b.Fatal("refused")
			}
		}
	})
	b.Run("bad/elicit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if len(f.Check(bad)) != 6 {
				b.Fatal("wrong verdict")
			}
		}
	})
	b.Run("bad/jsonschema-go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if json.Unmarshal(bad, &v) != nil || r.Validate(v) == nil {
				b.Fatal("wrong verdict")
			}
		}
	})
}

func BenchmarkFill(b *testing.B) {
	f, _ := Compile([]byte(form8), Options{})
	good := []byte(form8Good)
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		dst = f.Fill(dst[:0], good)
	}
}
