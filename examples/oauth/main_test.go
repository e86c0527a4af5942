package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/examples/internal/tests/exampletest"
)

func TestOAuth(t *testing.T) {
	p := exampletest.Person{
		Say: func(message string) (string, map[string]any) { panic("a form: " + message) },
		Visit: func(t *testing.T, url string) {
			b := exampletest.NewBrowser(t)
			if _, text := b.Post(strings.Replace(url, "callback", "elsewhere", 1), "text/plain", ""); !strings.Contains(
				text, "not registered") {
				t.Errorf("the provider sends people anywhere: %s", text)
			}
			forged := strings.Split(url, "provider/")[0] + "callback?state=x&code=x"
			if _, text := b.Get(forged); !strings.Contains(text, "unknown or over") {
				t.Errorf("a forged callback: %s", text)
			}
			if _, text := b.Post(url, "text/plain", ""); !strings.Contains(text, "connected") {
				t.Errorf("the last page says %s", text)
			}
		},
	}
	exampletest.Each(t, p, func(t *testing.T, s *exampletest.Session) {
		for range 2 { // the second call finds the account
			if text, _ := s.Call("repositories", nil); text != "The account has the repositories atlas and beacon." {
				t.Errorf("the tool says %q", text)
			}
		}
		s.Asked("Connect your account at the provider.")
	})
}
