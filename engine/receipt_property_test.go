package engine_test

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// told is what an observer knows of receipts, extensions and pauses.
type told struct {
	now      int64 // the engine's time, which never runs backwards
	receipts map[elicit.ID][]event.Receipt
	paused   map[string]effect.Pause
}

func newTold() told {
	return told{receipts: map[elicit.ID][]event.Receipt{}, paused: map[string]effect.Pause{}}
}

// checkTold holds, before an effect is taken note of, that a deadline moves by an extension alone and only later, that
// nothing times out before it, that a reply has the receipts its request had, and that pauses begin and end in turn.
func (l *observer) checkTold(in engine.Input, next effect.Effect) {
	l.now = max(l.now, in.At)
	switch ef := next.(type) {
	case effect.Extend:
		asked, ok := in.Event.(event.Extended)
		if before, shown := l.deadlines[ef.ID]; !ok || asked.ID != ef.ID || !shown || ef.Deadline < before {
			l.wrong(in, "the deadline %d of %s becomes %d", before, ef.ID, ef.Deadline)
		} else if ef.Deadline > before {
			l.met["extended"]++
		}
		l.deadlines[ef.ID] = ef.Deadline
	case effect.Reply:
		l.checkReceipts(in, ef)
		if deadline, shown := l.deadlines[ef.ID]; shown && ef.Cause == elicit.ByTimeout && l.now < deadline {
			l.wrong(in, "%s times out at %d, its deadline is %d", ef.ID, l.now, deadline)
		}
	case effect.Pause:
		before := l.paused[ef.Session]
		if ef.On == before.On || ef.TotalMS < before.TotalMS || ef.On && ef.TotalMS != before.TotalMS || ef.TotalMS > l.now {
			l.wrong(in, "pause %v after %v", ef, before)
		}
		l.met["pause"]++
		l.paused[ef.Session] = ef
	}
}

// tell remembers a receipt that was taken, which is one nothing was said of.
func (l *observer) tell(in engine.Input, effects []effect.Effect) {
	if closed, ok := in.Event.(event.Closed); ok {
		delete(l.paused, closed.Session) // a session of that name that is opened again counts from nothing
	}
	ev, ok := in.Event.(event.Noted)
	if !ok || slices.ContainsFunc(effects, func(e effect.Effect) bool {
		p, bad := e.(effect.Problem)
		return bad && p.ID == ev.ID && !strings.HasPrefix(p.Problems[0].Code, "guardian_")
	}) {
		return
	}
	if _, shown := l.deadlines[ev.ID]; !shown {
		l.wrong(in, "a receipt is taken of a request that was not shown")
	}
	if _, over := l.ended[ev.ID]; !over && !slices.Contains(l.receipts[ev.ID], ev.Receipt) {
		l.receipts[ev.ID] = append(l.receipts[ev.ID], ev.Receipt)
		l.met["noted"]++
	}
}

func (l *observer) checkReceipts(in engine.Input, r effect.Reply) {
	if slices.ContainsFunc(r.Reasons, func(why elicit.Reason) bool { return why.Code == "joined" }) {
		return // it has those of the request it waited for
	}
	if !slices.Equal(r.Receipts, l.receipts[r.ID]) {
		l.wrong(in, "the reply has receipts %v, the host gave %v", r.Receipts, l.receipts[r.ID])
	}
}

// sameTold is the event with its id put through another engine's names.
func sameTold(given event.Event, rename func(elicit.ID) elicit.ID) event.Event {
	switch ev := given.(type) {
	case event.Noted:
		ev.ID = rename(ev.ID)
		return ev
	case event.Drafted:
		ev.ID = rename(ev.ID)
		return ev
	case event.Extended:
		ev.ID = rename(ev.ID)
		return ev
	}
	return given
}
