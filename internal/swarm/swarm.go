// Package swarm plays many random lives for tests. A seed is one life: one configuration, whose features are switched
// at random, and everything that happens under it. `./build.sh swarm` plays as many as it is told.
package swarm

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Lives are what a test plays.
type Lives struct {
	// Play plays one life. It returns the number of its steps.
	Play func(t *rapid.T, met map[string]int) int
	// Sometimes names what must be met at least once in a long run. Otherwise the lives have lost their subject.
	Sometimes []string
}

const (
	steps      = 4000   // of a run that nobody asked for
	shortSteps = 400    // of such a run with -short
	longSteps  = 200000 // a run that must meet everything
)

// Run plays lives until they had as many steps as ELICIT_SWARM_STEPS says, from the seed ELICIT_SWARM_FIRST on. It
// stops at the first life that fails. Rapid has then shrunk it, and its output ends with the shortest life.
func Run(t *testing.T, lives Lives) {
	usual, checks := steps, "1"
	if testing.Short() {
		usual, checks = shortSteps, "5" // rapid plays a fifth of its checks then, and a fifth of one is none
	}
	most, asked := number(t, "ELICIT_SWARM_STEPS", usual)
	first, _ := number(t, "ELICIT_SWARM_FIRST", 1)
	defer restore(t, "rapid.seed", "rapid.checks", "rapid.nofailfile")()
	set(t, "rapid.checks", checks)
	set(t, "rapid.nofailfile", "true")
	met, played, told := map[string]int{}, 0, time.Now()
	seed := first
	for ; played < most; seed++ {
		set(t, "rapid.seed", strconv.Itoa(seed))
		good := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { played += max(1, lives.Play(t, met)) })
		})
		if !good {
			t.Fatalf("the life of seed %d fails; to play it again: ELICIT_SWARM_STEPS=1 ELICIT_SWARM_FIRST=%d go test -run '%s'",
				seed, seed, t.Name())
		}
		if asked && time.Since(told) > 10*time.Second {
			told = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d of %d steps; the next seed is %d\n", t.Name(), played, most, seed+1)
		}
	}
	t.Logf("%d lives, %d steps; the next seed is %d; met %v", seed-first, played, seed, met)
	if asked {
		fmt.Fprintf(os.Stderr, "%s: %d lives, %d steps, no failure; the next seed is %d\n", t.Name(), seed-first, played,
			seed)
	}
	for _, what := range lives.Sometimes {
		if met[what] == 0 && played >= longSteps {
			t.Errorf("no life had %q: the lives have lost their subject", what)
		}
	}
}

// number reads a number from the environment.
func number(t *testing.T, name string, otherwise int) (n int, given bool) {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q; it must be a number from 1 on", name, text)
	}
	return n, true
}

func set(t *testing.T, name, value string) {
	t.Helper()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
}

// restore returns what gives flags the values that they have now.
func restore(t *testing.T, names ...string) func() {
	t.Helper()
	before := map[string]string{}
	for _, name := range names {
		before[name] = flag.Lookup(name).Value.String()
	}
	return func() {
		for name, value := range before {
			set(t, name, value)
		}
	}
}
