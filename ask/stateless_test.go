package ask

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var pageInError = regexp.MustCompile(`https://bot\.example/([0-9a-f.]+)`)

// TestURLWithoutSession asks by the error -32042 on one node. The person answers on the page at another, and the call
// that is made again there has the answer: for the same principal, target and arguments alone, and once.
func TestURLWithoutSession(t *testing.T) {
	a, b := twoNodes(t, nil)
	call := Call{Target: "tool", Arguments: json.RawMessage(`{"a":1}`),
		Client: Client{Principal: "ada", Version: "2025-11-25", Declared: elicit.Modes{URL: true}}}
	i, err := a.Do(t.Context(), call, confirm)
	if err != nil || i == nil || !strings.Contains(string(i.Error), "-32042") {
		t.Fatal(i, err)
	}
	token := pageInError.FindStringSubmatch(string(i.Error))[1]
	if problems, err := b.AnswerPage(t.Context(), token, "ada", elicit.Accept, []byte(`{}`), nil); err != nil ||
		problems != nil {
		t.Fatal(problems, err)
	}
	for name, change := range map[string]func(c *Call){
		"principal": func(c *Call) { c.Principal = "eve" },
		"target":    func(c *Call) { c.Target = "another" },
		"arguments": func(c *Call) { c.Arguments = json.RawMessage(`{"a":2}`) },
	} {
		other := call
		change(&other)
		if i, err := b.Do(t.Context(), other, confirm); err != nil || i == nil {
			t.Errorf("a call with another %s has the answer: %v", name, err)
		}
	}
	if _, err := b.AnswerPage(t.Context(), token, "eve", elicit.Accept, []byte(`{}`), nil); err == nil {
		t.Error("eve answers")
	}
	call.Arguments = json.RawMessage(` { "a" : 1 } `)
	if i, err := b.Do(t.Context(), call, confirm); err != nil || i != nil {
		t.Errorf("the call that is made again: %v, %v", i, err)
	}
	if i, err := b.Do(t.Context(), call, confirm); err != nil || i == nil {
		t.Errorf("a later call: %v, %v", i, err)
	}
}

// TestURLWithoutPrincipal lets the model pass on a URL when nobody could tell who makes the call again.
func TestURLWithoutPrincipal(t *testing.T) {
	a, _ := twoNodes(t, nil)
	c := Client{Version: "2025-11-25", Declared: elicit.Modes{URL: true}}
	i, err := a.Do(t.Context(), Call{Target: "tool", Client: c}, confirm)
	if err != nil || i == nil || i.Error != nil || !pageInError.Match(i.Result) || a.Fallback(c) == nil {
		t.Errorf("%+v, %v", i, err)
	}
	c.Principal = "ada"
	if a.Fallback(c) != nil {
		t.Error("a client that is known again needs the model")
	}
	if _, err = a.Do(t.Context(), Call{Target: "tool", Client: c}, confirm); errors.Is(err, ErrPrincipal) {
		t.Error(err)
	}
}
