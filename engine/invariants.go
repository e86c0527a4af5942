package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// These are the invariants of doc.go that are asserted, always and in every host. An assertion that fails shows a bug
// of this package. The bug must not become a wrong answer, and it must not stop a host that cannot recover from a
// panic. So the question that is concerned ends without content, the host gets a Problem that names the invariant, and
// all other questions go on.
//
// A replay makes the same assertions. None may depend on a value that a journal does not keep.
const (
	oneReply        = "one_reply"         // a question has one reply, and none after it was withdrawn
	bareRefusal     = "bare_refusal"      // only an accept carries content or arguments
	contentFits     = "content_fits"      // the content of an accept fits the form
	ownAnswer       = "own_answer"        // an answer settles the question of its id, in its session, from its person
	questionIsHeld  = "question_is_held"  // a question is in the map as long as it is in the table
	sessionIsClosed = "session_is_closed" // a session that ended holds nothing
)

// breaks names the invariant that a reply would break, "" if it may be sent. The cost of the last case is one more
// check of the content. It is the price of the promise that no bug sends content that the peer's schema forbids.
func (q *question) breaks(r *effect.Reply) string {
	switch {
	case q.end.over:
		return oneReply
	case r.Outcome != elicit.Accepted && (r.Content != nil || r.Arguments != nil):
		return bareRefusal
	case r.Outcome == elicit.Accepted && q.form == nil && r.Content != nil:
		return contentFits
	case r.Outcome == elicit.Accepted && q.form != nil:
		for _, p := range q.form.Check(r.Content) {
			if under(p.Pointer, r.Hidden) == "" { // a replay lacks the hidden values
				return contentFits
			}
		}
	}
	return ""
}

// isFor reports whether an answer is one to the question. An answer without an id is none of a person: policy, a grant
// or a guardian gave it.
func (q *question) isFor(ev *event.Answered) bool {
	return ev.ID == "" || ev.ID == q.request.ID && ev.Session == q.request.Session && q.mayAnswer(*ev)
}

// breakOff ends a question for which an invariant does not hold. The peer gets a cancel, unless it had its reply. The
// content of the broken reply is dropped as a whole. The question leaves the map and the table here, so the caller must
// not forget it again.
func (o *openQuestions) breakOff(q *question, invariant string) {
	session, id := q.request.Session, q.request.ID
	problem := elicit.Problem{Code: "invariant_broken", Args: []elicit.Arg{elicit.Str("invariant", invariant)}}
	o.out.problem(effect.AboutQuestion, session, id, problem)
	if !q.end.over {
		q.end.over = true
		o.answer(q, effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy, Problems: []elicit.Problem{problem}})
	}
	o.byID.Delete(id)
	o.Settle(id, elicit.Cancelled, elicit.ByPolicy)
}

// endStrays ends what is in the map or in the table alone. Both have the same number of questions, so one comparison
// finds nearly every such bug. The sessions are those that may hold some. It runs only when the two counts differ. One
// stray on each side would keep the counts equal, which is why this finds nearly every such bug and not each.
func (o *openQuestions) endStrays(sessions []string) {
	for _, id := range sortedNames(&o.byID) {
		if _, held := o.Find(id); !held {
			o.breakOff(o.byID.At(id), questionIsHeld)
		}
	}
	for _, session := range sessions {
		for _, it := range o.Open(session) {
			if o.byID.At(it.ID) == nil {
				o.breakOff(o.held(it), questionIsHeld)
			}
		}
	}
}

// held is the question of an item in the table. One that is missing there has nothing to reply to.
func (o *openQuestions) held(it pending.Item) *question {
	if q := o.byID.At(it.ID); q != nil {
		return q
	}
	return &question{request: elicit.Request{Session: it.Session, ID: it.ID}, end: settling{over: true}}
}
