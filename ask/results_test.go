package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store/memory"
)

// paying is a call of a client with rounds that pays once its person says yes.
func paying(result string) (Call, *int, func(context.Context) error) {
	paid := 0
	return Call{Target: "pay", Result: func() json.RawMessage { return json.RawMessage(result) },
			Client: Client{Principal: "ann", Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}, &paid,
		func(ctx context.Context) error {
			if err := Confirm(ctx, "Pay?"); err != nil {
				return err
			}
			paid++
			return nil
		}
}

// TestResultsEnd makes a call again when its result is too old, and where none is kept.
func TestResultsEnd(t *testing.T) {
	for _, c := range []struct {
		results, later time.Duration
		stored         bool
		want           string
	}{
		{0, 14 * time.Minute, false, "paid"}, {0, 16 * time.Minute, false, "unknown"},
		{0, 14 * time.Minute, true, "paid"}, {0, 16 * time.Minute, true, "unknown"},
		{time.Minute, 2 * time.Minute, false, "unknown"}, {time.Minute, 2 * time.Minute, true, "unknown"},
		{-1, 0, false, ErrState.Error()}, {-time.Hour, 0, true, ErrState.Error()},
	} {
		now := time.Now()
		o := Options{Server: "bot", Results: c.results, Now: func() time.Time { return now }}
		if c.stored {
			o.Store = memory.New()
		}
		a, err := New(o)
		must.OK(t, err)
		call, paid, pay := paying(`{"paid":true}`)
		i, err := a.Do(t.Context(), call, pay)
		must.OK(t, err)
		again := saidYes(t, call, i)
		if _, err := a.Do(t.Context(), again, pay); err != nil {
			t.Fatal(err)
		}
		now = now.Add(c.later)
		i, err = a.Do(t.Context(), again, pay)
		got := fmt.Sprint(err)
		if i != nil {
			got = string(i.Result)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v later, kept for %v, with a store %v: %s", c.later, c.results, c.stored, got)
		}
		if *paid != 1 {
			t.Errorf("paid %d times", *paid)
		}
		a.Close()
	}
}

// TestPanic ends the call of a handler that panics.
func TestPanic(t *testing.T) {
	a, err := New(Options{Server: "bot"})
	must.OK(t, err)
	defer a.Close()
	call, _, pay := paying(`{}`)
	i, err := a.Do(t.Context(), call, pay)
	must.OK(t, err)
	again := saidYes(t, call, i)
	func() {
		defer func() { recover() }()
		a.Do(t.Context(), again, func(ctx context.Context) error {
			Confirm(ctx, "Pay?")
			panic("no")
		})
	}()
	if i, err = a.Do(t.Context(), again, pay); i == nil || !strings.Contains(string(i.Result), "unknown") {
		t.Errorf("the call made again: %+v, %v", i, err)
	}
}
