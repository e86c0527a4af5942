package guardian

import "github.com/elicit-engine/elicit/engine/elicit"

// Combined is the combination of several results.
type Combined struct {
	Decision Decision // the strongest of those that count; Pass if none does
	// The indexes are into the results that Combine got. Second may name results that did not determine the decision:
	// an obligation holds whatever the others say.
	Determining []int // indexes of the results with that decision, ascending; none for Pass
	Reasons     []elicit.Reason
	Findings    []elicit.Finding
	Redact      []string // pointers into the answer
	Second      []int    // indexes of the results that require another person's approval
}

// Combine combines all results: deny before ask before allow before pass. onFault is the decision to assume for a
// fault, Deny or Ask. The results of guardians in audit mode are reported but do not count. There is one reason for
// each result, in their order, also for those in audit mode. Redact may name a member twice.
func Combine(results []Result, onFault Decision) Combined {
	c := Combined{Decision: Pass}
	for i := range results {
		r := &results[i]
		said := r.Decision(onFault)
		if said == Allow && !r.Audit {
			// A guest that says allow would otherwise hide a pass of another in Determining.
			said = Pass // only a reviewer may allow
		}
		if !r.Audit && said > c.Decision {
			c.Decision, c.Determining = said, c.Determining[:0]
		}
		if !r.Audit && said == c.Decision && said > Pass {
			c.Determining = append(c.Determining, i)
		}
		c.Reasons = append(c.Reasons, r.reason(onFault))
		// No finding, redaction or second person follows from a guardian that does not count, or that said nothing.
		if r.Audit || r.Fault != "" {
			continue
		}
		c.Findings = append(c.Findings, r.findings()...)
		c.Redact = append(c.Redact, r.Verdict.Redact...)
		if r.Verdict.Second {
			c.Second = append(c.Second, i)
		}
	}
	return c
}

// reasonOf has the code of the reason for each decision.
var reasonOf = [...]string{Pass: "guardian_passed", Allow: "guardian_allowed", Ask: "guardian_asked",
	Deny: "guardian_denied"}

// reason describes one result: who, what, and at what cost. A person, an auditor and the statistics read it. Its words
// never decide anything again. The fuel shows how near a guest is to its budget.
func (r *Result) reason(onFault Decision) elicit.Reason {
	out := elicit.Reason{Args: []elicit.Arg{elicit.Str("guardian", r.Guardian)}}
	say := func(name, value string) { out.Args = append(out.Args, elicit.Str(name, value)) }
	switch {
	case r.Audit:
		out.Code = "guardian_audit"
		if r.Fault != "" {
			say("said", "fault "+string(r.Fault))
		} else {
			say("said", r.Verdict.Decision.String())
		}
	case r.Fault != "":
		out.Code = "guardian_fault"
		say("fault", string(r.Fault))
		say("counts_as", onFault.String())
	default:
		out.Code = reasonOf[r.Verdict.Decision]
	}
	if r.Fault == "" && (len(r.Verdict.Findings) > 0 || r.Verdict.Decision > Allow) {
		say("because", r.Remarks()[0].Message)
	}
	if r.Problem != nil {
		say("problem", r.Problem.Code)
		say("at", r.Problem.Pointer)
	}
	if r.Fuel > 0 {
		out.Args = append(out.Args, elicit.Num("fuel", int(r.Fuel)))
	}
	if r.Digest != "" {
		say("digest", r.Digest)
	}
	say("of", r.Phase.subject())
	return out
}

// subject names in one word what guardians look at in a phase. A second person looks at an answer as well, but has no
// Result.
func (p Phase) subject() string {
	if p == BeforeSend {
		return "answer"
	}
	return "question"
}

// Remarks returns the findings of the verdict, or why there is no verdict. There is at least one. The result may be the
// verdict's own slice: nobody writes into it.
func (r *Result) Remarks() []Finding {
	switch {
	case r.Fault != "":
		return []Finding{{Message: "fault " + string(r.Fault)}}
	case len(r.Verdict.Findings) == 0:
		return []Finding{{Message: "no reason given"}}
	}
	return r.Verdict.Findings
}

// findings returns the verdict's findings in the engine's own form. A guest's code and words are arguments, so that it
// cannot pass for anyone else. The pointer is the guest's own, into its question. It is kept as it stands, also when it
// points nowhere.
func (r *Result) findings() []elicit.Finding {
	list := make([]elicit.Finding, len(r.Verdict.Findings))
	for i, f := range r.Verdict.Findings {
		list[i] = elicit.Finding{Code: "guardian_finding", Severity: f.Severity, Pointer: f.Pointer,
			Args: []elicit.Arg{elicit.Str("guardian", r.Guardian), elicit.Str("code", f.Code), elicit.Str("message", f.Message)}}
	}
	return list
}
