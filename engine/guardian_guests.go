package engine

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Guests are modules of guardians by digest, which the holder may be able to run. A verdict depends only on the module,
// its data document and the question, so the caller of Step may ask for it at once. A host without guests gives nil,
// and every consult then leaves as an effect. An implementation must answer the same for the same module, data and
// question: a journal records the answer, and nobody asks again.
type Guests interface {
	// Manifest is what the module of a digest says of itself, and whether it imports WASI.
	Manifest(digest string) (m guardian.Manifest, wasi, held bool)
	// Holds reports whether the data document of a digest is held.
	Holds(data string) bool
	// CheckSettings asks the module of the permit whether its settings fit; pointers are into the settings. It reports
	// whether it could be asked at all.
	CheckSettings(g guardian.Permit) (problems []elicit.Problem, asked bool)
	effect.Evaluator
}

// Then is the input that follows in with the answer of a guest. It has the time of in, so that no guest is late on a
// slow machine. Its random bytes are the SHA-256 of those of in. They differ from those of in, so that no two steps
// make an id from the same bytes.
func (in Input) Then(said event.Consulted) Input {
	return Input{At: in.At, Now: in.Now, Random: digest.Sum256(in.Random[:]), Event: said}
}

// CheckGuests checks a configuration against guests: a permit must declare what the module declares, and the module
// must take the settings. The engine reports all other problems of a configuration. nil says that nothing stands
// against it. It is nil also for a configuration with problems of its own, because the engine tells those. The engine
// itself never calls this: it knows digests and no modules.
func CheckGuests(config []byte, guests Guests) (problems []elicit.Problem) {
	if guests == nil {
		return nil
	}
	r, problems := strict.Document(config, documentLimits)
	permits := readGuardians(&r, "guardians")
	if len(problems)+len(r.Problems) > 0 {
		return nil
	}
	for i, g := range permits {
		for _, p := range permitProblems(g, guests) {
			p.Pointer = "/guardians/" + strconv.Itoa(i) + p.Pointer
			p.Args = append([]elicit.Arg{elicit.Str("guardian", g.Name)}, p.Args...)
			problems = append(problems, p)
		}
	}
	return problems
}

// permitProblems compares a permit with its module. The permit is what an operator read and agreed to, so a module that
// says otherwise is not run under it. A module that nobody holds is no problem here. Its consults go out to the host,
// or fail as not_loaded.
func permitProblems(g guardian.Permit, guests Guests) []elicit.Problem {
	m, wasi, held := guests.Manifest(g.Digest)
	switch {
	case g.Digest == "" || !held:
		return nil
	case !sameWords(g.Declared.Phases, m.Phases, func(p guardian.Phase) string { return string(p) }),
		!sameWords(g.Declared.Reads, m.Reads, guardian.Pattern.String),
		!slices.Equal(g.Declared.Codes, m.Codes): // their order counts where a secret is shown
		return []elicit.Problem{{Code: "guardian_declared_wrong", Pointer: "/declared"}}
	case wasi && !g.WASI:
		return []elicit.Problem{{Code: "guardian_wasi", Pointer: "/wasi"}}
	case m.Data != "" && g.Data == "":
		return []elicit.Problem{{Code: "guardian_data_missing", Pointer: "/data_digest",
			Args: []elicit.Arg{elicit.Str("data", m.Data)}}}
	case m.Data == "" && g.Data != "":
		return []elicit.Problem{{Code: "guardian_data_undeclared", Pointer: "/data_digest"}}
	case g.Data != "" && !guests.Holds(g.Data):
		return []elicit.Problem{{Code: "guardian_data_unheld", Pointer: "/data_digest",
			Args: []elicit.Arg{elicit.Str("digest", g.Data)}}}
	}
	// A module that could not be asked has no problems now. Each verdict of it will be a fault, which fails closed.
	problems, _ := guests.CheckSettings(g)
	problems = slices.Clone(problems)
	for i := range problems {
		problems[i].Pointer = "/settings" + problems[i].Pointer
	}
	return problems
}

// sameWords reports whether two lists hold the same, in whatever order.
func sameWords[T any](a, b []T, spelled func(T) string) bool {
	within := func(some, all []T) bool {
		return !slices.ContainsFunc(some, func(x T) bool {
			return !slices.ContainsFunc(all, func(y T) bool { return spelled(x) == spelled(y) })
		})
	}
	return within(a, b) && within(b, a)
}
