package decider

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// workOff performs the effects of the engine.
//
// The loop ends: every effect is performed once, consults of guests have a bound, and failures of engines have
// MaxFailed.
func (d *Decider) workOff() {
	if d.busy {
		return
	}
	d.busy = true
	for len(d.queue) > 0 {
		next := d.queue[0]
		d.queue = d.queue[1:]
		d.perform(next)
	}
	d.busy, d.queue = false, nil
}

func (d *Decider) perform(next effect.Effect) {
	switch ef := next.(type) {
	case effect.Append:
		d.config.Out.Record(ef)
	// In counts one millisecond more than the wait, so that 0 means absent.
	case effect.Wake:
		if d.Wake = ef.At; ef.In > 0 {
			d.Wake = d.to.Clock.Now + int64(ef.In) - 1
		}
	case effect.Show:
		d.show(&ef)
	// The client gets the withdrawal in the words of its protocol. If it does not have the question, the host has it.
	case effect.Withdraw:
		if !d.config.Client.TakeBack(ef.ID, string(ef.Cause)) {
			d.config.Out.Effect(ef)
		}
	case effect.Reply:
		d.replied(ef)
	case effect.Resolve:
		d.resolved(ef)
	case effect.Problem:
		d.problem(ef)
	case effect.Consult:
		d.consult(ef)
	// With AskClient, the client opens the page itself.
	case effect.OpenURL:
		if d.to.Who.MaybeHost() {
			d.config.Out.Effect(ef)
		}
	default:
		d.config.Out.Effect(next)
	}
}

// mostConsults is the most guests that are asked in one step. Further consults come out as effects.
const mostConsults = 1 << 12

// consult asks a guest that the machine has, or leaves the consult to the host.
//
// A guest answers inside the step, so a question that only guests judge needs no round trip to the host.
func (d *Decider) consult(c effect.Consult) {
	if d.asked < mostConsults {
		if said, known := c.Ask(d.config.Guests); known {
			d.asked++
			d.Tell(said)
			return
		}
	}
	d.config.Out.Effect(c)
}

// show shows a request to the host's user or to the client.
//
// The client gets it if the dialogue has set Show and the audience lets it. The host gets it otherwise. It may come
// twice for one question: after an unfit answer, from a new engine, or at the host after the client had nobody to ask.
func (d *Decider) show(s *effect.Show) {
	q := d.questions.of(s.Session, s.Ref)
	switch {
	case q == nil:
		// It was withdrawn in the meantime. Its withdrawal is pending, unless the engine failed on the withdrawal.
		d.Tell(event.Cancelled{Session: s.Session, Ref: s.Ref})
	case q.Show != nil && !d.to.Who.AsksClient(s): // the client cannot draw it, or its answer was nobody's
		q.Show, q.shown = nil, nil
		q.Request.ID, q.stale = s.ID, false
		d.config.Out.Effect(*s)
	case q.Show != nil && d.config.Client.Has(s.ID): // a new engine shows again what the client already has
		q.stale, q.shown = false, s
	case q.Show != nil:
		q.Request.ID, q.shown = s.ID, s
		q.Show(s)
	default:
		q.Request.ID, q.stale = s.ID, false
		d.config.Out.Effect(*s)
	}
}

// replied gives a reply to whoever waits for it.
//
// A consented page stays in visiting after the reply, because the engine says later how the page ended.
func (d *Decider) replied(r effect.Reply) {
	q := d.questions.of(r.Session, r.Ref)
	if q == nil {
		return // withdrawn in the meantime
	}
	if q.Resolve != nil && r.Outcome == elicit.Accepted {
		d.questions.visiting[r.ID] = q
	}
	d.finish(q, r)
}

func (d *Decider) resolved(r effect.Resolve) {
	d.config.Out.Effect(r)
	if q := d.questions.visiting[r.ID]; q != nil {
		delete(d.questions.visiting, r.ID)
		q.Resolve(r.Resolution)
	}
}

// problem handles an input that the engine could not use: an answer to correct, or a question that it refuses.
//
// An engine refuses a question with the problem and no reply. The machine makes the reply, so that the peer gets one.
func (d *Decider) problem(e effect.Problem) {
	// A host may prefer a question that waits for the answer of another one. That question goes on.
	if q := d.questions.of(e.Session, e.Ref); q != nil && e.Problems[0].Code != "unknown_request" {
		d.finish(q, effect.Reply{Session: e.Session, Ref: e.Ref, Outcome: elicit.Failed, Cause: elicit.ByDuplicate,
			Problems: e.Problems})
		return
	}
	// Outcome is set if the answer was for a question that had ended. Then nobody has to correct it.
	if e.About == effect.AboutAnswer && e.Outcome == "" {
		for _, q := range d.questions.list() {
			if q.shown != nil && q.shown.ID == e.ID { // as the engine has shown it; one that a new engine has not shown waits
				warn(q, e.Problems)
				return
			}
		}
	}
	d.config.Out.Effect(e)
}

// warn asks the client a question once more, with the problems of its answer after the message: with a client that has
// a session, no other way exists to tell them. The engine asks in this way once for each field with a secret,
// and once for content that does not fit. After that, an unfit answer ends the question.
//
// Show sends a new request, because the client has answered the first. The mark [elicit] says who speaks in the text.
func warn(q *question, problems []elicit.Problem) {
	s := *q.shown
	var words strings.Builder
	words.WriteString(s.Message + "\n\n[elicit] The answer has not been sent.")
	for _, p := range problems {
		words.WriteString(" " + gate.Clipped(strings.TrimPrefix(p.Pointer, "/")) + ": " + english.Problem(p) + ".")
	}
	s.Message = words.String()
	q.Show(&s)
}
