package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/swarm"
)

// TestSwarm plays lives under any configuration: those of TestStepProperties, and those of TestSaveLoadProperties, in
// which a session is saved and goes on in another engine beside the one that stays. For a long run: ./build.sh swarm 1m
func TestSwarm(t *testing.T) {
	swarm.Run(t, swarm.Lives{Play: func(t *rapid.T, met map[string]int) (steps int) {
		below := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "feature") }
		moves := below(2) == 1
		count := func(of play) play {
			return func(step func(engine.Input)) {
				of(func(in engine.Input) { steps++; step(in) })
			}
		}
		if moves {
			g := newGenerator("a")
			g.config = swarm.Config(below, true)
			g.configs = []string{g.config}
			moveAs(t, g, count(drawn(t, g)), met)
			return steps
		}
		g := newGenerator("a", "b", "c")
		g.configs = []string{swarm.Config(below, false), swarm.Config(below, false), swarm.Config(below, false)}
		each := count(drawn(t, g))
		live(t, g, func(step func(engine.Input)) {
			step(engine.Input{At: g.at, Event: event.Configured{Config: []byte(g.configs[0])}})
			each(step)
		}, met)
		return steps
	}, Sometimes: []string{"reply", "withdraw", "late", "joined", "muted", "counted", "warned", "noted", "pause",
		"open_url", "resolve", "moved", "moved on", "compared", "drafts"}})
}
