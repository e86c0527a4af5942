package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// Preferred says that the person chose a question that waits for its turn. It is shown at once, beside the questions
// that are shown already, so the person can have more of them than the limit shown. Ref is the peer's handle, because a
// host learns the id of a question only when it is shown. A question that is not in the queue stays as it is.
type Preferred struct {
	Session string
	Ref     string
}

func (s *step) handlePreferred(ev Preferred) {
	open := s.table.Unanswered(ev.Session)
	i := slices.IndexFunc(open, func(it pending.Item) bool { return s.held[it.ID].request.Ref == ev.Ref })
	if i < 0 {
		s.emit(Problem{About: AboutQuestion, Session: ev.Session, Ref: ev.Ref,
			Problems: []elicit.Problem{{Code: "unknown_request"}}})
		return
	}
	if it, queued := s.table.Prefer(open[i].ID, s.at); queued {
		s.show(s.held[it.ID], it.Deadline)
	}
}

func (Preferred) isEvent() {}

// AppendJSON appends {"event":"preferred","session","ref"}.
func (e Preferred) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "preferred")
	o.Str("session", e.Session)
	o.Str("ref", e.Ref)
	return o.End()
}
