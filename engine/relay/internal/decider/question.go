package decider

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Ask gives a question to the engine.
//
// The question must not be changed after it, except for what Show and Settle change. If the engine refuses it or is
// broken, Settle has run before Ask returns.
func (d *Decider) Ask(asked *link.Question) {
	q := &question{Question: asked}
	if q.Request.Side = elicit.Answering; q.Request.Server == "" {
		q.Request.Server = d.to.Who.Server
	}
	// CallEnded must hear of the end of these calls, and Shared makes the machine say so.
	for _, key := range q.Calls {
		if k := d.to.Calls.ByClient[key]; k != nil {
			k.Shared = true
		}
	}
	d.questions.byRef[q.Request.Ref] = q
	d.config.Out.Asked(q.Request)
	q.Serial = d.to.Calls.NextSerial()
	if d.state.Broken {
		d.fail(q.Request.Ref, d.state.Why)
		return
	}
	d.Tell(event.Asked{Request: q.Request})
}

// fail ends a question with an error of the machine.
func (d *Decider) fail(ref, code string) {
	q := d.questions.byRef[ref]
	if q == nil {
		return
	}
	d.finish(q, lostReply(q.Request, code))
}

// takeDown withdraws a question that ends without the engine from whoever has it.
func (d *Decider) takeDown(q *question) {
	q.stale = false
	if !d.config.Client.TakeBack(q.Request.ID, string(elicit.ByShutdown)) && q.Request.ID != "" {
		d.config.Out.Effect(effect.Withdraw{Session: q.Request.Session, ID: q.Request.ID, Cause: elicit.ByShutdown})
	}
}

// finish forgets a question and answers the peer.
//
// Settle may ask, cancel or end other questions. The question is forgotten before, so none of that meets it again.
func (d *Decider) finish(q *question, r effect.Reply) {
	if d.forget(q, r) {
		q.Settle(r)
	}
}

// forget forgets a question and reports whether it was open: the effects of one question may have ended others.
func (d *Decider) forget(q *question, r effect.Reply) bool {
	if d.questions.byRef[q.Request.Ref] != q {
		return false
	}
	delete(d.questions.byRef, q.Request.Ref)
	d.to.Clock.Stop(q.over)
	// The engine believes that nobody has it, and will not withdraw it.
	if q.stale {
		d.takeDown(q)
	}
	d.config.Out.Settled(r, q.Request)
	return true
}

// Drop ends open questions without an answer. It ends the latest first, so that none is shown in the place of an
// earlier one just before it ends too. It returns the refs of those that were open.
//
// It forgets each question before it tells the engine. The engine's reply to the cancellation then finds no question,
// so Settle never runs.
func (d *Decider) Drop(which func(*link.Question) bool) (refs []string) {
	for _, q := range slices.Backward(d.questions.list()) {
		if !which(q.Question) || !d.forget(q, takenBack(q.Request)) {
			continue
		}
		refs = append(refs, q.Request.Ref)
		failed := d.state.Failed
		d.takeBack(q)
		if d.state.Failed > failed { // the new engine may not know that somebody has it; forget has not marked it as stale
			d.takeDown(q)
		}
	}
	return refs
}

// Withdraw ends open questions.
func (d *Decider) Withdraw(how func(*link.Question) link.How) {
	for _, q := range d.questions.list() {
		switch how := how(q.Question); how {
		case link.Keep:
		case link.Answer:
			d.cancel(q)
		default:
			d.withdraw(q, how == link.Cancel)
		}
	}
}

// cancel ends a question that the server waits for. It has got an error if the engine failed for good.
func (d *Decider) cancel(q *question) {
	d.takeBack(q)
	d.finish(q, takenBack(q.Request))
}

// takeBack tells the engine that a question is withdrawn. An engine that replaces a failed one still has the question,
// and nobody would ever answer it.
//
// It repeats until no engine fails during the event. MaxFailed bounds that.
func (d *Decider) takeBack(q *question) {
	for again := true; again && !d.state.Broken; {
		failed := d.state.Failed
		d.Tell(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
		again = d.state.Failed != failed
	}
}

// withdraw ends a question that nobody answers any more. known says that the engine still has it.
//
// Settle runs only for a server that waits under the ref. For a round or a page, the call itself gets the answer.
func (d *Decider) withdraw(q *question, known bool) {
	if known {
		d.takeBack(q)
	}
	r := takenBack(q.Request)
	if d.state.Broken { // no record says that it was withdrawn
		r = lostReply(q.Request, d.state.Why)
	}
	if d.forget(q, r) && q.Waits {
		q.Settle(r)
	}
}

// CallEnded withdraws, some time later, the questions that belonged only to a call which has ended. An answer typed
// after that would go to a server that no longer waits for it.
//
// A question that may belong to two calls goes on while one of them is open. The delay lets a server that asks just
// before its answer still get the person's answer.
func (d *Decider) CallEnded(key gate.Key) {
	for _, q := range d.questions.list() {
		i := slices.Index(q.Calls, key)
		if i < 0 {
			continue
		}
		if q.Calls = append(q.Calls[:i:i], q.Calls[i+1:]...); len(q.Calls) == 0 {
			q.over = d.to.Clock.After(d.config.Over, func() {
				d.Tell(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref, Cause: elicit.ByCallEnded})
			})
		}
	}
}

// Leave settles everything open, so that the server still gets the answers.
//
// The engine answers each question with a cancel and the cause shutdown, and those answers still go out.
func (d *Decider) Leave() {
	d.close(elicit.ByShutdown)
	for _, q := range d.questions.list() { // of sessions that a failed engine has lost
		d.fail(q.Request.Ref, "internal")
	}
	clear(d.questions.visiting)
}

// Over ends every question without an answer: the server is gone.
//
// The Settle functions do not run: an answer to the server would go nowhere.
func (d *Decider) Over() {
	d.close(elicit.BySessionClosed)
	for _, q := range d.questions.list() {
		r := takenBack(q.Request)
		r.Cause = elicit.BySessionClosed
		d.forget(q, r)
	}
}

// close ends every session.
func (d *Decider) close(cause elicit.Cause) {
	list := d.sessions
	d.sessions = nil
	for _, name := range list {
		d.Tell(event.Closed{Session: name, Cause: cause})
	}
}
