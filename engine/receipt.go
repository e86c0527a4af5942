package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// shownItem finds a request that is before a person, or reports why there is none.
func (s *step) shownItem(session string, id elicit.ID) (pending.Item, bool) {
	it, open := s.table.Find(id)
	switch {
	case !open || it.Session != session:
		s.problem(effect.AboutQuestion, session, id, elicit.Problem{Code: "unknown_request"})
	case it.State != pending.Shown:
		s.problem(effect.AboutQuestion, session, id, elicit.Problem{Code: "not_shown"})
	default:
		return it, true
	}
	return it, false
}

func (s *step) handleNoted(ev event.Noted) {
	if _, ok := s.shownItem(ev.Session, ev.ID); !ok {
		return
	}
	if !ev.Receipt.Valid() {
		s.problem(effect.AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "unknown_receipt",
			Args: []elicit.Arg{elicit.Str("receipt", string(ev.Receipt))}})
		return
	}
	if h := s.held[ev.ID]; !slices.Contains(h.receipts, ev.Receipt) {
		h.receipts = append(h.receipts, ev.Receipt)
		if ev.Receipt == event.ReceiptShown {
			h.shownAt = s.at // the host may have drawn it some time after the effect
		}
	}
}
