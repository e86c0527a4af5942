package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// costs counts what a store has to do. A redemption in SQLite is one sync of its log, and so is a commit that is not
// lazy.
type costs struct {
	store.Store
	writes, syncs, loads, state int
}

func (c *costs) Load(ctx context.Context, session string) (store.Saved, error) {
	c.loads++
	return c.Store.Load(ctx, session)
}

func (c *costs) Commit(ctx context.Context, change store.Change) (uint64, error) {
	c.writes, c.state = c.writes+1, max(c.state, len(change.State))
	if !change.Lazy {
		c.syncs++
	}
	return c.Store.Commit(ctx, change)
}

func (c *costs) Redeem(ctx context.Context, id string, now, expires int64) error {
	c.writes++
	c.syncs++
	return c.Store.Redeem(ctx, id, now, expires)
}

// budget is how much of it a question may cost.
type budget struct{ writes, syncs, loads float64 }

// TestCosts counts the syncs of SQLite and the scripts of Redis for calls with one question, and the bytes of the
// session: the first calls cost as much as the last ones. A principal's rate is one more commit for five questions, and
// it is lazy. The first of two rounds stores nothing, because the client has the state.
func TestCosts(t *testing.T) {
	const calls = 300
	config := json.RawMessage(`{"limits":{"per_minute":60000,"burst":100}}`)
	measure := func(t *testing.T, c *costs, call ask.Call, most budget) {
		a, err := ask.New(ask.Options{Server: "bot", Store: c, Config: config})
		must.OK(t, err)
		defer a.Close()
		confirm := func(ctx context.Context) error { return ask.Confirm(ctx, "Go on?") }
		var writes, syncs, loads [2]int
		for n := range calls {
			before, one := *c, call
			i, err := a.Do(t.Context(), one, confirm)
			if err == nil && i != nil {
				var result struct {
					InputRequests map[string]any
					RequestState  string
				}
				must.Unmarshal(t, i.Result, &result)
				for key := range result.InputRequests {
					one.Responses = fmt.Appendf(nil, `{%q:{"action":"accept","content":{}}}`, key)
				}
				one.State = result.RequestState
				i, err = a.Do(t.Context(), one, confirm)
			}
			if err != nil || i != nil {
				t.Fatal(i, err)
			}
			writes[n*2/calls] += c.writes - before.writes
			syncs[n*2/calls] += c.syncs - before.syncs
			loads[n*2/calls] += c.loads - before.loads
		}
		for i := range writes {
			each := func(n [2]int) float64 { return float64(n[i]) / (calls / 2) }
			got := budget{each(writes), each(syncs), each(loads)}
			t.Logf("%+v for a question, %d bytes", got, c.state)
			if got.writes > most.writes || got.syncs > most.syncs || got.loads > most.loads {
				t.Errorf("%+v for a question, at most %+v", got, most)
			}
		}
		if c.state == 0 || c.state > 8<<10 {
			t.Errorf("a state of %d bytes", c.state)
		}
	}
	accepts := requests(func(context.Context, json.RawMessage) json.RawMessage {
		return json.RawMessage(`{"action":"accept","content":{}}`)
	})
	request := ask.Call{Target: "tool", Client: ask.Client{Principal: "ann", Session: "s", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Conn: accepts}}
	rounds := ask.Call{Target: "tool", Client: ask.Client{Principal: "ann", Version: "2026-07-28",
		Declared: elicit.Modes{Form: true}}}
	t.Run("sqlite", func(t *testing.T) {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
		must.OK(t, err)
		defer s.Close()
		measure(t, &costs{Store: s}, request, budget{3.25, 1, 0.02})
		measure(t, &costs{Store: s}, rounds, budget{2.25, 1, 1.02})
	})
	t.Run("redis", func(t *testing.T) {
		r := startRedis(t)
		s, err := redis.New(t.Context(), r.client, redis.Options{})
		must.OK(t, err)
		defer s.Close()
		c := &costs{Store: s}
		measure(t, c, rounds, budget{2.25, 1, 1.02})
		scripts := regexp.MustCompile(`cmdstat_evalsha:calls=(\d+)`)
		found := scripts.FindStringSubmatch(r.client.Info(t.Context(), "commandstats").Val())
		if found == nil {
			t.Fatal("the server ran no script")
		}
		// Each script is sent again once, when the server does not know it yet.
		if n, _ := strconv.Atoi(found[1]); n < c.writes || n > c.writes+2 {
			t.Errorf("%d scripts for %d writes", n, c.writes)
		}
	})
}
