package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// outbox has the effects of a step, until the step ends.
//
// The three lists become one in finish, in their order. So a forwarded message comes out before a message that the same
// step sends, whatever the order in which the machine made them. records holds Append and NewJournal only.
//
// last keeps rest of the latest step that had records. Without records in a step, AppendFailed cannot be about it.
type outbox struct {
	pass    []Effect // those that need no record before them
	records []Effect
	rest    []Effect // those that follow from the records
	last    []Effect // rest of the last step with records, until the next step

	// The protocol decides these. They do not change, except versioned, which follows each end's latest message.
	hops      link.Hops // nil for a machine between two peers
	bare      bool      // the protocol lets the jsonrpc member out
	versioned [3]bool   // by End, if bare: it writes that member
	closed    bool      // an earlier step has closed the server's input
}

// begin forgets the effects of the step before.
func (o *outbox) begin() { o.pass, o.records, o.rest = o.pass[:0], o.records[:0], o.rest[:0] }

// finish returns the effects. Messages that only pass come first: no record precedes them, so a failing journal cannot
// delay or lose them.
//
// The result shares memory with pass. It is valid until the next begin.
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
//
// It needs no Withdraw: the host has not seen the Show.
func (o *outbox) unshow(id elicit.ID) {
	o.rest = slices.DeleteFunc(o.rest, func(e Effect) bool {
		s, shows := e.(effect.Show)
		return shows && s.ID == id
	})
}

// Record keeps a record of the engine.
func (o *outbox) Record(e effect.Append) { o.records = append(o.records, e) }

// NewJournal begins a new chain of records.
func (o *outbox) NewJournal() { o.records = append(o.records, NewJournal{}) }

// Asked reports a question.
func (o *outbox) Asked(r elicit.Request) { o.emit(Question{r}) }

// Settled reports how a question ended.
func (o *outbox) Settled(r effect.Reply, of elicit.Request) { o.emit(Settled{Reply: r, Request: of}) }

// Effect passes an effect of the engine on.
func (o *outbox) Effect(e effect.Effect) { o.emit(e) }

// Tell tells a person of a problem of the machine itself.
func (o *outbox) Tell(p elicit.Problem) { o.note(Host, p) }

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
//
// The order of the three changes matters. Hops wraps the message last, because it reads the id and the method.
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

// repeatLost gives the host the effects of the last step again that it has not performed, with errors in the place of
// decisions. It reports whether a wake is among them.
//
// lost may send more messages. They go to the current step. Records, Show, Consult and the effects about grants are not
// repeated: FailClosed withdraws what is open, and the journal takes no more.
func (o *outbox) repeatLost() (wake bool) {
	lost := o.last
	o.last = nil
	for _, next := range lost {
		switch ef := next.(type) {
		case Send:
			// The answer would say that somebody decided, and no record would prove it. An error takes its place.
			if ef.lost != nil {
				ef.lost()
			} else {
				o.emit(ef)
			}
		// The host has listed the question as open. It must hear of an end that agrees with the error that the peer got.
		case Settled:
			if r := ef.Request; ef.Reply.Outcome != elicit.Failed {
				ef.Reply = effect.Reply{Session: r.Session, ID: r.ID, Ref: r.Ref, Outcome: elicit.Failed,
					Cause: elicit.ByShutdown, Problems: link.Lost()}
			}
			o.emit(ef)
		case effect.Withdraw, effect.Resolve, effect.Problem, Close, Note, Question:
			o.emit(ef)
		case effect.Wake:
			wake = true
		}
	}
	return wake
}
