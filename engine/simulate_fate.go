package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// fate is what a record says came of the question it brought.
type fate struct {
	what    ending
	outcome policy.Outcome // settled: how
	effect  gjson.Result   // that tells it, if one does
}

type ending uint8

const (
	early   ending = iota // refused before policy was heard
	asked                 // put before a person, or would have been had there been one
	settled               // answered by policy
	untold                // the record was cut short
)

// fateOf reads the effects of the record that brought the request id. They may be about other requests as well: those
// whose time was up and those whose turn came.
func fateOf(effects []byte, id elicit.ID) (f fate) {
	f.what = asked // a request that waits for its turn has no effect of its own yet
	gjson.ParseBytes(effects).ForEach(func(_, e gjson.Result) bool {
		switch name := e.Get("effect").Str; {
		case name == "problem":
			f.what = early // an unknown session, or a handle in use
			return false
		case name == "cut":
			f.what = untold
		case e.Get("id").Str != string(id):
		case name == "consult":
			f.what = untold // guardians had the last word, in another record
		case name == "show":
			f = fate{what: asked, effect: e}
			return false
		case name == "reply":
			f = replied(e)
			return false
		}
		return true
	})
	return f
}

func replied(reply gjson.Result) fate {
	f := fate{effect: reply}
	switch cause := elicit.Cause(reply.Get("cause").Str); cause {
	case elicit.ByPolicy:
		f.what = settled
	case elicit.ByNoUI:
		f.what = asked
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

// agrees reports whether a decision leads to this fate.
func (f fate) agrees(o policy.Outcome) bool {
	switch f.what {
	case asked:
		return o == policy.Ask || o == policy.Review
	case settled:
		return o == f.outcome
	}
	return true
}

// decision is the fate as a decision, for records that this engine cannot explain.
func (f fate) decision() policy.Decision {
	if f.what == asked {
		return policy.Decision{Outcome: policy.Ask, Reasons: readReasons(f.effect)}
	}
	return policy.Decision{Outcome: f.outcome, Reasons: readReasons(f.effect)}
}

func readReasons(effect gjson.Result) (reasons []elicit.Reason) {
	effect.Get("reasons").ForEach(func(_, r gjson.Result) bool {
		reasons = append(reasons, elicit.Reason{Code: r.Get("code").String(), Layer: r.Get("layer").String(),
			Rule: r.Get("rule").String(), Args: readArgs(r)})
		return true
	})
	return reasons
}

// granted names the grant by which the question was accepted, "" without one.
func (f fate) granted() string { return f.reason("granted").Get("args.grant").Str }

// muted reports that the server was not heard, so that policy was not either.
func (f fate) muted() bool { return f.reason("muted").Exists() }

func (f fate) reason(code string) (found gjson.Result) {
	if f.what == settled {
		f.effect.Get("reasons").ForEach(func(_, r gjson.Result) bool {
			if r.Get("code").Str == code {
				found = r
			}
			return !found.Exists()
		})
	}
	return found
}
