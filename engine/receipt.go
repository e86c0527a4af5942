package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// Receipt is what a host tells of a shown request before it is answered. A reply carries the receipts it had, so that
// "never rendered" and "refused" can be told apart afterwards.
type Receipt string

// The receipts, in the order they usually come.
const (
	ReceiptShown      Receipt = "shown"       // drawn where the person can see it
	ReceiptFocused    Receipt = "focused"     // the person turned to it
	ReceiptFirstInput Receipt = "first_input" // the person began to answer
)

// Noted is a receipt. The same one again changes nothing.
type Noted struct {
	Session string
	ID      elicit.ID
	Receipt Receipt
}

// shownItem finds a request that is before a person, or reports why there is none.
func (s *step) shownItem(session string, id elicit.ID) (pending.Item, bool) {
	it, open := s.table.Find(id)
	switch {
	case !open || it.Session != session:
		s.problem(AboutQuestion, session, id, elicit.Problem{Code: "unknown_request"})
	case it.State != pending.Shown:
		s.problem(AboutQuestion, session, id, elicit.Problem{Code: "not_shown"})
	default:
		return it, true
	}
	return it, false
}

func (s *step) handleNoted(ev Noted) {
	if _, ok := s.shownItem(ev.Session, ev.ID); !ok {
		return
	}
	if !ev.Receipt.known() {
		s.problem(AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "unknown_receipt",
			Args: []elicit.Arg{elicit.Str("receipt", string(ev.Receipt))}})
		return
	}
	if h := s.held[ev.ID]; !slices.Contains(h.receipts, ev.Receipt) {
		h.receipts = append(h.receipts, ev.Receipt)
	}
}

// Receipts lists every Receipt.
func Receipts() []Receipt { return []Receipt{ReceiptShown, ReceiptFocused, ReceiptFirstInput} }

func (r Receipt) known() bool { return slices.Contains(Receipts(), r) }

func (Noted) isEvent() {}

// AppendJSON appends {"event":"noted","session","id","receipt"}.
func (e Noted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "noted")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Str("receipt", string(e.Receipt))
	return o.End()
}
