package engine_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// bounds are what a search may do: two sessions and three questions, each asked once.
type bounds struct {
	name, config string
	questions    []elicit.Request
	moves        bool // each state also goes to another engine, which must do the same from then on
	states       int  // that the search reaches
}

const oneTap = `{"type":"object","properties":{}}`

var (
	form   = elicit.Request{Mode: elicit.Form, Message: "Go on?", Schema: []byte(oneTap)}
	second = elicit.Request{Mode: elicit.Form, Message: "Which?", Schema: []byte(schemas[1])}
	page   = elicit.Request{Mode: elicit.URL, Message: "Sign in.", URL: "https://u.example/", Link: "L"}
)

func in(session, ref string, q elicit.Request) elicit.Request {
	q.Session, q.Ref = session, ref
	return q
}

// searches have one limit each that a question can meet: one place before the person, two questions in a session, the
// times, and guardians that fail or say nothing.
var searches = []bounds{
	{name: "one place", config: `{"limits":{"shown":1,"answer_ttl_ms":1000,"burst":50,"per_minute":6000}}`,
		questions: []elicit.Request{in("a", "1", form), in("a", "2", page), in("b", "3", form)}, states: 2011},
	{name: "another engine", moves: true,
		config:    `{"limits":{"shown":3,"shown_ttl_ms":700,"page_ttl_ms":500,"burst":50,"per_minute":6000}}`,
		questions: []elicit.Request{in("a", "1", second), in("a", "2", page), in("b", "3", form)}, states: 611},
	{name: "guardians", config: guarded[0],
		questions: []elicit.Request{in("a", "1", form), in("b", "2", second)}, states: 610},
	{name: "one waits for another", config: `{"join_duplicates":true,"limits":{"shown":1,"queue":2,"burst":50,` +
		`"per_minute":6000}}`,
		questions: []elicit.Request{in("a", "1", form), in("a", "2", form), in("b", "3", form)},
		states:    741},
}

// TestEveryOrder plays every order of events and faults within small bounds. A question may be asked, also again while
// it is open, answered well, badly and late, taken back, and finished elsewhere. A guardian may answer, refuse, fail or
// say nothing. Time may pass to the next deadline. A session may end. The invariants are those of observer.
func TestEveryOrder(t *testing.T) {
	for _, b := range searches {
		t.Run(b.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("it takes ten seconds of a processor")
			}
			states, steps := b.search(t)
			t.Logf("%d states, %d steps", states, steps)
			if states < b.states {
				t.Errorf("the search reaches %d states, want %d: it has lost its subject", states, b.states)
			}
		})
	}
}

// search plays the shortest way to every state once, and from there each event.
func (b *bounds) search(t *testing.T) (states, steps int) {
	seen := map[[32]byte]bool{}
	for ways := [][]event.Event{nil}; len(ways) > 0; {
		way := ways[0]
		ways = ways[1:]
		for _, ev := range b.play(t, way).possible() {
			p := b.play(t, way)
			if b.moves {
				p.compareMoved(ev)
			}
			p.step(ev)
			steps++
			key := p.key()
			if !seen[key] {
				seen[key] = true
				ways = append(ways, append(slices.Clip(way), ev))
				p.leave()
			}
		}
	}
	return len(seen), steps
}

// played is one way, and what a host knows at its end.
type played struct {
	*observer
	t        *testing.T
	b        *bounds
	e        *engine.Engine
	at       int64
	way      []event.Event
	names    naming
	ids      map[string]elicit.ID // by ref
	open     map[string]bool      // refs that were asked: false once they ended
	consults []effect.Consult
	sessions map[string]bool
}

func (b *bounds) play(t *testing.T, way []event.Event) *played {
	p := &played{observer: newObserver(t, map[string]int{}), t: t, b: b, e: engine.New(), at: 1000, names: naming{},
		ids: map[string]elicit.ID{}, open: map[string]bool{}, sessions: map[string]bool{"a": true, "b": true}}
	p.step(event.Configured{Config: []byte(b.config)})
	both := elicit.Modes{Form: true, URL: true}
	for _, name := range []string{"a", "b"} {
		p.step(event.Opened{Session: name, Server: "s", Principal: "me", Side: elicit.Answering, Declared: both, Shown: both})
	}
	for _, ev := range way {
		p.step(ev)
	}
	return p
}

// possible lists the events that may come next.
func (p *played) possible() (list []event.Event) {
	if p.wake > 0 {
		list = append(list, event.Ticked{})
	}
	for _, q := range p.b.questions {
		if !p.sessions[q.Session] {
			continue
		}
		if open, asked := p.open[q.Ref]; !asked || open {
			list = append(list, event.Asked{Request: q})
		}
		if p.open[q.Ref] {
			list = append(list, event.Cancelled{Session: q.Session, Ref: q.Ref})
		}
		if id := p.ids[q.Ref]; id != "" {
			answer := event.Answered{Session: q.Session, ID: id, Principal: "me", Action: elicit.Accept}
			decline := answer
			if decline.Action = elicit.Decline; q.Mode == elicit.Form {
				unfit := answer
				unfit.Content, answer.Content = []byte(`{"name":1}`), []byte(`{"name":"Ada"}`)
				if string(q.Schema) == oneTap {
					unfit.Content, answer.Content = []byte(`[]`), []byte(`{}`)
				}
				list = append(list, unfit)
			}
			list = append(list, answer, decline)
		}
		if q.Link != "" {
			list = append(list, event.Completed{Session: q.Session, Link: q.Link})
		}
	}
	for _, c := range p.consults {
		said := event.Consulted{Session: c.Session, ID: c.ID, Round: c.Round}
		for _, output := range []string{`{"v":1,"decision":"pass"}`, `{"v":1,"decision":"deny"}`} {
			said.Output = output
			list = append(list, said)
		}
		said.Output, said.Fault = "", guardian.Fault("trap")
		list = append(list, said)
	}
	for _, name := range slices.Sorted(maps.Keys(p.sessions)) {
		list = append(list, event.Closed{Session: name, Cause: elicit.BySessionClosed})
	}
	return list
}

