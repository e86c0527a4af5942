package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// outbox has the effects of a step, until the step ends.
type outbox struct {
	pass    []Effect // those that need no record before them
	records []Effect
	rest    []Effect // those that follow from the records
	last    []Effect // rest of the last step with records, until the next step

	hops      link.Hops // nil for a machine between two peers
	bare      bool      // the protocol lets the jsonrpc member out
	versioned [3]bool   // by End, if bare: it writes that member
	closed    bool      // an earlier step has closed the server's input
}

// begin forgets the effects of the step before.
func (o *outbox) begin() { o.pass, o.records, o.rest = o.pass[:0], o.records[:0], o.rest[:0] }

// finish returns the effects. Messages that only pass come first: no record precedes them, so a failing journal cannot
// delay or lose them.
func (o *outbox) finish() []Effect {
	if len(o.records) == 0 && len(o.rest) == 0 {
		return o.pass
	}
	if len(o.records) > 0 {
		o.last = append(o.last[:0], o.rest...)
	}
	o.pass = append(append(o.pass, o.records...), o.rest...)
	return o.pass
}

// unshow takes a question back that this step would show.
func (o *outbox) unshow(id elicit.ID) {
	o.rest = slices.DeleteFunc(o.rest, func(e Effect) bool {
		s, shows := e.(effect.Show)
		return shows && s.ID == id
	})
}

func (o *outbox) emit(e Effect) { o.rest = append(o.rest, e) }

// refused reports to a person that a message of an end was refused, for these problems.
func (o *outbox) refused(from End, problems ...elicit.Problem) {
	o.emit(Note{From: from, Refused: true, Problems: problems})
}

// note reports something that a person may want to act on. from is the end that it is about.
func (o *outbox) note(from End, problems ...elicit.Problem) {
	o.emit(Note{From: from, Problems: problems})
}

// send sends a message of the machine that contains no decision.
func (o *outbox) send(to End, text []byte) { o.decided(to, text, nil) }

// decided sends a message that contains a decision. If the record of the decision cannot be kept, lost runs instead. A
// server whose input is closed gets nothing.
func (o *outbox) decided(to End, text []byte, lost func()) {
	if to == Server && o.closed {
		return
	}
	if o.bare && !o.versioned[to] {
		text = wire.Bare(text)
	}
	if o.hops != nil {
		to, text = Client, o.hops.Sent(link.End(to), text)
	}
	o.emit(Send{To: to, Message: text, lost: lost})
}
