package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/journal"
)

// recorder makes the records of the journal. It knows events and effects, and nothing of sessions or questions.
type recorder struct {
	head   journal.Head
	format int // of the records, while a journal is replayed; 0 means the newest
	// Both hashes are made once and reset for each use. sum is over the whole effects of the step that is being
	// recorded.
	flood   flood
	sum     digest.Hash
	buffers buffers
}

// newRecorder begins a chain, with an allowance of bytes for records of what changes nothing.
func newRecorder(floodBytes int) recorder {
	return recorder{sum: digest.New(), flood: flood{most: int64(floodBytes) * 1000, room: int64(floodBytes) * 1000}}
}

// entry is what one record is made of: all that a replay needs to make the step again, and the effects to compare.
type entry struct {
	At, Now int64 // as the input had them
	random  [32]byte
	event   recordedEvent
	effects []effect.Effect
	time    int64 // of the step, which allowances follow
	idle    bool  // the step changed nothing, so the record takes from the allowance of such records
	needs3  bool  // a decision has the meaning of format 3
}

// mint makes the id a request of this step would get. The chain's hash is mixed in, so that ids differ even when a
// host's random bytes do not. Steps without a record leave the hash as it is, so their number since then is mixed in
// too. The record that tells their number leaves the hash of the record before it in force: a replay, which never sees
// those steps, mints alike. 128 bits of SHA-256 over random ‖ anchor ‖ count. Somebody who knows a journal cannot guess
// the next id without the random bytes.
func (r *recorder) mint(random [32]byte) elicit.ID {
	var all [2*digest.Size + 8]byte
	of := append(append(all[:0], random[:]...), r.flood.anchor[:]...)
	counted := r.flood.counted.count + r.flood.since
	if counted > 0 {
		counted++
	}
	// Lowest byte first, without zero bytes at the end. The parts before it have a fixed length, so no two counts give
	// one text.
	for ; counted > 0; counted >>= 8 {
		of = append(of, byte(counted))
	}
	sum := digest.Sum256(of)
	return elicit.ID(digest.Hex(sum[:digest.Size/2]))
}

// append makes the record of a step, which goes on with the chain. The record has the effects in brief. Its sum covers
// them whole, so a replay proves every byte of them, although the journal does not hold every byte twice.
func (r *recorder) append(one entry) effect.Append {
	cut := 0
	line, whole := append(r.buffers.effects[:0], '['), r.buffers.whole
	r.sum.Reset()
	for i, next := range one.effects {
		if i > 0 && cut == 0 {
			line = append(line, ',')
		}
		// Whole and brief differ: a brief Show has no form and no message, because the event of the question has them.
		whole = append(appendKept(whole[:0], next, r.format, true), '\n')
		r.sum.Write(whole)
		// Once one effect is cut, so are all later ones: a record has the beginning of the effects, without a gap.
		if cut == 0 && i < maxKeptEffects && len(line) < maxKeptBytes {
			line = appendKept(line, next, r.format, false)
		} else {
			cut++
		}
	}
	if cut > 0 {
		line = effectsCut(line, cut)
	}
	line = append(line, ']')
	ev := one.event.AppendJSON(r.buffers.event[:0])
	var sum [digest.Size]byte
	// The line is new memory, and the host may keep it. The buffers are used again by the next step.
	rec, head := journal.Append(nil, r.head, journal.Record{
		Version: r.formatOf(one), At: one.At, Now: one.Now, Random: one.random, Event: ev, Effects: line,
		Sum: digest.Hex(r.sum.Sum(sum[:0])),
	})
	r.head = head
	r.flood.recorded(one, head, len(rec))
	r.buffers = buffers{ev, line, whole}.kept()
	return effect.Append{Record: rec}
}

// formatOf is the format of a record. It is 3 only where the meaning of format 3 made a difference, so all other
// records stay as they were.
func (r *recorder) formatOf(one entry) int {
	switch {
	case r.format != 0:
		return r.format
	case one.needs3:
		return 3
	}
	return 2
}

// before3 reports whether a record of this format is decided by the meanings that format 3 replaced. A live step has
// the format 0.
func before3(format int) bool { return format == 1 || format == 2 }

// buffers are what records are written on. They belong to the recorder, so that a step does not ask for new ones.
type buffers struct{ event, effects, whole []byte }

// maxBuffer bounds what a recorder holds on to after a large step.
const maxBuffer = 64 << 10

// kept is what of the buffers is worth keeping. One large question should not hold its memory for good.
func (p buffers) kept() buffers {
	if max(cap(p.event), cap(p.effects), cap(p.whole)) > maxBuffer {
		return buffers{}
	}
	return p
}

// A step may end any number of requests at once, and a record must stay readable: beyond these bounds it only counts
// the effects, which its sum still covers.
const (
	maxKeptEffects = 4096
	maxKeptBytes   = 1 << 20
)

// effectsCut stands at the end of the effects of a record that holds only their beginning. n is how many are missing.
func effectsCut(dst []byte, n int) []byte {
	o := jsontext.With(dst, "effect", "cut")
	o.Int("count", int64(n))
	return o.End()
}

// appendKept appends an effect as a record of a format may keep it: without values typed into sensitive fields, and,
// unless whole, without what the event in the record says already.
func appendKept(dst []byte, next effect.Effect, format int, whole bool) []byte {
	switch ef := next.(type) {
	// Format 1 left the handle out, and a replay of format 1 must spell the record as it was.
	case effect.Show:
		if whole {
			return ef.AppendJSON(dst)
		}
		return ef.AppendBrief(dst, format != 1)
	// The question to a guardian may hold secrets that it alone may read. The record has the question without them.
	case effect.Consult:
		if ef.Question = nil; whole {
			ef.Question = ef.Kept
		}
		return ef.AppendJSON(dst)
	// A reply leaves with the secrets that the person typed, and is kept without them.
	case effect.Reply:
		ef.Content, ef.Note, ef.Arguments = without(ef.Content, ef.Hidden), ef.KeptNote, ef.KeptArguments
		return ef.AppendJSON(dst)
	}
	return next.AppendJSON(dst)
}

// count makes no record of an event that has been performed and changed nothing. Only replies and problems have
// followed from it. session is where it came, "" for none that is open; texts is how many bytes of text it had. The
// digest is over the event as a record would hold it, so it has no secret either.
func (r *recorder) count(session string, texts int, kept recordedEvent, at int64) {
	f := &r.flood
	if f.counted.count == 0 {
		f.counted.since = at
		if f.sum == nil {
			f.sum = digest.New()
		}
		f.sum.Reset()
	}
	f.counted.until = at
	f.counted.add(session, tally{1, int64(texts)})
	line := append(kept.AppendJSON(r.buffers.event[:0]), '\n')
	f.sum.Write(line)
	r.buffers.event = line
	r.buffers = r.buffers.kept()
}

// recordCounted makes the record of what has been counted, if anything has: the one that a step with nothing but the
// flooded event makes. It comes after the event that ended the counting has been performed, and nothing of it depends
// on that event.
func (r *recorder) recordCounted() []effect.Effect {
	counted := r.flood.counted
	if counted.count == 0 {
		return nil
	}
	var sum [digest.Size]byte
	counted.digest = digest.Hex(r.flood.sum.Sum(sum[:0]))
	r.flood.counted = floodedEvent{}
	return []effect.Effect{r.append(entry{At: counted.until, event: counted, time: counted.until})}
}
