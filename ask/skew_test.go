package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store/memory"
)

// skewed are nodes over one store whose clocks differ from the true time.
func skewed(t *testing.T, ttl time.Duration, by ...time.Duration) []*Asker {
	t.Helper()
	key, err := seal.NewKey("k", make([]byte, seal.MinSecret))
	must.OK(t, err)
	sealer, err := NewSealer(key)
	must.OK(t, err)
	m := memory.New()
	nodes := make([]*Asker, len(by))
	for i, skew := range by {
		now := func() time.Time { return time.Now().Add(skew) }
		nodes[i], err = New(Options{Server: "bot", Page: "https://bot.example/", Store: m.Handle(), TTL: ttl, Now: now,
			Seal: sealer})
		must.OK(t, err)
		t.Cleanup(nodes[i].Close)
	}
	return nodes
}

// TestClockSkew asks on one node and answers on another, whose clocks differ by as much as is allowed.
func TestClockSkew(t *testing.T) {
	const five = 5 * time.Minute
	for _, by := range [][]time.Duration{{0, 0}, {0, five}, {0, -five}, {five, -five}, {-five, five}} {
		t.Run(fmt.Sprint(by), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				nodes := skewed(t, 20*time.Minute, by...)
				skewedRounds(t, nodes[0], nodes[1])
				opened := make(chan string, 1)
				go func() { accepts(t, nodes[1], <-opened) }()
				soon(t, func() error {
					_, err := nodes[0].Do(t.Context(), visits(opened), confirmOnPage)
					return err
				})
				for i := range 6 { // of one session, so that its time goes back and forth
					soon(t, func() error {
						_, err := nodes[i%2].Do(t.Context(), forms("back and forth", "", func(context.Context,
							json.RawMessage) json.RawMessage {
							return json.RawMessage(yes)
						}), confirm)
						return err
					})
				}
			})
		})
	}
}

// skewedRounds repeats a call on another node, and brings its state back to both.
func skewedRounds(t *testing.T, a, b *Asker) {
	t.Helper()
	c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{URL: true}}}
	token := asksByRounds(t, a, &c)
	accepts(t, b, token)
	if i, err := b.Do(t.Context(), c, confirm); err != nil || i != nil {
		t.Errorf("a call that goes on at another node: %+v, %v", i, err)
	}
	for _, node := range []*Asker{a, b} {
		if _, err := node.Do(t.Context(), c, confirm); !errors.Is(err, ErrState) {
			t.Errorf("a state that came back twice: %v", err)
		}
	}
}

// TestClockAhead answers on a node for which the time of the question is up. The question has one end for everybody.
func TestClockAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := skewed(t, time.Minute, 0, 5*time.Minute)
		opened := make(chan string, 1)
		go func() {
			_, err := nodes[1].AnswerPage(t.Context(), <-opened, "", elicit.Accept, []byte("{}"), nil)
			if err == nil || errors.Is(err, ErrStore) {
				t.Errorf("an answer whose time is up: %v", err)
			}
		}()
		begun := time.Now()
		_, err := nodes[0].Do(t.Context(), visits(opened), confirmOnPage)
		if !errors.Is(err, ErrTimeout) || time.Since(begun) > time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}
