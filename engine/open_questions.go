package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/pending"
)

// openQuestions are the questions that wait for an answer or a page: what is known of each, and its place in time. They
// know nothing of sessions, policy and guardians. A question is in the map as long as it is in the table.
//
// The table is apart because it holds no pointers: a million questions that wait cost the garbage collector nothing.
// The map has what a step needs of the few that something happens to.
type openQuestions struct {
	*pending.Table
	// A key is in byID exactly as long as the embedded table has an item of that id. keep and drop change the map;
	// Hold, Review, Restore and Settle change the table. See questionIsHeld in invariants.go.
	byID  few.Map[elicit.ID, *question]
	pages few.Map[string, *pages] // by session
	// Set by forget and taken by perform in the same step; the id is "" if no such question ended.
	ended pending.Ended // how a question that was never held has ended in this step
	out   *outbox
}

// pages are what a session's questions that name a page keep beside the table.
type pages struct {
	links map[string]*question // by the key that a completion names
	bytes int                  // the size of what waits for a page to be finished
}

func newOpenQuestions(limits pending.Limits, out *outbox) openQuestions {
	return openQuestions{Table: pending.New(limits), out: out}
}

// pagesOf are the pages of a session, made when there are none. Pages that wait may be many and old, so their number
// and size are counted as they come and go. A step does not look through them. A session without pages has no entry, so
// most sessions cost nothing here.
func (o *openQuestions) pagesOf(session string) *pages {
	of := o.pages.At(session)
	if of == nil {
		of = &pages{links: map[string]*question{}}
		o.pages.Set(session, of)
	}
	return of
}

// keep holds a request until drop.
func (o *openQuestions) keep(q *question) {
	o.byID.Set(q.request.ID, q)
	if link := q.request.Link; link != "" {
		o.pagesOf(q.request.Session).links[link] = q
	}
}

// drop lets go of a request, which must still be in the table: its state there says whether its size was counted. The
// sum must lose what awaitPage added. The size is the same then and now: nothing joins a page, and its request does not
// change after the consent.
func (o *openQuestions) drop(q *question) {
	o.byID.Delete(q.request.ID)
	of := o.pages.At(q.request.Session)
	if of == nil {
		return
	}
	if of.links[q.request.Link] == q {
		delete(of.links, q.request.Link)
	}
	if it, _ := o.Find(q.request.ID); it.State == pending.Awaiting {
		of.bytes -= q.size()
	}
	if len(of.links) == 0 && of.bytes == 0 {
		o.pages.Delete(q.request.Session)
	}
}

// awaitPage counts a request whose answer was given and whose page is not finished. Its size stays the same from now
// on, so drop takes off what was added here.
func (o *openQuestions) awaitPage(q *question) { o.pagesOf(q.request.Session).bytes += q.size() }

// bytesOf is the size of all that a session holds. Its cost follows the questions that wait for an answer, at most the
// queue and the held calls. Pages are a sum.
func (o *openQuestions) bytesOf(session string) (n int) {
	if of := o.pages.At(session); of != nil {
		n = of.bytes
	}
	for _, it := range o.Unanswered(session) {
		n += o.byID.At(it.ID).size()
	}
	return n
}

// correction returns what must be added to the table's number of open requests of a session to get those of its peer:
// the table does not know joined requests, and it counts held calls, which the peer has not asked. It also reports
// whether the handle ref names a request that waits for its answer, joined or not.
func (o *openQuestions) correction(session, ref string) (n int, inUse bool) {
	for _, it := range o.Unanswered(session) {
		q := o.byID.At(it.ID)
		if q.request.HeldCall {
			n--
		} else {
			n += len(q.joined)
		}
		inUse = inUse || q.request.Ref == ref ||
			slices.ContainsFunc(q.joined, func(j joined) bool { return j.ref == ref })
	}
	return n, inUse
}

// refuses says why a request may not enter a session. It changes nothing. A held call always may: it comes from our own
// client, so the limits that keep a server from asking too much are not about it. The method enter asks the same
// question with Admit, which spends. Both must agree, or an event would be taken for one that changes nothing.
func (o *openQuestions) refuses(r *elicit.Request, opened *event.Opened, more int, at int64) pending.Refusal {
	if r.HeldCall {
		return pending.Admitted
	}
	return o.Refuses(opened.Session, opened.Server, more, opened.Client.Has(r.Mode), at)
}

