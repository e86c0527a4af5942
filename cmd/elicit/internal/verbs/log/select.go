package log

import (
	"cmp"
	"maps"
	"slices"
)

// heldRecords are the records of a question that may still turn out to match.
type heldRecords struct {
	entries []*logEntry
	bytes   int
	lost    int // records that were too many to hold
	state   matchState
	grepped bool // some line matched --grep
}

type matchState uint8

const (
	undecided matchState = iota
	matching             // its records are printed as they come
	rejected
)

// maxHeld bounds the bytes of records that wait for the end of their questions. The engine bounds the questions that
// are open at the same time, but not the records of one.
const maxHeld = 64 << 20

// selector prints the records of questions that match a filter. A record that waits for the end of its question is
// printed with it, so records can change their order between questions.
type selector struct {
	filter *questionFilter
	print  func(*logEntry)
	count  func(*loggedQuestion) // takes each matching question that is over
	held   int                   // bytes
	asked  int
	found  int
	lost   int
}

// take takes a record, and the questions that are over with it.
func (s *selector) take(e *logEntry, ending []*loggedQuestion) {
	for _, q := range e.touches() {
		h := &q.held
		if len(h.entries) == 0 && h.state == undecided && q.seq == e.seq {
			s.asked++
		}
		if s.filter.hopeless(q) && h.state == undecided {
			s.drop(q, rejected)
		}
		if h.state == rejected {
			continue
		}
		part := e.of(q)
		s.filter.greps(q, part)
		if h.state == matching {
			s.print(part)
			continue
		}
		s.hold(q, part)
		if s.filter.matches(q, false) {
			s.release(q)
		}
	}
	for _, q := range ending {
		s.end(q)
	}
}

func (s *selector) hold(q *loggedQuestion, part *logEntry) {
	size := len(part.line) + len(part.json) + 128
	for _, l := range part.lines {
		size += len(l.text)
	}
	if s.held+size > maxHeld {
		q.held.lost++
		return
	}
	s.held += size
	q.held.bytes += size
	q.held.entries = append(q.held.entries, part)
}

func (s *selector) release(q *loggedQuestion) {
	for _, e := range q.held.entries {
		s.print(e)
	}
	s.lost += q.held.lost
	s.found++
	s.drop(q, matching)
}

func (s *selector) drop(q *loggedQuestion, state matchState) {
	s.held -= q.held.bytes
	q.held = heldRecords{state: state, grepped: q.held.grepped}
}

// end decides about a question that is over. It may be called again.
func (s *selector) end(q *loggedQuestion) {
	if q.held.state == undecided {
		if s.filter.matches(q, true) && !s.filter.hopeless(q) {
			s.release(q)
		} else {
			s.drop(q, rejected)
		}
	}
	if q.held.state == matching {
		s.count(q)
		s.drop(q, rejected)
	}
}

// rest ends the questions that are open at the end of the journal.
func (s *selector) rest(l *questionLog) {
	bySeq := func(a, b *loggedQuestion) int { return cmp.Compare(a.seq, b.seq) }
	for _, q := range slices.SortedFunc(maps.Values(l.byRef), bySeq) {
		s.end(q)
	}
}
