package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/examples/internal/example"
	"github.com/elicit-engine/elicit/examples/internal/tests/exampletest"
)

// signIn lets a browser be somebody at the server of a link.
func signIn(b *exampletest.Browser, link, user string) {
	base, _, _ := strings.Cut(link, "ask/")
	b.Post(base+"login", "application/x-www-form-urlencoded", "user="+user)
}

func TestExpense(t *testing.T) {
	says := "accept"
	p := exampletest.Person{
		Say: func(string) (string, map[string]any) { return "accept", map[string]any{} },
		Visit: func(t *testing.T, link string) {
			first := exampletest.NewBrowser(t)
			if got := first.Act(link, "open", nil); got != "sign_in" {
				t.Errorf("nobody is signed in: the page is %s", got)
			}
			signIn(first, link, example.User)
			first.Act(link, "open", nil)
			yes := map[string]any{"action": "accept", "content": map[string]any{}}
			switch got := first.Act(link, "claim", nil); got {
			case "open": // the first person's own question
				if got := first.Act(link, "answer", yes); got != "done" {
					t.Errorf("the page is %s", got)
				}
				return
			case "forbidden":
			default:
				t.Errorf("the page is %s", got)
			}
			second := exampletest.NewBrowser(t)
			signIn(second, link, approver)
			answer := map[string]any{"action": says}
			if says == "accept" {
				answer = yes
			}
			second.Answer(link, answer)
		},
	}
	exampletest.Each(t, p, func(t *testing.T, s *exampletest.Session) {
		for _, run := range []struct{ says, want string }{
			{"accept", "Booked 420 EUR for a chair, approved by grace."},
			{"decline", "grace refused 420 EUR for a chair"},
		} {
			says = run.says
			text, failed := s.Call("book_expense", map[string]any{"euros": 420, "purpose": "a chair"})
			if text != run.want || failed != (says == "decline") {
				t.Errorf("the tool says %q", text)
			}
			s.Asked("Submit 420 EUR for a chair?", "Approve 420 EUR for a chair?")
		}
	})
}
