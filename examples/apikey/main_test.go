package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/examples/internal/tests/exampletest"
)

func TestAPIKey(t *testing.T) {
	p := exampletest.Person{
		Say: func(message string) (string, map[string]any) { panic("a key in a form: " + message) },
		Visit: func(t *testing.T, link string) {
			b := exampletest.NewBrowser(t)
			for _, step := range []struct{ act, key, want string }{
				{"open", "", "new"},
				{"claim", "", "open"},
				{"answer", "short", "open too_short"},
				{"answer", "k-1234567890abcdef", "done"},
			} {
				var answer map[string]any
				if step.act == "answer" {
					answer = map[string]any{"action": "accept", "content": map[string]any{"key": step.key}}
				}
				if got := b.Act(link, step.act, answer); got != step.want {
					t.Errorf("%s %q: the page is %q", step.act, step.key, got)
				}
			}
		},
	}
	exampletest.Each(t, p, func(t *testing.T, s *exampletest.Session) {
		for range 2 { // the second call finds the key
			if text, _ := s.Call("weather", nil); !strings.HasPrefix(text, "Sunny, says the service to a key of 18") {
				t.Errorf("the tool says %q", text)
			}
		}
		s.Asked("The weather service needs your API key.")
	})
}
