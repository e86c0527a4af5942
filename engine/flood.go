package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// A peer can send events without end that change nothing: questions over the rate or that policy settles without a yes,
// handles that are in use, pages that nobody opened. A record for each of them would let the peer fill the disk. Such
// events therefore share an allowance of bytes. While there is room, each has a record like every other event. Without
// room they are answered and counted, and get no record. When there is room for a few again, or an event changes
// something, one record of its own, a flooded event, says how many there were.
//
// Replay needs no counted event, because none changed anything but the time, which is the time of the flooded event.
type flood struct {
	most    int64 // the allowance when it is full, in thousandths of a byte
	room    int64 // thousandths of a byte that are left; below zero after a large record
	at      int64 // when room was reckoned
	counted floodedEvent
	sum     digest.Hash // over the counted events
	anchor  [32]byte    // hash of the last record that is no flooded event
	since   int64       // events that flooded events have told of since that record
}

const (
	floodRate  = 512         // thousandths of a byte a millisecond: half a KB a second
	floodAgain = 4096 * 1000 // the room that ends the counting, unless the whole allowance is less
)

// maxFloodSessions bounds the sessions that a flooded event names.
const maxFloodSessions = 8

// floodedEvent stands in the journal for events that changed nothing and have no record of their own.
type floodedEvent struct {
	since, until int64 // when the first and the last came
	tally
	digest   string // hex SHA-256 over the events as a record would have held them, each with a line end
	sessions []sessionTally
}

// tally is how many events there were, and how many bytes of text their questions had.
type tally struct{ count, bytes int64 }

// sessionTally is the part of a tally that came in one session.
type sessionTally struct {
	session string
	tally
}

// AppendJSON appends
// {"event":"flooded","since","until","count","bytes","digest","sessions":[{"session","count","bytes"},…]}.
func (f floodedEvent) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("event", "flooded")
	o.Int("since", f.since)
	o.Int("until", f.until)
	o.Int("count", f.count)
	o.Int("bytes", f.bytes)
	o.Str("digest", f.digest)
	jsontext.List(&o, "sessions", f.sessions)
	return o.End()
}

// AppendJSON appends {"session","count","bytes"}.
func (t sessionTally) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("session", t.session)
	o.Int("count", t.count)
	o.Int("bytes", t.bytes)
	return o.End()
}

func readFlooded(r *strict.Reader) floodedEvent {
	f := floodedEvent{since: r.Time("since"), until: r.Time("until"),
		tally: tally{r.Time("count"), r.Time("bytes")}, digest: r.Str("digest")}
	r.Take("sessions").ForEach(func(_, v gjson.Result) bool {
		f.sessions = append(f.sessions, sessionTally{v.Get("session").String(),
			tally{v.Get("count").Int(), v.Get("bytes").Int()}})
		return true
	})
	return f
}

// somethingDue reports that the time of something has come: what time does in the same step needs a record.
func (s *step) somethingDue() bool {
	first := s.table.Wake()
	return first != 0 && first <= s.at
}

// onlyRefused reports that the event was a question whose only effect is a reply that accepts nothing. Policy or a
// limit settled such a question, and nothing is left of it.
func (s *step) onlyRefused(what occurrence) bool {
	if _, asked := what.(event.Asked); !asked || len(s.effects) != 2 {
		return false
	}
	r, ok := s.effects[1].(effect.Reply)
	return ok && r.Outcome != elicit.Accepted
}

// overFloodLimit reports that the bound on requests of every kind refuses a question. That bound counts every question,
// recorded or not, so a replay could not come to the same refusal: it is never recorded.
func (s *step) overFloodLimit(what occurrence) bool {
	asked, ok := what.(event.Asked)
	if !ok || unfit(what) != "" {
		return false
	}
	session, open := s.sessions[asked.Session]
	if !open {
		return false
	}
	beside, taken := s.openRequests(asked.Session, asked.Ref)
	return !taken && s.refuses(&asked.Request, session, beside) == pending.Flooded
}

// changesNothing reports that an event of a peer changes nothing, whatever it is answered with.
func (s *step) changesNothing(what occurrence) bool {
	if unfit(what) != "" {
		return true
	}
	switch ev := what.(type) {
	case event.Asked:
		session, open := s.sessions[ev.Session]
		if !open {
			return true
		}
		beside, taken := s.openRequests(ev.Session, ev.Ref)
		return taken || s.refuses(&ev.Request, session, beside) != pending.Admitted
	case event.Called:
		_, open := s.sessions[ev.Session]
		return !open
	case event.Completed:
		_, news := s.page(ev)
		return !news
	case event.Cancelled:
		return !s.cancels(ev)
	case refusedEvent:
		return true
	}
	return false
}

// cancels reports that ev takes something back.
func (s *step) cancels(ev event.Cancelled) bool {
	for _, it := range s.table.Unanswered(ev.Session) {
		h := s.held[it.ID]
		if names(ev, h.request.Ref, h.request.Parent) {
			return true
		}
		for _, j := range h.joined {
			if names(ev, j.ref, j.parent) {
				return true
			}
		}
	}
	return false
}

