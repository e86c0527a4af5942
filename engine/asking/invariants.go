package asking

import "github.com/elicit-engine/elicit/engine/elicit"

// These invariants are asserted, always and in every host. An assertion that fails shows a bug of this package. The bug
// must not become an answer that no person gave, and nothing panics: the question that is concerned is cancelled, the
// host gets a problem that names the invariant, and all other questions go on.
const (
	settledOnce = "settled_once" // a question is settled while it is open, and never again
	bareRefusal = "bare_refusal" // only an accept carries content
	pageOnly    = "page_only"    // a person's answer that must not pass the client or a model came from a page
	callsAgree  = "calls_agree"  // each call has one place in the order of calls
)

// breaks names the invariant that an end of a question would break, "" if the handler may have it.
//
// The cost is one search through the open questions.
func (m *Machine) breaks(q *question, s *Settle) string {
	switch {
	case !m.questions.has(q):
		return settledOnce
	case s.Outcome != elicit.Accepted && s.Content != nil:
		return bareRefusal
	case s.Outcome == elicit.Accepted && s.Cause == elicit.ByUser && q.Mode == elicit.Form && !q.page &&
		(q.Secret || m.client.forAnother(q)):
		return pageOnly
	}
	return ""
}

// broken is the problem with an invariant that does not hold.
func broken(invariant string) elicit.Problem {
	return elicit.Problem{Code: "invariant_broken", Args: []elicit.Arg{elicit.Str("invariant", invariant)}}
}
