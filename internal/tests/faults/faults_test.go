// Package faults plays a server of several processes whose processes are killed and whose stores fail.
package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/sqlite"
	"github.com/elicit-engine/elicit/testdata/pgserver"
)

// operation is something that happened to a question.
type operation struct {
	kind   kind
	value  int
	result result
}

type kind string

const (
	given kind = "answer"  // somebody gave one
	taken kind = "outcome" // the ask returned one
	ended kind = "ended"   // the question was withdrawn, or the node was killed
)

type result string

const (
	done    result = "done"
	refused result = "refused"
	unknown result = "unknown"
)

// model is a question as everybody sees it: open at first, then settled with one answer. Its state is that answer, 0
// while the question is open, and -1 once it ended without one.
var model = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		settled, op := state.(int), input.(operation)
		switch {
		case op.kind == taken:
			return settled == op.value, settled
		case op.kind == ended && settled == 0:
			return true, -1
		case op.kind == ended:
			return true, settled
		case op.result == done:
			return settled == 0, op.value
		case op.result == refused:
			return settled != 0, settled
		case settled == 0:
			return true, op.value // one that counts
		}
		return true, settled
	},
	DescribeOperation: func(input, _ any) string { return fmt.Sprintf("%+v", input) },
}

// check holds the history of a question to the model.
func (a *asked) check() []string {
	if porcupine.CheckOperations(model, a.history) {
		return nil
	}
	return []string{fmt.Sprintf("question %d (%s): no order explains %+v", a.number, a.way.name, a.history)}
}

// setting returns the value of a variable of the environment.
func setting(t *testing.T, name string, other int) int {
	text := os.Getenv(name)
	if text == "" {
		return other
	}
	n, err := strconv.Atoi(text)
	must.OK(t, err)
	return n
}

// TestFaults lets people, models and strangers answer on three nodes at once, while nodes are killed and the store
// fails.
// ELICIT_FAULT_ANSWERS is how many answers there are, ELICIT_FAULT_SEED what begins the random numbers, and
// ELICIT_FAULT_EVERY after how many milliseconds a node is killed: 0 is after as many answers as makes ten.
func TestFaults(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		m := memory.New()
		race(t, 2000, func() store.Store { return m.Handle() }, nil)
	})
	t.Run("sqlite", func(t *testing.T) {
		vectors.Night(t) // by day, TestKills has this store
		path := filepath.Join(t.TempDir(), "db")
		race(t, 600, func() store.Store {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			must.OK(t, err)
			return s
		}, nil)
	})
	t.Run("redis", func(t *testing.T) {
		p := startPair(t)
		race(t, 1000, func() store.Store { return p.handle() }, p)
	})
	t.Run("postgres", func(t *testing.T) {
		vectors.Night(t)
		s := pgserver.Start(t)
		race(t, 600, func() store.Store { return postgresHandle(t, s) }, crashes{t, s})
	})
}

// server has what a store needs, and fails.
type server interface{ disturb(n int) (what string) }

func race(t *testing.T, answers int, open func() store.Store, s server) {
	answers = setting(t, "ELICIT_FAULT_ANSWERS", answers)
	seed := setting(t, "ELICIT_FAULT_SEED", 1)
	every := time.Duration(setting(t, "ELICIT_FAULT_EVERY", 0)) * time.Millisecond
	c := newCluster(t, uint64(seed), 0.02, open)
	defer c.end()
	if p, is := s.(*redisPair); is {
		p.answers = c.answers.Load
	}
	begun := time.Now()
	stop := make(chan struct{})
	var trouble, workers sync.WaitGroup
	trouble.Go(func() {
		for n := 1; ; n++ {
			for due := false; !due; {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond): // between two looks
				}
				due = every != 0 && time.Since(begun) > time.Duration(n)*every ||
					every == 0 && c.answers.Load() > int64(n*answers/10)
			}
			c.kill()
			if s != nil {
				s.disturb(n)
			}
		}
	})
	var mu sync.Mutex
	acted, wrong := map[string]int{}, 0
	for range 24 {
		workers.Go(func() {
			for c.answers.Load() < int64(answers) {
				a := c.newAsked(ways[c.draw(len(ways))])
				did := a.live()
				mu.Lock()
				if did {
					acted[a.way.name]++
				}
				a.mu.Lock()
				found := slices.Clone(a.errors)
				a.mu.Unlock()
				if wrong += len(found); wrong < 20 {
					for _, one := range found {
						t.Error(one)
					}
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	close(stop)
	trouble.Wait()
	for _, w := range ways {
		if acted[w.name] == 0 {
			t.Errorf("no question reached anybody by %s", w.name)
		}
	}
	t.Logf("seed %d: %d answers to %d questions in %v, %d nodes killed, acted %v, wrong %d", seed, c.answers.Load(),
		c.asked.Load(), time.Since(begun).Round(time.Millisecond), c.killed.Load(), acted, wrong)
	if t.Failed() {
		t.Logf("again: ELICIT_FAULT_SEED=%d ELICIT_FAULT_ANSWERS=%d", seed, answers)
	}
}