// enter refuses what comes too often, when too much is open, or under a handle that is in use. It looks at no text of
// the request, and a refusal changes nothing. The handle is checked before the rate. A handle in use is a fault of the
// host or the peer, and costs the server no rate.
func (o *openQuestions) enter(q *question, limits *limits, at int64) bool {
	req := q.request
	more, inUse := o.correction(req.Session, req.Ref)
	if inUse {
		// No reply: the peer would take it for the answer to the request that already has this handle.
		o.out.emit(effect.Problem{About: effect.AboutQuestion, Session: req.Session, Ref: req.Ref,
			Problems: []elicit.Problem{{Code: "ref_in_use"}}})
		return false
	}
	if req.HeldCall {
		return true
	}
	// Admission counts questions of every kind, also those that policy settles. It is what stops a server that asks
	// without end and shows nothing to anybody.
	switch o.Admit(req.Session, req.Server, more, q.opened.Client.Has(req.Mode), at) {
	case pending.Flooded:
		o.refuse(q, elicit.ByRateLimit, elicit.Problem{Code: "flood_limited",
			Args: []elicit.Arg{elicit.Num("per_minute", max(limits.admittedPerMinute, limits.perMinute))}})
		return false
	case pending.QueueFull:
		o.refuse(q, elicit.ByRateLimit, elicit.Problem{Code: "queue_full",
			Args: []elicit.Arg{elicit.Num("limit", limits.queue)}})
		return false
	}
	return true
}

// charge counts a question that a person or a guardian will have to look at. A question that policy settles, that is
// not fit to be asked, or that a muted server asks needs nobody, so it counts only as admitted. A held call counts for
// no server, because our own client made it. charge returns the problem with a question that is one too many, and nil
// otherwise.
func (o *openQuestions) charge(q *question, limits *limits, at int64) []elicit.Problem {
	if q.request.HeldCall {
		return o.chargeCall(q, limits.heldCalls)
	}
	// A guardian counts as somebody: its work costs money and time as well.
	code, perMinute := "", 0
	if q.shown.byClient { // the client limits what its person gets
		q.charged = true
		return nil
	}
	switch o.Charge(q.request.Session, q.request.Server, at) {
	case pending.Admitted:
		q.charged = true
		return nil
	case pending.SessionLimited:
		code, perMinute = "session_rate_limited", limits.perMinuteSession
	default:
		code, perMinute = "rate_limited", limits.perMinute
	}
	// Findings are not why the question is refused, and a flood should not learn of them.
	q.findings, q.reasons = nil, nil
	return []elicit.Problem{{Code: code, Args: []elicit.Arg{elicit.Num("per_minute", perMinute)}}}
}

// chargeCall counts a held call that somebody has to look at. Calls that a rule accepts do not wait, so they pass also
// while as many wait as may.
func (o *openQuestions) chargeCall(q *question, limit int) []elicit.Problem {
	waiting := 0
	for _, it := range o.Unanswered(q.request.Session) {
		if other := o.byID.At(it.ID); other != q && other.request.HeldCall {
			waiting += 1 + len(other.joined)
		}
	}
	if waiting < limit {
		q.charged = true
		return nil
	}
	q.findings, q.reasons = nil, nil // they are not why it is refused
	return []elicit.Problem{{Code: "too_many_held_calls", Args: []elicit.Arg{elicit.Num("limit", limit)}}}
}

// supersede ends an older request that asks for the same page: the newest is the one the server still waits for. The
// link "" names no page, and is never a key of links.
func (o *openQuestions) supersede(q *question) {
	if of := o.pages.At(q.request.Session); of != nil && of.links[q.request.Link] != nil {
		o.withdraw(of.links[q.request.Link], elicit.Cancelled, elicit.BySuperseded)
	}
}

// note keeps what a host has noted of a request that is before the person.
func (o *openQuestions) note(ev event.Noted, at int64) {
	if _, ok := o.shownItem(ev.Session, ev.ID); !ok {
		return
	}
	if !ev.Receipt.Valid() {
		o.out.problem(effect.AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "unknown_receipt",
			Args: []elicit.Arg{elicit.Str("receipt", string(ev.Receipt))}})
		return
	}
	if shown := &o.byID.At(ev.ID).shown; !slices.Contains(shown.receipts, ev.Receipt) {
		shown.receipts = append(shown.receipts, ev.Receipt)
		if ev.Receipt == event.ReceiptShown {
			shown.at = at // the host may have drawn it some time after the effect
		}
	}
}

// requeue gives a question that the client had a turn on the host's surface. It reports false if the host cannot show
// it, or if its server has asked the person too often. Then the client's answer stands. true says that the answer of
// the client counts for nothing and the question goes on. The turn is charged to the server, as a first showing is: a
// client that always cancels must not double what a server may ask of the person.
func (o *openQuestions) requeue(q *question, code string, at int64) bool {
	if !q.shown.byClient || !q.opened.Shown.Has(q.request.Mode) ||
		o.Charge(q.request.Session, q.request.Server, at) != pending.Admitted {
		return false
	}
	// The question begins again for a person who has not seen it. A draft of the client's form would not be theirs.
	q.shown.byClient, q.shown.left, q.shown.at, q.shown.draft = false, code, 0, nil
	q.because(elicit.Reason{Code: code})
	o.Requeue(q.request.ID, at)
	return true
}
