package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// secondPersonTTL is how long another person may take, in milliseconds.
const secondPersonTTL = 24 * 3600 * 1000

// readSecondPerson takes another person's word. It reports false when the word is nobody else's, and the request waits
// on. A word that is neither yes nor no settles the request: whoever was asked has answered, and nobody will be asked
// again.
func (s *step) readSecondPerson(a *pendingConsult, ev event.Consulted) bool {
	if ev.Fault != "" {
		a.done, a.result.Fault = true, guardian.ReadFault(string(ev.Fault))
		return true
	}
	if who := guardian.Person(ev.Principal); who == "" || who == guardian.Person(s.sessions[ev.Session].opened.Principal) {
		s.reportUnused(ev, elicit.Problem{Code: "same_principal"})
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

// concludeSecond sends what every second person approved.
func (s *step) concludeSecond(h *held, c *consultation) {
	outcome := elicit.Accepted
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
		h.reasons = append(h.reasons, r)
		if r.Code == "second_person_refused" {
			break
		}
	}
	if outcome != elicit.Accepted {
		s.withdraw(h, outcome, elicit.ByGuardian)
		return
	}
	s.deliver(h, *c.outgoing)
}
