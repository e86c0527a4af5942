// Package guardian knows what is put to a guardian and what its answer means: the grant an operator gives it, the
// question that holds no more than was both declared and granted, the verdict in the guardian's own words, and how the
// verdicts of several make one. It runs nothing: guests run in plugins/host or in a browser's own engine, reviewers
// wherever the host has one.
package guardian

import "github.com/elicit-engine/elicit/engine/elicit"

// Decision is a guardian's word. The zero value is none.
type Decision uint8

// The decisions, from the weakest: the strongest of several counts.
const (
	Pass  Decision = iota + 1 // no opinion
	Allow                     // from a reviewer: no person need be asked; from others it counts as Pass
	Ask                       // a person must be asked, or must confirm what was typed
	Deny                      // not to be shown, not to be sent
)

// String is the decision's spelling in verdicts and journals; what is unknown denies.
func (d Decision) String() string {
	switch d {
	case Pass:
		return "pass"
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}

func parseDecision(s string) (Decision, bool) {
	for _, d := range []Decision{Pass, Allow, Ask, Deny} {
		if d.String() == s {
			return d, true
		}
	}
	return 0, false
}

// Fault says why there is no verdict. A fault is no opinion of the guardian's, and never a pass.
type Fault string

// Faults of a guest, as hosts spell them, and those the engine finds itself.
const (
	FaultFuel             Fault = "fuel"
	FaultDepth            Fault = "depth"
	FaultTrap             Fault = "trap"
	FaultStart            Fault = "start"     // the start section or _initialize failed
	FaultNoMemory         Fault = "no_memory" // no instance could be made
	FaultBadAlloc         Fault = "bad_alloc" // elicit_alloc gave no room
	FaultBadOutput        Fault = "bad_output"
	FaultOutputTooLarge   Fault = "output_too_large"
	FaultQuestionTooLarge Fault = "question_too_large"
	FaultExit             Fault = "exit"       // WASI proc_exit, whatever the code
	FaultRefused          Fault = "refused"    // elicit_evaluate returned 0
	FaultNotLoaded        Fault = "not_loaded" // nobody holds the module
	FaultUnavailable      Fault = "unavailable"
	FaultInternal         Fault = "internal"

	FaultTimeout    Fault = "timeout"     // no answer by the deadline
	FaultBadVerdict Fault = "bad_verdict" // an answer that is no verdict
	FaultUnknown    Fault = "unknown"     // a fault that is not known here
)

// Faults lists those a host may report.
func Faults() []Fault {
	return []Fault{FaultFuel, FaultDepth, FaultTrap, FaultStart, FaultNoMemory, FaultBadAlloc, FaultBadOutput,
		FaultOutputTooLarge, FaultQuestionTooLarge, FaultExit, FaultRefused, FaultNotLoaded, FaultUnavailable, FaultInternal}
}

// ReadFault is the fault a host reported.
func ReadFault(s string) Fault {
	for _, f := range Faults() {
		if string(f) == s {
			return f
		}
	}
	return FaultUnknown
}

// Result is what came of asking one guardian: a verdict or a fault.
type Result struct {
	Guardian string
	Digest   string
	Audit    bool
	Phase    Phase
	Verdict  Verdict
	Fault    Fault
	Problem  *elicit.Problem // bad_verdict: what is wrong with it
	Fuel     int64           // used; 0 when nobody counted
}

// Decision is what the result amounts to: the verdict's word, or onFault.
func (r *Result) Decision(onFault Decision) Decision {
	if r.Fault != "" {
		return onFault
	}
	return r.Verdict.Decision
}
