package engine_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
)

// TestMain fixes what rapid draws, so that every run is the same one; -rapid.seed 0 draws anew.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"seed": "1", "checks": "700", "steps": "70", "nofailfile": "true"} {
		if err := flag.Set("rapid."+name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// play hands the inputs of a life to step, one after another, until there are no more.
type play func(step func(engine.Input))

// drawn plays what rapid draws, and shrinks when step fails.
func drawn(t *rapid.T, g *generator) play {
	ints := map[int]*rapid.Generator[int]{}
	decide := func(t *rapid.T) func(n int) int {
		return func(n int) int {
			if ints[n] == nil {
				ints[n] = rapid.IntRange(0, n-1)
			}
			return ints[n].Draw(t, "below")
		}
	}
	g.below = decide(t)
	input := rapid.Custom(func(inner *rapid.T) readable {
		g.below = decide(inner)
		return readable{g.input()}
	})
	return func(step func(engine.Input)) {
		t.Repeat(map[string]func(*rapid.T){"step": func(t *rapid.T) { step(input.Draw(t, ">").Input) }})
		g.below = decide(t)
	}
}

// readable prints as a line of a trace.
type readable struct{ engine.Input }

func (r readable) GoString() string { return fmt.Sprintf("%d %s", r.At, r.Event.AppendJSON(nil)) }

// longestPlay bounds a life that bytes decide.
const longestPlay = 150

// written plays what the bytes of script decide, for a fuzzer to vary: each play takes its share of what is left.
func written(script []byte, g *generator, share int) play {
	next := func() (b int) {
		if len(script) > 0 {
			b, script = int(script[0]), script[1:]
		}
		return b
	}
	g.below = func(n int) int {
		if n > 256 {
			return (next()<<8 | next()) % n
		}
		return next() % n
	}
	return func(step func(engine.Input)) {
		rest := len(script) - len(script)/share
		share = 1
		for n := 0; len(script) > rest && n < longestPlay; n++ {
			step(g.input())
		}
	}
}

// scripts are bytes to start from.
func scripts(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{200, 700, 1500, 1500} {
		script := make([]byte, size)
		for i := range script {
			script[i] = byte(r.Uint32())
		}
		f.Add(script)
	}
}
