package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/examples/internal/tests/exampletest"
)

func TestGate(t *testing.T) {
	failed, sure := 0, "accept"
	p := exampletest.Person{Say: func(message string) (string, map[string]any) {
		switch {
		case strings.HasPrefix(message, "Where"):
			return "accept", map[string]any{"choice": "production"}
		case strings.HasPrefix(message, "How"):
			return "accept", map[string]any{"passed": 120, "failed": failed}
		}
		return sure, map[string]any{}
	}}
	exampletest.Each(t, p, func(t *testing.T, s *exampletest.Session) {
		gates := []string{"Where should 1.4 go?", "How did the tests of 1.4 end?", "Release 1.4 to production now?"}
		for _, run := range []struct {
			failed int
			sure   string
			asked  int
			want   string
		}{
			{0, "accept", 3, "Released 1.4 to production."},
			{2, "accept", 2, "the gate is closed: 2 tests failed"},
			{0, "decline", 3, "the person declined"},
		} {
			failed, sure = run.failed, run.sure
			text, _ := s.Call("release", map[string]any{"version": "1.4"})
			if text != run.want {
				t.Errorf("the tool says %q, want %q", text, run.want)
			}
			s.Asked(gates[:run.asked]...)
		}
	})
}
