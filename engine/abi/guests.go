package abi

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Guests are the modules of guardians that a door holds, by digest, and may be able to run. They belong to the door, not
// to one engine, and are called from any goroutine.
type Guests interface {
	// Load checks a module, keeps it and describes it as JSON. One with problems is not kept.
	Load(module []byte) (description []byte, problems []elicit.Problem)
	// Manifest is what the module of a digest says of itself, and whether it imports WASI.
	Manifest(digest string) (m guardian.Manifest, wasi, held bool)
	// CheckSettings asks the module of the grant whether its settings fit; pointers are into the settings. It reports
	// whether the door could ask at all.
	CheckSettings(g guardian.Grant) (problems []elicit.Problem, asked bool)
	// Evaluate asks a guardian. Only Output, Fault and Fuel of the answer are read. A door that does not hold the module,
	// or cannot run it, knows nothing, and the consult goes out to the host.
	Evaluate(c engine.Consult) (said engine.Consulted, known bool)
}

// maxRounds bounds the guardians that one input may set to work here; what is more goes out to the host. An engine asks
// 16 of them about a request in each of two phases, and a session that is resumed may bring its queue along.
const maxRounds = 1 << 12

// consult performs the consults among the effects of a step that the door's guests can answer, as a host would that does
// so before the next input: at the same time, and with dice that are, for each such step, the SHA-256 of those of the
// step before. What is left: the records of all steps first, in order; then what each step wants done, in the order of the
// steps; and of the wakes only the last, which is the one that holds.
func (t *Table) consult(e *engine.Engine, in engine.Input, effects []engine.Effect) []engine.Effect {
	if t.Guests == nil || !slices.ContainsFunc(effects, guestly) {
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
				if said, known := t.ask(ef, n); known {
					answers = append(answers, said)
					continue
				}
				rest = append(rest, ef)
			default:
				rest = append(rest, effect)
			}
		}
		if len(answers) == 0 {
			break
		}
		in.Dice = digest.Sum256(in.Dice[:])
		in.Event = answers[0]
		effects, answers = e.Step(in), answers[1:]
	}
	if wake != nil {
		rest = append(rest, wake)
	}
	return append(records, rest...)
}

// guestly effects ask for a guest that is not the host's to run.
func guestly(effect engine.Effect) bool {
	c, ok := effect.(engine.Consult)
	return ok && c.Digest != "" && !c.Host
}

// ask puts a question to a guest that the door holds.
func (t *Table) ask(c engine.Consult, rounds int) (engine.Consulted, bool) {
	if !guestly(c) || rounds >= maxRounds {
		return engine.Consulted{}, false
	}
	said, known := t.Guests.Evaluate(c)
	return engine.Consulted{Session: c.Session, ID: c.ID, Round: c.Round, Output: said.Output, Fault: said.Fault, Fuel: said.Fuel}, known
}

// unfit is what the guests that the door holds have against a configuration: a grant must declare what the module
// declares, and the module must take the settings. Whatever else is wrong with the configuration the engine says.
func (t *Table) unfit(config []byte) (problems []elicit.Problem) {
	if t.Guests == nil || jsontext.Check(config, jsontext.Limits{Bytes: MaxInput, Depth: 140}) != nil {
		return nil
	}
	grants, wrong := guardian.ReadGrants(member(gjson.ParseBytes(config), "guardians"))
	if len(wrong) > 0 {
		return nil
	}
	for i, g := range grants {
		for _, p := range t.misfit(g) {
			p.Pointer = "/guardians/" + elicit.Num("", i).Raw + p.Pointer
			p.Args = append([]elicit.Arg{elicit.Str("guardian", g.Name)}, p.Args...)
			problems = append(problems, p)
		}
	}
	return problems
}

func (t *Table) misfit(g guardian.Grant) []elicit.Problem {
	m, wasi, held := t.Guests.Manifest(g.Digest)
	switch {
	case g.Digest == "" || !held:
		return nil
	case !sameSet(g.Declared.Phases, m.Phases, func(p guardian.Phase) string { return string(p) }),
		!sameSet(g.Declared.Reads, m.Reads, guardian.Pattern.String):
		return []elicit.Problem{{Code: "guardian_declared_wrong", Pointer: "/declared"}}
	case wasi && !g.WASI:
		return []elicit.Problem{{Code: "guardian_wasi", Pointer: "/wasi"}}
	}
	problems, _ := t.Guests.CheckSettings(g)
	for i := range problems {
		problems[i].Pointer = "/settings" + problems[i].Pointer
	}
	return problems
}

// sameSet reports whether two lists hold the same, in whatever order.
func sameSet[T any](a, b []T, spelled func(T) string) bool {
	within := func(some, all []T) bool {
		return !slices.ContainsFunc(some, func(x T) bool {
			return !slices.ContainsFunc(all, func(y T) bool { return spelled(x) == spelled(y) })
		})
	}
	return within(a, b) && within(b, a)
}

// Load gives the door a guardian's module, its bytes as they are, and appends what it is:
//
//	{"digest","manifest":{…},"abi","wasi","initialize","fuel_version","sizes":{…},"metered"?:"base64"}
func (t *Table) Load(module, dst []byte) ([]byte, Status) {
	switch {
	case t.Guests == nil:
		return appendProblem(dst, elicit.Problem{Code: "no_guests"}), Invalid
	case len(module) > MaxInput:
		return appendProblem(dst, tooLarge()), TooLarge
	}
	description, problems := t.Guests.Load(module)
	if len(problems) > 0 {
		return appendProblem(dst, problems...), Invalid
	}
	return append(dst, description...), OK
}
