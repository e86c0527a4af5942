package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
)

// joined is a request that waits for the answer to the same question, asked before it. Its id appears in no effect
// until it ends.
type joined struct {
	id          elicit.ID
	ref, parent string
}

// joinSame lets a question wait for one that is open already and is the same to the digest, when the configuration says
// "join_duplicates": true. A page is never joined, because each visit is an act of its own. A question that may belong
// to one of several tools is not joined either, because one yes would count for two tools.
func (s *step) joinSame(h *held) bool {
	if !s.config.join || h.form == nil || h.request.Ambiguous() {
		return false
	}
	r, digest := &h.request, ""
	for _, it := range s.table.Unanswered(r.Session) {
		first := s.held[it.ID]
		if first.form == nil || first.request.Ambiguous() || first.request.Message != r.Message ||
			first.request.Command != r.Command || first.request.Cwd != r.Cwd ||
			first.request.StrictReview != r.StrictReview || first.request.Persistable != r.Persistable ||
			first.request.Definition != r.Definition {
			continue
		}
		if digest == "" {
			digest = digestOf(h)
		}
		if digestOf(first) == digest {
			first.joined = append(first.joined, joined{r.ID, r.Ref, r.Parent})
			return true
		}
	}
	return false
}

var joinedReason = elicit.Reason{Code: "joined"}

// finishJoined ends a joined request with the reply that the question itself has, or would have.
func (s *step) finishJoined(h *held, j joined, r effect.Reply) {
	r.ID, r.Ref = j.id, j.ref
	r.Reasons = append(slices.Clip(h.reasons), joinedReason)
	s.table.Remember(pending.Ended{ID: r.ID, Session: r.Session, Outcome: r.Outcome, Cause: r.Cause})
	s.emit(r)
}

// withdrawJoined says that joined requests are over that get no reply.
func (s *step) withdrawJoined(session string, list []joined, cause elicit.Cause) {
	for _, j := range list {
		s.table.Remember(pending.Ended{ID: j.id, Session: session, Outcome: elicit.Cancelled, Cause: cause})
		s.emit(effect.Withdraw{Session: session, ID: j.id, Cause: cause})
	}
}

// cancelJoined takes back the joined requests that are named.
func (s *step) cancelJoined(h *held, named func(ref, parent string) bool, cause elicit.Cause) {
	rest, gone := h.joined[:0:0], h.joined[:0:0]
	for _, j := range h.joined {
		if named(j.ref, j.parent) {
			gone = append(gone, j)
		} else {
			rest = append(rest, j)
		}
	}
	h.joined = rest
	if cause == elicit.ByPeerCancelled {
		s.withdrawJoined(h.request.Session, gone, cause)
		return
	}
	for _, j := range gone {
		s.finishJoined(h, j, cancelOf(h, cause))
	}
}

// cancelOf is the reply to a joined request that is taken back while the question goes on, which keeps its receipts.
func cancelOf(h *held, cause elicit.Cause) effect.Reply {
	return effect.Reply{Session: h.request.Session, Outcome: elicit.Cancelled, Cause: cause, Findings: h.findings}
}

// promote puts the first joined request in the place of one that was taken back. The question stays where it is, under
// the id by which it is shown; only the peer's handle of what it answers is another. A peer that is told gets its reply
// under the id that the joined request no longer needs.
func (s *step) promote(h *held, cause elicit.Cause) bool {
	if len(h.joined) == 0 {
		return false
	}
	next := h.joined[0]
	h.joined = h.joined[1:]
	if cause != elicit.ByPeerCancelled {
		s.finishJoined(h, joined{id: next.id, ref: h.request.Ref}, cancelOf(h, cause))
	}
	h.request.Ref, h.request.Parent = next.ref, next.parent
	return true
}

// AppendJSON appends {"id","ref","parent"?}.
func (j joined) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("id", string(j.id))
	o.Str("ref", j.ref)
	o.OptStr("parent", j.parent)
	return o.End()
}
