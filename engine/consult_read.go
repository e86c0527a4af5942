package engine

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/schema"
)

// bounded is the event as the journal can hold it. The bound is MaxReview for guests too, although a verdict has a
// lower one: ReadVerdict refuses that later, under its own code. An output that is no UTF-8 could not stand in a
// record, so it counts as a fault.
func bounded(ev event.Consulted) event.Consulted {
	switch {
	case len(ev.Output) > guardian.MaxReview:
		ev.Output, ev.Fault = "", guardian.FaultOutputTooLarge
	case !utf8.ValidString(ev.Output):
		ev.Output, ev.Fault = "", guardian.FaultBadOutput
	}
	ev.Fuel = min(max(ev.Fuel, 0), guardian.MaxFuel)
	return ev
}

// withoutWords is the event as the journal may keep it when nobody read it: without words and fuel that may hold what
// only one guardian was shown. The "?" says that there was an output. A replay refuses it for the same reason as the
// live step, which is one of the round and never of the words.
func withoutWords(ev event.Consulted) event.Consulted {
	if ev.Output != "" {
		ev.Output = "?"
	}
	ev.Fuel = 0
	return ev
}

// readGuest reads what a guest wrote. Of one that was shown a secret the journal keeps no word of its own, and no fuel:
// a guest chooses how much it uses.
func (a *pendingConsult) readGuest(ev event.Consulted, form *schema.Form) event.Consulted {
	// A guardian that saw a secret could write it into its verdict, or spell it by the fuel that it burns. Of its words
	// only those remain that it declared before it saw anything. Example: a guest that was shown a password may burn
	// 1,000 × (first letter) steps and pass. The fuel in a journal would then tell that letter.
	if a.Withheld() {
		ev.Fuel = 0
	}
	a.done, a.result.Fuel = true, ev.Fuel
	if ev.Fault != "" {
		a.result.Fault = guardian.ReadFault(string(ev.Fault))
		return ev
	}
	a.result.Verdict, a.result.Problem = guardian.ReadVerdict([]byte(ev.Output), a.Phase)
	if a.result.Problem == nil {
		// The verdict may redact only fields that exist. A misspelt pointer would leave the value in the answer.
		isField := func(name string) bool { return form != nil && form.Field(name) != nil }
		a.result.Problem = a.result.Verdict.RedactsNothing(isField)
	}
	if a.result.Problem != nil {
		a.result.Verdict, a.result.Fault = guardian.Verdict{}, guardian.FaultBadVerdict
		if a.Withheld() {
			ev.Output, a.result.Problem = "?", &elicit.Problem{Code: "verdict_unreadable"}
		}
		return ev
	}
	if a.Withheld() {
		a.result.Verdict = a.result.Verdict.Discreet(a.permit.Declared.Codes, namesOf(form))
		ev.Output = string(a.result.Verdict.AppendJSON(nil))
	}
	return ev
}

// secondPersonTTL is how long another person may take, in milliseconds.
const secondPersonTTL = 24 * 3600 * 1000

// readSecondPerson takes another person's word about a question to principal. It reports false when the word is nobody
// else's, and the request waits on. A word that is neither yes nor no settles the request: whoever was asked has
// answered, and nobody will be asked again.
func (a *pendingConsult) readSecondPerson(ev event.Consulted, principal string) bool {
	if ev.Fault != "" {
		a.done, a.result.Fault = true, guardian.ReadFault(string(ev.Fault))
		return true
	}
	// Four eyes are two people. Principals that differ only in spelling are one person.
	if who := guardian.Person(ev.Principal); who == "" || who == guardian.Person(principal) {
		return false
	}
	v, problem := guardian.ReadVerdict([]byte(ev.Output), effect.SecondPerson)
	if problem == nil && v.Decision != guardian.Allow && v.Decision != guardian.Deny {
		problem = &elicit.Problem{Code: "unknown_decision", Pointer: "/decision",
			Args: []elicit.Arg{elicit.Str("decision", v.Decision.String())}}
	}
	a.done, a.result.Verdict, a.result.Problem, a.by = true, v, problem, ev.Principal
	return true
}

// secondPeople is what the second persons make of an answer: accepted when all of them approved it.
func (c *consultation) secondPeople() (outcome elicit.Outcome, reasons []elicit.Reason) {
	outcome = elicit.Accepted
	for i := range c.asks {
		a := &c.asks[i]
		r := elicit.Reason{Args: []elicit.Arg{elicit.Str("guardian", a.Guardian), elicit.Str("principal", a.by)}}
		switch {
		case a.result.Fault != "":
			r.Code, r.Args = "second_person_missing", append(r.Args[:1], elicit.Str("fault", string(a.result.Fault)))
			outcome = elicit.Cancelled
		case a.result.Problem != nil:
			r.Code, r.Args = "second_person_undecided", append(r.Args, elicit.Str("problem", a.result.Problem.Code))
			outcome = elicit.Cancelled
		case a.result.Verdict.Decision == guardian.Allow:
			r.Code = "second_person_approved"
		default:
			r.Code, outcome = "second_person_refused", elicit.Declined
		}
		reasons = append(reasons, r)
		if r.Code == "second_person_refused" {
			break
		}
	}
	return outcome, reasons
}
