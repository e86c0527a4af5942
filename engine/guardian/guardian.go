// Package guardian defines the question to a guardian and the meaning of its answer. It has the permit that an operator
// gives to a guardian, the question, which has only what was both declared and permitted, the guardian's verdict, and
// the combination of several verdicts. It runs nothing: guests run in plugins/host or in a browser's own engine, and
// reviewers run wherever the host has them.
//
// One consult, from the engine's side:
//
//	asks := guardian.Questions(&subject)                     // once for a question, however many guardians
//	q := asks.Question(&permit, seed)                        // q.Text to the guest, q.Kept into the journal
//	v, problem := guardian.ReadVerdict(output, guardian.BeforeShow)
//	said := guardian.Combine([]guardian.Result{{Guardian: permit.Name, Verdict: v}}, guardian.Deny)
//
// Three parties write what this package reads, and none is trusted with more than its part. An operator writes the
// permit. The author of a guest writes its manifest and its verdicts. A language model writes reviews. A guardian can
// make a decision stricter. Only a reviewer can let something pass, and only where policy asks for a review.
//
// Reading order: manifest.go and permit.go (what a guardian declares, and may do), reads.go (pointers into a question),
// question.go (what it is shown), verdict.go and discreet.go (what it answers, and what is kept of it), combine.go
// (several answers), review.go and prompt.go (reviewers), settings.go, narrow.go, person.go.
package guardian

import "github.com/elicit-engine/elicit/engine/elicit"

// Decision is the decision of a guardian. The zero value is none. The order of the numbers is the order of strength,
// which Combine compares.
type Decision uint8

// These are the decisions, from the weakest. The strongest of several counts.
const (
	_     Decision = iota // none
	Pass                  // no opinion
	Allow                 // from a reviewer: no person needs to be asked; from others it counts as Pass
	Ask                   // a person must be asked, or must confirm the answer
	Deny                  // must not be shown, must not be sent
)

// String returns the spelling in verdicts and journals. An unknown decision is "deny". A value that this version does
// not know must read as the strictest.
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

// parseDecision returns 0 for what is no decision. The loop ends at Deny, so no unknown number is asked for its
// fallback spelling "deny".
func parseDecision(s string) Decision {
	for d := Pass; d <= Deny; d++ {
		if d.String() == s {
			return d
		}
	}
	return 0
}

// Fault says why there is no verdict. A fault is not the guardian's opinion, and it never counts as a pass. Policy says
// what a fault counts as: deny, or ask a person (on_guardian_failure).
type Fault string

// These are the faults of a guest in the hosts' spelling, and those that the engine finds itself.
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
	FaultNotLoaded        Fault = "not_loaded" // nobody holds the module, or its data document
	FaultUnavailable      Fault = "unavailable"
	FaultInternal         Fault = "internal"

	FaultTimeout    Fault = "timeout"     // no answer by the deadline
	FaultBadVerdict Fault = "bad_verdict" // an answer that is no verdict
	FaultUnknown    Fault = "unknown"     // a fault that is not known here
)

// Faults lists the faults that a host may report. Those of the second group are missing: only the engine finds them,
// and a host that reports one gets FaultUnknown.
func Faults() []Fault {
	return []Fault{FaultFuel, FaultDepth, FaultTrap, FaultStart, FaultNoMemory, FaultBadAlloc, FaultBadOutput,
		FaultOutputTooLarge, FaultQuestionTooLarge, FaultExit, FaultRefused, FaultNotLoaded, FaultUnavailable, FaultInternal}
}

// ReadFault reads the fault that a host reported.
func ReadFault(s string) Fault {
	for _, f := range Faults() {
		if string(f) == s {
			return f
		}
	}
	return FaultUnknown
}

// Result is the result of asking one guardian: a verdict or a fault. Verdict counts only without a Fault. Digest, Audit
// and Phase are for the reason that the journal keeps.
type Result struct {
	Guardian string
	Digest   string
	Audit    bool
	Phase    Phase
	Verdict  Verdict
	Fault    Fault
	Problem  *elicit.Problem // for bad_verdict: what is wrong with it
	Fuel     int64           // used; 0 if it was not counted
}

// Decision returns the verdict's decision, or onFault for a fault.
func (r *Result) Decision(onFault Decision) Decision {
	if r.Fault != "" {
		return onFault
	}
	return r.Verdict.Decision
}
