package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// A question may be drawn by the peer's own client, or on the host's surface. The client comes first, because its
// person knows its forms. The host's surface takes a question that the client cannot draw or that nobody saw there.

// These are the reasons why a question is not, or no longer, with the client.
const (
	codeClientUnseen  = "client_unseen"   // the client cancelled sooner than a person could have read the question
	codeClientSilent  = "client_silent"   // the client gave no answer that can be read
	codeClientUnfit   = "client_unfit"    // the client's content does not fit the form
	codeFindingOnHost = "finding_on_host" // policy wants the host's surface for such a finding
)

// leavesClient are the reasons why a question that the client had goes to the host.
var leavesClient = []string{codeClientUnseen, codeClientSilent, codeClientUnfit}

// unseenByClient says why an answer from the side of the client is nobody's, or "". A cancel before unseen_ms has
// passed is one that no person gave: a client without a window cancels at once. at - shown.at is of the engine's clock.
// An accept always counts. Only a cancel or a missing answer can be nobody's.
func (q *question) unseenByClient(ev event.Answered, at, unseen int64) string {
	switch {
	case !q.shown.byClient || ev.Action == elicit.Accept:
	case ev.Via == event.ViaNoAnswer || ev.Via == event.ViaNoUI:
		return codeClientSilent
	case ev.Action != elicit.Cancel:
	case ev.Via == event.ViaClient && at-q.shown.at < unseen:
		return codeClientUnseen
	}
	return ""
}

// chooseSurface says who draws a question. It runs before a question is queued or released, and never again. requeue
// alone moves a question later, from the client to the host.
func (q *question) chooseSurface(stack policy.Stack) {
	opened, mode := q.opened, q.request.Mode
	if q.shown.byClient = opened.Client.Has(mode); !q.shown.byClient || !opened.Shown.Has(mode) {
		return
	}
	if q.shown.left != "" { // the client had its turn, perhaps before an engine that was replaced
		q.shown.byClient = false
		return
	}
	// A client's form may hide what a person should see, such as the real host of a link. The host's surface shows
	// it.
	if severity := stack.OwnSurface(q.findings); severity != "" {
		q.shown.byClient = false
		q.reasons = append(q.reasons, elicit.Reason{Code: codeFindingOnHost,
			Args: []elicit.Arg{elicit.Str("severity", string(severity))}})
	}
}

// mayMend reports that a client whose content does not fit is asked once more. Many clients check nothing, and their
// person may have mistyped. A replay of an earlier format ends the question, as it did then.
func (q *question) mayMend(format int) bool { return !q.warned.unfit && format != 1 && format != 2 }