// input is an event at its time. Ids come of the question and not of the way to it, so that two ways meet in one state.
func (p *played) input(ev event.Event) engine.Input {
	if _, ok := ev.(event.Ticked); ok {
		p.at = max(p.at, p.wake)
	}
	return engine.Input{At: p.at, Event: ev, Random: sha256.Sum256(ev.AppendJSON(nil))}
}

func (p *played) step(ev event.Event) {
	input := p.input(ev)
	p.way = append(p.way, ev)
	effects := p.e.Step(input)
	defer func() {
		if p.t.Failed() {
			for _, ev := range p.way {
				p.t.Logf("%s", ev.AppendJSON(nil))
			}
		}
	}()
	p.check(input, effects)
	p.checkWake(input, p.e)
	p.names.render(effects)
	switch ev := ev.(type) {
	case event.Asked:
		if _, asked := p.open[ev.Ref]; !asked {
			p.open[ev.Ref] = true
		}
	case event.Cancelled:
		p.open[ev.Ref] = false
	case event.Closed:
		delete(p.sessions, ev.Session)
		for _, q := range p.b.questions {
			if _, asked := p.open[q.Ref]; asked && q.Session == ev.Session {
				p.open[q.Ref] = false
			}
		}
	case event.Consulted:
		p.consults = slices.DeleteFunc(p.consults,
			func(c effect.Consult) bool { return c.ID == ev.ID && c.Round == ev.Round })
	}
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			p.ids[ef.Ref] = ef.ID
		case effect.Reply:
			if ef.Cause != elicit.ByDuplicate {
				p.ids[ef.Ref], p.open[ef.Ref] = ef.ID, false
			}
		case effect.Consult:
			if asked, ok := ev.(event.Asked); ok && p.ids[asked.Ref] == "" {
				p.ids[asked.Ref] = ef.ID
			}
			p.consults = slices.DeleteFunc(p.consults, // the engine waits for the last round alone
				func(c effect.Consult) bool { return c.ID == ef.ID && c.Guardian == ef.Guardian })
			p.consults = append(p.consults, ef)
		}
	}
}

// key is the same for two ways after which the engine and its host know the same. It takes a question by its ref and a
// deadline by how far away it is. It leaves out the order in which questions ended, the numbers of the rounds
// of guardians, and how much of a rate is left, which no search uses up.
func (p *played) key() [32]byte {
	h := sha256.New()
	fmt.Fprintln(h, p.wake-p.at, p.open, p.sessions)
	var names []string
	for _, ref := range slices.Sorted(maps.Keys(p.ids)) {
		names = append(names, string(p.ids[ref]), ref)
	}
	refs := strings.NewReplacer(names...)
	for _, c := range p.consults {
		fmt.Fprintln(h, refs.Replace(string(c.ID)), c.Guardian)
	}
	for _, name := range p.e.Sessions() {
		raw, _ := p.e.Save(name)
		var state map[string]any
		must.Unmarshal(p.t, refs.Replace(string(raw)), &state)
		delete(state, "allowance")
		delete(state, "allowance_at")
		for _, item := range state["open"].([]any) {
			open := item.(map[string]any)
			if at, ok := open["deadline"].(float64); ok {
				open["deadline"] = at - float64(p.at)
			}
			delete(open, "rounds")
		}
		slices.SortFunc(state["ended"].([]any), func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		fmt.Fprintln(h, state)
	}
	return [32]byte(h.Sum(nil))
}

// leave ends every session, after which nobody waits, and replays the journal.
func (p *played) leave() {
	for _, name := range slices.Sorted(maps.Keys(p.sessions)) {
		p.step(event.Closed{Session: name, Cause: elicit.ByShutdown})
	}
	p.checkJournal(nil)
}

// compareMoved takes the sessions to another engine, where an event must have the same effects.
func (p *played) compareMoved(ev event.Event) {
	twin := engine.New()
	twin.Step(engine.Input{At: p.at, Event: event.Configured{Config: []byte(p.b.config)}})
	for _, name := range p.e.Sessions() {
		state, _ := p.e.Save(name)
		twin.Step(engine.Input{At: p.at, Event: event.Resumed{State: state}})
	}
	old := p.b.play(p.t, p.way[3:])
	input := old.input(ev)
	want, got := bySession(old.names, old.e.Step(input)), bySession(p.names, twin.Step(input))
	if want != got {
		p.t.Fatalf("after %v\nwant %s\ngot  %s", p.way, want, got)
	}
}

// bySession renders effects, those of one session after those of another: the other engine has the order of its own
// only between sessions.
func bySession(names naming, effects []effect.Effect) (all string) {
	for _, name := range []string{"a", "b", ""} {
		all += names.clone().render(slices.DeleteFunc(slices.Clone(effects), func(next effect.Effect) bool {
			session, _ := sessionOf(next)
			return session != name
		}))
	}
	return all
}
