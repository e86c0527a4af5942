package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
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

// Drafted keeps what a person has typed so far, so that a reload or another machine can show it again. Values of
// sensitive fields, of none, and those that hold a secret by its form are left out at once; the rest need not fit the
// form yet.
type Drafted struct {
	Session string
	ID      elicit.ID
	Draft   []byte // a JSON object, or nil to drop the draft
}

// Extended asks for more time: not to settle before Until, milliseconds since 1970. A deadline is never shortened and
// never moved further than a week from now.
type Extended struct {
	Session string
	ID      elicit.ID
	Until   int64
}

// Extend says which deadline holds after an Extended event.
type Extend struct {
	Session  string
	ID       elicit.ID
	Deadline int64
}

// Pause tells a host to stop (On) or restart its own timers for the calls of a session, because a person is being
// asked. TotalMS is how long they have been stopped in all. Emitted only when the configuration says "pauses": true.
type Pause struct {
	Session string
	On      bool
	TotalMS int64
}

const longestExtension = 7 * 24 * 3600 * 1000

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

// handleDrafted returns the event as the journal may keep it.
func (s *step) handleDrafted(ev Drafted) Event {
	draft := ev.Draft
	ev.Draft = nil
	if _, ok := s.shownItem(ev.Session, ev.ID); !ok {
		return ev
	}
	h := s.held[ev.ID]
	if draft == nil || h.form == nil {
		h.draft = nil
		return ev
	}
	if unreadable(draft, s.config.limits.answer) != nil {
		s.problem(AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "draft_unreadable"})
		return Drafted{ev.Session, ev.ID, []byte(`""`)} // replays to the same refusal without a word of it
	}
	h.draft = draftOf(h.form, h.facts.shown, s.privateFields(h), jsontext.AppendValue(nil, draft))
	ev.Draft = h.draft
	return ev
}

// draftOf keeps the members that are fields of the form, not private and without a secret in them. What the form does
// not know may be anything, a secret as well.
func draftOf(form *schema.Form, fields []risk.Field, private []string, content []byte) []byte {
	var s jsontext.Scanner
	s.Reset(content, documentLimits)
	o := jsontext.Begin(nil)
	for s.Enter(); s.More(); {
		key := s.Key()
		raw := s.Skip()
		if field := form.Field(key.String()); field != nil && !slices.Contains(private, field.Name) {
			o.Text(key, raw)
		}
	}
	return withholdSecrets(form, fields, o.End(), nil).content
}

func (s *step) handleExtended(ev Extended) {
	it, ok := s.shownItem(ev.Session, ev.ID)
	switch {
	case !ok:
		return
	case it.Deadline == 0 || s.held[ev.ID].consult != nil && s.held[ev.ID].consult.deadline == 0:
		s.problem(AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "no_deadline"})
		return
	}
	until := min(ev.Until, s.at+longestExtension)
	if c := s.held[ev.ID].consult; c != nil {
		c.deadline = max(c.deadline, until)
		s.concludeOrWait(s.held[ev.ID])
		s.emit(Extend{Session: ev.Session, ID: ev.ID, Deadline: c.deadline})
		return
	}
	deadline, _ := s.table.Extend(ev.ID, until)
	s.emit(Extend{Session: ev.Session, ID: ev.ID, Deadline: deadline})
}

// emitPauses tells which sessions began or ceased to have a request before a person in this step.
func (s *step) emitPauses() {
	if !s.config.pauses {
		return
	}
	var seen []string
	for _, effect := range s.effects {
		session := ""
		switch ef := effect.(type) {
		case Show:
			session = ef.Session
		case Reply:
			session = ef.Session
		case Withdraw:
			session = ef.Session
		}
		if session != "" && !slices.Contains(seen, session) {
			seen = append(seen, session)
		}
	}
	for _, session := range seen {
		s.emitPause(session)
	}
}

// stopwatch is one session's stopwatch: since when it runs, 0 when it does not, and how long it has run before.
type stopwatch struct{ since, total int64 }

func (s *step) emitPause(name string) {
	session, open := s.sessions[name]
	if !open {
		if session = s.closing; session == nil || session.opened.Session != name {
			return
		}
	}
	on := slices.ContainsFunc(s.table.Open(name), func(it pending.Item) bool { return it.State == pending.Shown })
	p := &session.stopwatch
	switch {
	case on && p.since == 0:
		p.since = max(s.at, 1)
	case !on && p.since != 0:
		p.total += s.at - p.since
		p.since = 0
	default:
		return
	}
	s.emit(Pause{Session: name, On: on, TotalMS: p.total})
}

func (Noted) isEvent()    {}
func (Drafted) isEvent()  {}
func (Extended) isEvent() {}
func (Extend) isEffect()  {}
func (Pause) isEffect()   {}

// AppendJSON appends {"event":"noted","session","id","receipt"}.
func (e Noted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "noted")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Str("receipt", string(e.Receipt))
	return o.End()
}

// AppendJSON appends {"event":"drafted","session","id","draft"?}.
func (e Drafted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "drafted")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	putDocument(&o, "draft", e.Draft)
	return o.End()
}

// AppendJSON appends {"event":"extended","session","id","until"}.
func (e Extended) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "extended")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Int("until", e.Until)
	return o.End()
}

// AppendJSON appends {"effect":"extend","session","id","deadline"}.
func (e Extend) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "extend")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Int("deadline", e.Deadline)
	return o.End()
}

// AppendJSON appends {"effect":"pause","session","on","total_ms"}.
func (p Pause) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "pause")
	o.Str("session", p.Session)
	o.Bool("on", p.On)
	o.Int("total_ms", p.TotalMS)
	return o.End()
}
