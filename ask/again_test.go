package ask

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

// rounds is what a client gets from a call that ends while the person thinks.
type rounds struct {
	InputRequests map[string]json.RawMessage `json:"inputRequests"`
	RequestState  string                     `json:"requestState"`
}

// saidYes is a call with rounds that is made again with a yes.
func saidYes(t *testing.T, c Call, i *Interruption) Call {
	t.Helper()
	var asked rounds
	if i == nil || json.Unmarshal(i.Result, &asked) != nil || len(asked.InputRequests) != 1 {
		t.Fatalf("no question: %+v", i)
	}
	for key := range asked.InputRequests {
		c.Responses = json.RawMessage(`{"` + key + `":` + yes + `}`)
	}
	c.State = asked.RequestState
	return c
}

// TestMadeAgain makes a call again whose response was lost. The payment is made once, and the client gets its result,
// on another process too. Another principal gets nothing, and another answer does not count.
func TestMadeAgain(t *testing.T) {
	a, b := twoNodes(t, nil)
	paid := map[string]int{}
	pay := func(ctx context.Context) error {
		key, err := Key(ctx)
		if err != nil {
			return err
		}
		if err := Confirm(ctx, "Pay?"); err != nil {
			return err
		}
		paid[key]++
		return nil
	}
	call := Call{Target: "pay", Result: func() json.RawMessage { return json.RawMessage(`{"paid":true}`) },
		Client: Client{Principal: "ann", Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	i, err := a.Do(t.Context(), call, pay)
	must.OK(t, err)
	again := saidYes(t, call, i)
	if i, err := a.Do(t.Context(), again, pay); err != nil || i != nil {
		t.Fatal(i, err)
	}
	for _, node := range []*Asker{a, b, a} {
		if i, err := node.Do(t.Context(), again, pay); err != nil || i == nil || string(i.Result) != `{"paid":true}` {
			t.Errorf("the call made again: %+v, %v", i, err)
		}
	}
	if len(paid) != 1 {
		t.Errorf("the payments: %v", paid)
	}
	for key, times := range paid {
		if len(key) != 32 || times != 1 {
			t.Errorf("paid %d times with %q", times, key)
		}
	}
	other := again
	other.Responses = json.RawMessage(strings.Replace(string(again.Responses), "accept", "decline", 1))
	if _, err := b.Do(t.Context(), other, pay); !errors.Is(err, ErrState) {
		t.Errorf("another answer: %v", err)
	}
	eve := again
	eve.Principal = "eve"
	if _, err := b.Do(t.Context(), eve, pay); !errors.Is(err, ErrState) {
		t.Errorf("another principal: %v", err)
	}
}

// TestMadeAgainByModel passes on an answer of a model again. Without a principal and a session, the model hears that
// the answer was taken.
func TestMadeAgainByModel(t *testing.T) {
	for _, c := range []struct{ principal, want string }{
		{"ann", `{"paid":true}`}, {"", "The answer was taken; the result is unknown."},
	} {
		a, err := New(Options{Server: "bot"})
		must.OK(t, err)
		paid := 0
		pay := func(ctx context.Context) error {
			if err := Confirm(ctx, "Pay?"); err != nil {
				return err
			}
			paid++
			return nil
		}
		client := Client{Principal: c.principal, Version: "2025-06-18"}
		i, err := a.Do(t.Context(), Call{Target: "pay", Client: client}, pay)
		if err != nil || i == nil {
			t.Fatal(i, err)
		}
		said := Submission{ID: idIn(string(i.Result)), Action: elicit.Accept}
		for n := range 3 {
			call, text := a.Submit(t.Context(), client, said)
			if call == nil {
				t.Fatal(text)
			}
			call.Result = func() json.RawMessage { return json.RawMessage(`{"paid":true}`) }
			i, err := a.Do(t.Context(), *call, pay)
			if err != nil || (i == nil) != (n == 0) || n > 0 && !strings.Contains(string(i.Result), c.want) {
				t.Errorf("the answer again: %+v, %v", i, err)
			}
		}
		if said.Content = json.RawMessage(`{"other":1}`); paid != 1 {
			t.Errorf("paid %d times", paid)
		}
		if call, text := a.Submit(t.Context(), client, said); call != nil || !strings.Contains(text, "settled before") {
			t.Errorf("another answer: %+v, %s", call, text)
		}
		a.Close()
	}
}

func idIn(text string) string {
	_, text, _ = strings.Cut(text, `"elicit/question":{"id":"`)
	id, _, _ := strings.Cut(text, `"`)
	return id
}

// TestResultsAreBounded keeps results without a store until the process has enough of them. Those that are kept stay,
// and a client whose result was not kept hears that its answer was taken.
func TestResultsAreBounded(t *testing.T) {
	a, err := New(Options{Server: "bot", Config: json.RawMessage(`{"limits":{"per_minute":60000,"burst":1000}}`)})
	must.OK(t, err)
	defer a.Close()
	large := json.RawMessage(`{"text":"` + strings.Repeat("x", 60<<10) + `"}`)
	call := Call{Target: "read", Result: func() json.RawMessage { return large },
		Client: Client{Principal: "ann", Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	given, unknown := 0, 0
	for range 300 {
		i, err := a.Do(t.Context(), call, confirm)
		must.OK(t, err)
		again := saidYes(t, call, i)
		if i, err := a.Do(t.Context(), again, confirm); err != nil || i != nil {
			t.Fatal(i, err)
		}
		switch i, err = a.Do(t.Context(), again, confirm); {
		case err != nil || i == nil:
			t.Fatal(i, err)
		case string(i.Result) == string(large):
			given++
		case strings.Contains(string(i.Result), "the result is unknown"):
			unknown++
		}
	}
	if most := 16 << 20 / len(large); given < most || given > most+1 || given+unknown != 300 {
		t.Errorf("%d results are given, and %d are unknown", given, unknown)
	}
}
