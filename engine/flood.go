package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
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

// recorded takes note of a record of a length, which has made the chain end in head.
func (f *flood) recorded(one entry, head journal.Head, length int) {
	counted, tells := one.event.(floodedEvent)
	if tells {
		f.since += counted.count
	} else {
		f.anchor, f.since = head.Hash, 0
	}
	if tells || one.idle {
		f.spend(length, one.time)
	}
}

const (
	// A full allowance of the default size, 64 KiB, comes back in 128 seconds of silence.
	floodRate = 512 // thousandths of a byte a millisecond: half a KB a second
	// Without this distance between "empty" and "again", a peer that sends at the refill rate would get a record of the
	// count for nearly every event.
	floodAgain = 4096 * 1000 // the room that ends the counting, unless the whole allowance is less
)

// maxFloodSessions bounds the sessions that a flooded event names.
const maxFloodSessions = 8

// floodedEvent stands in the journal for events that changed nothing and have no record of their own.
// {"event":"flooded","since":…,"until":…,"count":12,"bytes":340,"digest":"…","sessions":[{"session":"s",…}]}. The
// digest proves later what the events were, if somebody else kept them.
type floodedEvent struct {
	since, until int64 // when the first and the last came
	tally
	digest   string // hex SHA-256 over the events as a record would have held them, each with a line end
	sessions []sessionTally
}

// tally is how many events there were, and how many bytes of text their questions had. Bytes are of message, schema and
// URL, as they came.
type tally struct{ count, bytes int64 }

// sessionTally is the part of a tally that came in one session.
type sessionTally struct {
	session string
	tally
}

// AppendJSON appends
// {"event":"flooded","since","until","count","bytes","digest","sessions":[{"session","count","bytes"},…]}.
func (f floodedEvent) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "flooded")
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
	o := jsontext.With(dst, "session", t.session)
	o.Int("count", t.count)
	o.Int("bytes", t.bytes)
	return o.End()
}

// The chain is verified before this, so the members are those that an engine wrote. A member of another type reads as
// zero, and the replay then diverges.
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

// left is the room at a time. A time before f.at gives what was left then. The comparison in front keeps the product
// from an overflow.
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

// spend takes the length of a record of an idle event out of the allowance. The room may go below zero. A record is
// never cut for it: the next ones wait instead.
func (f *flood) spend(length int, at int64) {
	f.room, f.at = f.left(at)-int64(length+1)*1000, max(at, f.at)
}

// aroundCount is more than a record holds beside its event and no effects.
const aroundCount = 512

// bound is the most bytes that the record of the count can have.
func (f *floodedEvent) bound() int { return len(f.AppendJSON(nil)) + 2*digest.Size + aroundCount }

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

// plus adds two tallies. A sum that is too large for a record stays at the largest that it can hold.
func (t tally) plus(more tally) tally {
	return tally{min(t.count+more.count, lastMoment), min(t.bytes+more.bytes, lastMoment)}
}
