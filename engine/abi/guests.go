package abi

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Guests are the modules that a door holds and may be able to run. They belong to the door, not to one engine, and are
// called from any goroutine. A consult they know nothing of goes out to the host.
type Guests interface {
	engine.Guests
	// Load checks a module, keeps it and describes it as JSON. One with problems is not kept.
	Load(module []byte) (description []byte, problems []elicit.Problem)
}

// maxRounds bounds the guardians that one input may set to work here; what is more goes out to the host. An engine asks
// 16 of them about a request in each of two phases, and a session that is resumed may bring its queue along.
const maxRounds = 1 << 12

// step steps the engine and performs the consults that the door's guests can answer, as a host would that does so before
// the next input. What is left: the records of all steps first, in order; then what each step wants done, in the order of
// the steps; and of the wakes only the last, which is the one that holds.
func (t *Table) step(e *engine.Engine, in engine.Input) []engine.Effect {
	effects := e.Step(in)
	consults := func(effect engine.Effect) bool { _, ok := effect.(engine.Consult); return ok }
	if t.Guests == nil || !slices.ContainsFunc(effects, consults) {
		return effects
	}
	var records, rest []engine.Effect
	var wake engine.Effect
	for answers, n := []engine.Consulted(nil), 0; ; n++ {
		for _, effect := range effects {
			switch ef := effect.(type) {
			case engine.Append:
				records = append(records, ef)
			case engine.Wake:
				wake = ef
			case engine.Consult:
				if n < maxRounds {
					if said, known := ef.Ask(t.Guests); known {
						answers = append(answers, said)
						continue
					}
				}
				rest = append(rest, ef)
			default:
				rest = append(rest, effect)
			}
		}
		if len(answers) == 0 {
			break
		}
		in = in.Then(answers[0])
		effects, answers = e.Step(in), answers[1:]
	}
	if wake != nil {
		rest = append(rest, wake)
	}
	return append(records, rest...)
}

// unfit is what the guests the door holds have against the configuration in the input, if it is one.
func (t *Table) unfit(in engine.Input, kind string) []elicit.Problem {
	c, configures := in.Event.(engine.Configured)
	if t.Guests == nil || !configures {
		return nil
	}
	problems := engine.Unfit(c.Config, t.Guests)
	if kind == "event" {
		for i := range problems {
			problems[i].Pointer = "/event/config" + problems[i].Pointer
		}
	}
	return problems
}

// Load gives the door a guardian's module, its bytes as they are, and appends what it is:
//
//	{"digest","manifest":{…},"abi","wasi","initialize","fuel_version","sizes":{…},"metered"?:"base64"}
func (t *Table) Load(module, dst []byte) ([]byte, Status) {
	switch {
	case t.Guests == nil:
		return appendProblem(dst, elicit.Problem{Code: "no_guests"}), Invalid
	case len(module) > MaxInput:
		return appendProblem(dst, elicit.Problem{Code: "module_too_large", Args: []elicit.Arg{
			elicit.Num("offset", MaxInput), elicit.Str("detail", "the module has more bytes than the limit")}}), TooLarge
	}
	description, problems := t.Guests.Load(module)
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	return append(dst, description...), OK
}
