package pull

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Engine is an engine without a connection, as a machine of the loop. It takes the events of an engine. Other events do
// nothing, but after relay.AppendFailed it has no effects. It lets a host that speaks no protocol use the same loop,
// with the same journal, guests and timer.
type Engine struct {
	*engine.Engine
	Guests engine.Guests // nil for none

	clock  elicit.Clock
	failed bool
}

// Step gives the engine an event.
func (e *Engine) Step(in relay.Input) (effects []relay.Effect) {
	switch ev := in.Event.(type) {
	case relay.AppendFailed:
		e.failed = true
	case event.Event:
		if e.failed {
			break
		}
		// A connection does the same inside of package relay. Here the clock is the adapter's.
		given := engine.Input{At: in.At, Random: in.Random, Event: ev}
		if in.Elapsed > 0 {
			given.At, given.Now = e.clock.Read(in.At, in.Elapsed, strict.LastMoment)
		}
		for _, next := range StepWithGuests(e.Engine, e.Guests, given) {
			effects = append(effects, next)
		}
	}
	return effects
}

// mostRounds is the most guardians that one input may run here. Further consults go out to the host. An engine asks at
// most 16 guardians about a request in each of two phases, and a resumed session may bring a queue of requests.
const mostRounds = 1 << 12

// StepWithGuests steps an engine and runs the consults that the guests can answer, as a host would that runs them
// before the next input. It returns the records of all steps first, in order, then the other effects in the order of
// the steps. Of the wakes only the last remains, because it is the one that holds.
func StepWithGuests(e *engine.Engine, guests engine.Guests, in engine.Input) []effect.Effect {
	effects := e.Step(in)
	consults := func(next effect.Effect) bool { _, ok := next.(effect.Consult); return ok }
	if guests == nil || !slices.ContainsFunc(effects, consults) {
		return effects
	}
	var records, rest []effect.Effect
	var wake effect.Effect
	// The queue of answers grows by the consults of each step and shrinks by one a step. The loop ends, because n
	// counts the steps: after mostRounds no consult is answered here any more.
	for answers, n := []event.Consulted(nil), 0; ; n++ {
		for _, next := range effects {
			switch ef := next.(type) {
			case effect.Append:
				records = append(records, ef)
			case effect.Wake:
				wake = ef
			case effect.Consult:
				if n < mostRounds {
					if said, known := ef.Ask(guests); known {
						answers = append(answers, said)
						continue
					}
				}
				rest = append(rest, ef)
			default:
				rest = append(rest, next)
			}
		}
		if len(answers) == 0 {
			break
		}
		// The time stays, so a slow machine gives no guest another deadline than a fast one.
		in = in.Then(answers[0])
		effects, answers = e.Step(in), answers[1:]
	}
	if wake != nil {
		rest = append(rest, wake)
	}
	return append(records, rest...)
}
