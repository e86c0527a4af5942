package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// handlePreferred shows a queued question before its turn.
func (s *step) handlePreferred(ev event.Preferred) {
	open := s.table.Unanswered(ev.Session)
	i := slices.IndexFunc(open, func(it pending.Item) bool { return s.held[it.ID].request.Ref == ev.Ref })
	if i < 0 {
		s.emit(effect.Problem{About: effect.AboutQuestion, Session: ev.Session, Ref: ev.Ref,
			Problems: []elicit.Problem{{Code: "unknown_request"}}})
		return
	}
	if it, queued := s.table.Prefer(open[i].ID, s.at); queued {
		s.held[it.ID].preferred = true
		s.show(s.held[it.ID], it.Deadline)
	}
}
