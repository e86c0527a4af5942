package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// join lets a question wait for one that is open already and is the same to the digest. A page is never joined, because
// each visit is an act of its own. A question that may belong to one of several tools is not joined either, because one
// yes would count for two tools. It runs only with join_duplicates. A joined question is no question of the table: it
// has an id, a handle and a parent, and takes its place in the queue by open_questions.correction.
func (o *openQuestions) join(q *question) bool {
	if q.form == nil || q.request.Ambiguous() {
		return false
	}
	r, digest := &q.request, ""
	for _, it := range o.Unanswered(r.Session) {
		first := o.byID.At(it.ID)
		// The digest covers all that a yes is about. These members are compared beside it, because they decide how
		// the question is put or how long a yes may hold. They are cheap, so the digest is made only where they
		// agree.
		if first.form == nil || first.request.Ambiguous() || first.request.Message != r.Message ||
			first.request.Command != r.Command || first.request.Cwd != r.Cwd ||
			first.request.StrictReview != r.StrictReview || first.request.Persistable != r.Persistable ||
			first.request.Definition != r.Definition {
			continue
		}
		if digest == "" {
			digest = digestOf(r, q.kind)
		}
		if digestOf(&first.request, first.kind) == digest {
			first.joined = append(first.joined, joined{r.ID, r.Ref, r.Parent})
			return true
		}
	}
	return false
}

var joinedReason = elicit.Reason{Code: "joined"}

// finishJoined ends a joined request with the reply that the question itself has, or would have. The content and the
// note go to each of them. Reasons are those of the question, and say joined at the end.
func (o *openQuestions) finishJoined(q *question, j joined, r effect.Reply) {
	r.ID, r.Ref = j.id, j.ref
	r.Reasons = append(slices.Clip(q.reasons), joinedReason)
	o.Remember(pending.Ended{ID: r.ID, Session: r.Session, Outcome: r.Outcome, Cause: r.Cause})
	o.out.emit(r)
}

// withdrawJoined says that joined requests are over that get no reply.
func (o *openQuestions) withdrawJoined(session string, list []joined, cause elicit.Cause) {
	for _, j := range list {
		o.Remember(pending.Ended{ID: j.id, Session: session, Outcome: elicit.Cancelled, Cause: cause})
		o.out.emit(effect.Withdraw{Session: session, ID: j.id, Cause: cause})
	}
}

// cancelJoined takes back the joined requests that are named.
func (o *openQuestions) cancelJoined(q *question, named func(ref, parent string) bool, cause elicit.Cause) {
	rest, gone := q.joined[:0:0], q.joined[:0:0]
	for _, j := range q.joined {
		if named(j.ref, j.parent) {
			gone = append(gone, j)
		} else {
			rest = append(rest, j)
		}
	}
	q.joined = rest
	if cause == elicit.ByPeerCancelled {
		o.withdrawJoined(q.request.Session, gone, cause)
		return
	}
	for _, j := range gone {
		o.finishJoined(q, j, cancelOf(q, cause))
	}
}

// cancelOf is the reply to a joined request that is taken back while the question goes on, which keeps its receipts.
func cancelOf(q *question, cause elicit.Cause) effect.Reply {
	return effect.Reply{Session: q.request.Session, Outcome: elicit.Cancelled, Cause: cause, Findings: q.findings}
}

// promote puts the first joined request in the place of one that was taken back. The question stays where it is, under
// the id by which it is shown; only the peer's handle of what it answers is another. A peer that is told gets its reply
// under the id that the joined request no longer needs. It returns true if the question goes on. Otherwise nobody else
// waits for it, and the caller withdraws it.
func (o *openQuestions) promote(q *question, cause elicit.Cause) bool {
	if len(q.joined) == 0 {
		return false
	}
	next := q.joined[0]
	q.joined = q.joined[1:]
	if cause != elicit.ByPeerCancelled {
		o.finishJoined(q, joined{id: next.id, ref: q.request.Ref}, cancelOf(q, cause))
	}
	// The person may have begun to answer, so the question keeps its id and its place.
	q.request.Ref, q.request.Parent = next.ref, next.parent
	return true
}
