package engine_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// moved are configurations with pauses, and with policies that look at what changes while a question waits. None lets a
// yes hold always, which a session does not carry.
var moved = []string{configs[7],
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"rules":[{"name":"slow",` +
		`"when":{"hasty":true},"then":"cancel"},{"name":"quick","when":{"hasty":false,"tool":"bad"},"then":"cancel"}]}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"rules":[{"name":"net",` +
		`"when":{"label":"*"},"then":"cancel"}]}}}`,
	`{"pauses":true,"limits":{"shown":3,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"rules":[` +
		`{"name":"slow","when":{"hasty":true},"then":"decline"}]}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"quiet":{"from":"00:01",` +
		`"to":"00:02","offset":"+00:00"}}}}`}

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
	if testing.Short() {
		return // it plays too few lives to count
	}
	if met["moved"] < 400 || met["moved on"] < 1000 || met["compared"] < 10_000 || met["drafts"] < 20 {
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
	if one := g.below(len(moved) + 1); one > 0 {
		g.config, g.configs = moved[one-1], moved[one-1:one]
	}
	moveAs(t, g, each, met)
}

// moveAs is move under the configurations of the generator.
func moveAs(t rapid.TB, g *generator, each play, met map[string]int) {
	g.config = roomy(g.config)
	g.configs = slices.Clone(g.configs)
	for i := range g.configs {
		g.configs[i] = roomy(g.configs[i])
	}
	p := &pairOf{TB: t, old: engine.New(), oldNames: naming{}, screen: map[string]string{}}
	p.old.Step(engine.Input{At: g.at, Event: event.Configured{Config: []byte(g.config)}})
	each(func(in engine.Input) { p.stay(g, in) })
	if !slices.Contains(p.old.Sessions(), "a") {
		return
	}
	met["moved"]++
	p.stay(g, engine.Input{At: g.at, Event: event.Ticked{}}) // what is due ends before the move, not by it
	p.twinNames = p.oldNames.clone()
	state, _ := p.old.Save("a")
	p.twin = p.load(g.config, g.at, state)
	g.configs = []string{g.config} // an allowance is refilled at the move, so a rate changed later counts from there
	now := g.at
	each(func(in engine.Input) {
		p.step(g, in)
		now = max(now, in.At)
		met["compared"]++
		if state, open := p.twin.Save("a"); open && g.chance(20) {
			p.twin = p.load(g.config, now, state)
			met["moved on"]++
			for _, draft := range p.screen {
				if draft != "" {
					met["drafts"]++
				}
			}
		}
	})
}

var ofFloods = regexp.MustCompile(`"flood_bytes":\d+,`)

// roomy gives a configuration the highest flood_bytes. An event that is only counted leaves no trace, not even of how
// its question ended. A session does not carry the room of its journal, so a life without room is another after a move.
func roomy(config string) string {
	const limits, most = `"limits":{`, `"flood_bytes":16777216`
	config = ofFloods.ReplaceAllString(config, "")
	if !strings.Contains(config, limits) {
		return strings.Replace(config, "{", "{"+limits+most+"}", 1)
	}
	return strings.Replace(config, limits, limits+most+",", 1)
}

// TestCountedQuestionsLeaveNoTrace answers a question that nobody could see. An engine with room for its record knows
// how it ended. One without room has only counted it, and knows nothing of it.
func TestCountedQuestionsLeaveNoTrace(t *testing.T) {
	for config, want := range map[string]string{roomy(`{}`): "already_settled",
		`{"limits":{"flood_bytes":0}}`: "unknown_request"} {
		e := engine.New()
		said := func(ev event.Event) effect.Effect {
			_, rest := effect.Records(e.Step(engine.Input{At: 1000, Event: ev}))
			return rest[0]
		}
		e.Step(engine.Input{At: 1000, Event: event.Configured{Config: []byte(config)}})
		e.Step(engine.Input{At: 1000, Event: event.Opened{Session: "a", Server: "s", Side: elicit.Answering,
			Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}}})
		refused, replied := said(event.Asked{Request: elicit.Request{Session: "a", Ref: "1", Mode: elicit.Form,
			Message: "Go on?", Schema: []byte("{")}}).(effect.Reply)
		if !replied || refused.Outcome != elicit.Failed {
			t.Fatalf("under %s: %v", config, refused)
		}
		late, told := said(event.Answered{Session: "a", ID: refused.ID, Action: elicit.Accept}).(effect.Problem)
		if !told || late.Problems[0].Code != want {
			t.Errorf("under %s, an answer is told %v, want %s", config, late, want)
		}
	}
}

// pairOf is an engine that stayed and one that has moved.
type pairOf struct {
	rapid.TB
	old, twin           *engine.Engine
	oldNames, twinNames naming
	screen              map[string]string // what is before a person by its name, and the draft of it
}

// load is a new engine that takes up a session at a time, with the configuration that holds. It has to show what was
// before the person, with what they had typed.
func (p *pairOf) load(config string, at int64, state []byte) *engine.Engine {
	p.Helper()
	e := engine.New()
	e.Step(engine.Input{At: at, Event: event.Configured{Config: []byte(config)}})
	shown := map[string]string{}
	for _, next := range e.Step(engine.Input{At: at, Event: event.Resumed{State: state}}) {
		switch ef := next.(type) {
		case effect.Problem:
			p.Fatalf("%s is refused: %s", state, ef.AppendJSON(nil))
		case effect.Show:
			shown[p.twinNames[ef.ID]] = string(ef.Draft)
		}
	}
	if !maps.Equal(shown, p.screen) {
		p.Fatalf("%s\nshows %v, want %v", state, shown, p.screen)
	}
	return e
}

// stay lets the engine that stayed take a step, and keeps what is before the person.
func (p *pairOf) stay(g *generator, in engine.Input) string {
	effects := p.old.Step(in)
	g.saw(effects)
	said := p.oldNames.render(effects)
	refused := false
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			p.screen[p.oldNames[ef.ID]] = string(ef.Draft)
		case effect.Reply:
			delete(p.screen, p.oldNames[ef.ID])
		case effect.Withdraw:
			delete(p.screen, p.oldNames[ef.ID])
		case effect.Problem:
			refused = true
		}
	}
	if ev, ok := in.Event.(event.Drafted); ok && !refused {
		records, _ := effect.Records(effects)
		kept := gjson.GetBytes(records[len(records)-1], "event.draft").Raw
		p.screen[p.oldNames[ev.ID]] = kept
	}
	return said
}

// step lets both engines take a step, in which they must say the same.
func (p *pairOf) step(g *generator, in engine.Input) {
	p.Helper()
	rename := func(id elicit.ID) elicit.ID { return p.twinNames.id(p.oldNames[id], id) }
	same := in
	switch ev := in.Event.(type) {
	case event.Answered:
		ev.ID = rename(ev.ID)
		same.Event = ev
	case event.Revoked:
		ev.Grant = rename(ev.Grant)
		same.Event = ev
	}
	same.Event = sameTold(same.Event, rename)
	want := p.stay(g, in)
	if got := p.twinNames.render(p.twin.Step(same)); want != got {
		p.Fatalf("at %d, %s\nwant %s\ngot  %s", in.At, in.Event.AppendJSON(nil), want, got)
	}
}