// getsRecord reports that an idle event at a time gets a record. Once events are being counted, only some room ends
// that: it is for the count and for the records that follow. A replay spends the record of the count before it comes to
// the event, so there must be room after that too.
func (f *flood) getsRecord(at int64) bool {
	if f.counted.count == 0 {
		return f.left(at) > 0
	}
	if f.left(at) < max(1, min(f.most, floodAgain)) {
		return false
	}
	after := *f
	after.spend(f.counted.bound(), f.counted.until)
	return after.left(at) > 0
}

// left is the room at a time.
func (f *flood) left(at int64) int64 {
	if at-f.at > (f.most-f.room)/floodRate {
		return f.most
	}
	return f.room + max(0, at-f.at)*floodRate
}

// resize sets the full size of the allowance. The part that has been spent stays spent.
func (f *flood) resize(most, at int64) {
	f.room, f.at = f.left(at)+most-f.most, max(at, f.at)
	f.most = most
}

// spend takes the length of a record of an idle event out of the allowance.
func (f *flood) spend(length int, at int64) {
	f.room, f.at = f.left(at)-int64(length+1)*1000, max(at, f.at)
}

// aroundCount is more than a record holds beside its event and no effects.
const aroundCount = 512

// bound is the most bytes that the record of the count can have.
func (f *floodedEvent) bound() int { return len(f.AppendJSON(nil)) + 2*digest.Size + aroundCount }

// countUnrecorded makes no record of an event that has been performed and changed nothing. Only replies and problems
// have followed from it.
func (s *step) countUnrecorded(what, kept occurrence) []effect.Effect {
	f := &s.flood
	if f.counted.count == 0 {
		f.counted.since = s.at
		if f.sum == nil {
			f.sum = digest.New()
		}
		f.sum.Reset()
	}
	f.counted.until = s.at
	one := tally{1, 0}
	session := ""
	switch ev := what.(type) {
	case event.Asked:
		session, one.bytes = ev.Session, int64(len(ev.Message)+len(ev.Schema)+len(ev.URL))
	case event.Completed:
		session = ev.Session
	case event.Cancelled:
		session = ev.Session
	}
	if _, open := s.sessions[session]; !open {
		session = ""
	}
	f.counted.add(session, one)
	line := append(kept.AppendJSON(s.buffers.event[:0]), '\n')
	f.sum.Write(line)
	s.buffers.event = line
	s.buffers = s.buffers.kept()
	return s.effects[1:]
}

// add counts events of a session, "" for none. Beyond the sessions that are named, events are in the whole tally alone.
func (f *floodedEvent) add(session string, more tally) {
	f.tally = f.plus(more)
	for i := range f.sessions {
		if one := &f.sessions[i]; one.session == session {
			one.tally = one.plus(more)
			return
		}
	}
	if session != "" && len(f.sessions) < maxFloodSessions {
		f.sessions = append(f.sessions, sessionTally{session, more})
	}
}

func (t tally) plus(more tally) tally {
	return tally{min(t.count+more.count, lastMoment), min(t.bytes+more.bytes, lastMoment)}
}

// recordCounted makes the record of what has been counted, if anything has: the one that a step with nothing but the
// flooded event makes. It comes after the event that ended the counting has been performed, and nothing of it depends
// on that event.
func (e *Engine) recordCounted() []effect.Effect {
	told := e.flood.counted
	if told.count == 0 {
		return nil
	}
	var sum [digest.Size]byte
	told.digest = digest.Hex(e.flood.sum.Sum(sum[:0]))
	e.flood.counted = floodedEvent{}
	s := &step{Engine: e, at: told.until, effects: make([]effect.Effect, 1)}
	return s.appendRecord(told.until, 0, told, false)
}

// maxRefusedText is how much of each text of a refused question a record holds.
const maxRefusedText = 256

// shortened is a refused question as a record holds it, without the parts of its message: long texts give way to their
// lengths and a digest over all of them.
func (ev keptAsked) shortened() keptAsked {
	_, reach := ev.ReachSize()
	ev.Parts = nil
	if len(ev.Message) <= maxRefusedText && len(ev.Schema) <= maxRefusedText && len(ev.URL) <= maxRefusedText &&
		len(ev.Command) <= maxRefusedText && reach <= maxRefusedText {
		return ev
	}
	sum := digest.New()
	for _, text := range [][]byte{[]byte(ev.Message), ev.Schema, []byte(ev.URL)} {
		sum.Write(text)
		sum.Write([]byte{0})
	}
	var out [digest.Size]byte
	ev.cut.digest = digest.Hex(sum.Sum(out[:0]))
	cut := func(n int, length *int) bool {
		if n > maxRefusedText {
			*length = n
		}
		return n > maxRefusedText
	}
	if cut(len(ev.Message), &ev.cut.message) {
		ev.Message = ""
	}
	if len(ev.Command) > maxRefusedText {
		ev.Command = "" // the message shows it
	}
	if reach > maxRefusedText {
		ev.Paths, ev.Hosts, ev.ReachCut = nil, nil, true
	}
	if cut(len(ev.Schema), &ev.cut.schema) {
		ev.Schema = nil
	}
	if cut(len(ev.URL), &ev.cut.url) {
		ev.URL = ""
	}
	return ev
}
