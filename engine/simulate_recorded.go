package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// recordedOutcome is what a record says came of the question it brought. agrees is lenient where the record is silent:
// notRecorded and endedEarly agree with every decision.
type recordedOutcome struct {
	end     recordedEnd
	outcome policy.Outcome // settled: how
	effect  gjson.Result   // that tells it, if one does
}

type recordedEnd uint8

const (
	endedEarly      recordedEnd = iota // refused before policy was heard
	putToPerson                        // put before a person, or would have been had there been one
	settledByPolicy                    // answered by policy
	notRecorded                        // the record was cut short
)

// recordedOutcomeOf reads the effects of the record that brought the request id. They may be about other requests as
// well: those whose time was up and those whose turn came. A question that waits for its turn leaves no effect, so
// silence means "put before a person".
func recordedOutcomeOf(effects []byte, id elicit.ID) (f recordedOutcome) {
	f.end = putToPerson // a request that waits for its turn has no effect of its own yet
	gjson.ParseBytes(effects).ForEach(func(_, e gjson.Result) bool {
		switch name := e.Get("effect").Str; {
		// The handler gave up before policy was heard, so there is nothing to compare.
		case name == "problem":
			f.end = endedEarly // an unknown session, or a handle in use
			return false
		case name == "cut":
			f.end = notRecorded
		case e.Get("id").Str != string(id):
		case name == "consult":
			f.end = notRecorded // guardians had the last word, in another record
		case name == "show":
			f = recordedOutcome{end: putToPerson, effect: e}
			return false
		case name == "reply":
			f = recordedReply(e)
			return false
		}
		return true
	})
	return f
}

// recordedReply reads the reply that came in the record of the question. A cause that is neither policy nor "nobody
// there" leaves endedEarly, which agrees with every decision.
func recordedReply(reply gjson.Result) recordedOutcome {
	f := recordedOutcome{effect: reply}
	switch cause := elicit.Cause(reply.Get("cause").Str); cause {
	case elicit.ByPolicy:
		f.end = settledByPolicy
	case elicit.ByNoUI, elicit.ByNoAnswer:
		f.end = putToPerson
	}
	switch elicit.Outcome(reply.Get("outcome").Str) {
	case elicit.Accepted:
		f.outcome = policy.Accept
	case elicit.Cancelled:
		f.outcome = policy.Cancel
	default:
		f.outcome = policy.Decline
	}
	return f
}

// agrees reports whether a decision leads to this outcome.
func (f recordedOutcome) agrees(o policy.Outcome) bool {
	switch f.end {
	case putToPerson:
		return o == policy.Ask || o == policy.Review
	case settledByPolicy:
		return o == f.outcome
	}
	return true
}

// decision is the outcome as a decision, for records that this engine cannot explain.
func (f recordedOutcome) decision() policy.Decision {
	if f.end == putToPerson {
		return policy.Decision{Outcome: policy.Ask, Reasons: readReasons(f.effect)}
	}
	return policy.Decision{Outcome: f.outcome, Reasons: readReasons(f.effect)}
}

// readReasons reads what was decided then. The words of today may differ.
func readReasons(effect gjson.Result) (reasons []elicit.Reason) {
	effect.Get("reasons").ForEach(func(_, r gjson.Result) bool {
		reasons = append(reasons, elicit.Reason{Code: r.Get("code").String(), Layer: r.Get("layer").String(),
			Rule: r.Get("rule").String(), Args: readArgs(r)})
		return true
	})
	return reasons
}

// granted names the grant by which the question was accepted, "" without one.
func (f recordedOutcome) granted() string { return f.reason("granted").Get("args.grant").Str }

// muted reports that the server was not heard, so that policy was not either.
func (f recordedOutcome) muted() bool { return f.reason("muted").Exists() }

// reason finds a reason by its code in a reply of policy, and nothing in any other outcome.
func (f recordedOutcome) reason(code string) (found gjson.Result) {
	if f.end == settledByPolicy {
		f.effect.Get("reasons").ForEach(func(_, r gjson.Result) bool {
			if r.Get("code").Str == code {
				found = r
			}
			return !found.Exists()
		})
	}
	return found
}
