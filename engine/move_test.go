package engine_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestSaveLoadProperties moves a session to a new engine at any moment, and again at any later one, and drives the one
// that stayed and the one that moved alike: they must do the same from then on. Ids minted after a move differ, so each
// engine's are named in order of appearance.
func TestSaveLoadProperties(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator("a")
		move(t, g, drawn(t, g), met)
	})
	t.Logf("%v", met)
	if met["moved"] < 400 || met["moved on"] < 1000 || met["compared"] < 10_000 {
		t.Errorf("%v: the lives have lost their subject", met)
	}
}

// FuzzSaveLoad is TestSaveLoadProperties for lives that the fuzzer writes.
func FuzzSaveLoad(f *testing.F) {
	scripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		g := newGenerator("a")
		move(t, g, written(script, g, 2), map[string]int{})
	})
}

// move plays a life, moves its session, and goes on beside the engine that stayed.
func move(t rapid.TB, g *generator, each play, met map[string]int) {
	g.configs = configs[:6] // a new policy decides again about what is moved, which is another property
	old, names := engine.New(), naming{}
	old.Step(engine.Input{At: g.at, Event: engine.Configured{Config: []byte(g.config)}})
	each(func(in engine.Input) {
		effects := old.Step(in)
		g.saw(effects)
		names.render(effects)
	})
	if !slices.Contains(old.Sessions(), "a") {
		return
	}
	met["moved"]++
	old.Step(engine.Input{At: g.at, Event: engine.Ticked{}}) // what is due ends before the move, not by it
	state, _ := old.Save("a")
	p := pairOf{TB: t, old: old, twin: load(t, g.config, g.at, state), oldNames: names.clone(), twinNames: names.clone()}
	g.configs = []string{g.config} // an allowance is refilled at the move, so a rate changed later counts from there
	now := g.at
	each(func(in engine.Input) {
		p.step(g, in)
		now = max(now, in.At)
		met["compared"]++
		if state, open := p.twin.Save("a"); open && g.chance(20) {
			p.twin = load(t, g.config, now, state)
			met["moved on"]++
		}
	})
}

// load is a new engine that takes up a session at a time, with the configuration that holds.
func load(t rapid.TB, config string, at int64, state []byte) *engine.Engine {
	e := engine.New()
	e.Step(engine.Input{At: at, Event: engine.Configured{Config: []byte(config)}})
	for _, effect := range e.Step(engine.Input{At: at, Event: engine.Resumed{State: state}}) {
		if p, bad := effect.(engine.Problem); bad {
			t.Fatalf("%s is refused: %s", state, p.AppendJSON(nil))
		}
	}
	return e
}

// pairOf is an engine that stayed and one that has moved.
type pairOf struct {
	rapid.TB
	old, twin           *engine.Engine
	oldNames, twinNames naming
}

func (p *pairOf) step(g *generator, in engine.Input) {
	p.Helper()
	rename := func(id elicit.ID) elicit.ID { return p.twinNames.id(p.oldNames[id], id) }
	same := in
	switch ev := in.Event.(type) {
	case engine.Answered:
		ev.ID = rename(ev.ID)
		same.Event = ev
	case engine.Revoked:
		ev.Grant = rename(ev.Grant)
		same.Event = ev
	}
	same.Event = sameTold(same.Event, rename)
	effects := p.old.Step(in)
	g.saw(effects)
	want, got := p.oldNames.render(effects), p.twinNames.render(p.twin.Step(same))
	if want != got {
		p.Fatalf("at %d, %s\nwant %s\ngot  %s", in.At, in.Event.AppendJSON(nil), want, got)
	}
}
