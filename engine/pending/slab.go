package pending

import (
	"iter"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/few"
)

// key is a request id as sixteen bytes.
type key [16]byte

// parseKey takes lower-case digits alone, so one record has one id. Upper case would be a second name of it.
func parseKey(id elicit.ID) (k key, ok bool) {
	if len(id) != 2*len(k) {
		return k, false
	}
	for i := range k {
		high, low := nibble(id[2*i]), nibble(id[2*i+1])
		if high|low == 0xff { // one of them is no digit
			return k, false
		}
		k[i] = high<<4 | low
	}
	return k, true
}

// WellFormed reports whether a table can hold a request of this id: 32 lower-case hex digits.
func WellFormed(id elicit.ID) bool {
	_, ok := parseKey(id)
	return ok
}

func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	}
	return 0xff
}

// none stands for no record in every link between records. 0 is a place, so the zero value of a link is wrong. Each new
// record and list is made with none.
const none = int32(-1)

// record is one open request without a pointer in it: names stand in tables, and lists link by position. It has 64
// bytes. A name is a number into a table of names, because a string would be a pointer for the collector to follow.
type record struct {
	id              key
	deadline        int64  // 0 for none
	arrival         uint64 // order of arrival
	session, server int32
	before, after   int32 // neighbours in the session; after also chains free records
	queuedBefore    int32 // neighbours in the server's queue
	queuedAfter     int32
	timer           int32 // position among the timers, or none
	// finished: a completion came. apart: shown where it takes no turn. Both say nothing in other states.
	state           State
	finished, apart bool
}

// slab holds the records and the list of each session. records never shrinks: after a peak its places wait in the free
// list.
type slab struct {
	records  []record
	free     int32
	arrivals uint64
	sessions names
	servers  names
}

// add makes a record and appends it to its session's list.
func (s *slab) add(id key, it Item) int32 {
	at := s.free
	if at == none {
		at = int32(len(s.records))
		s.records = append(s.records, record{})
	} else {
		s.free = s.records[at].after
	}
	s.arrivals++
	r := &s.records[at]
	*r = record{id: id, arrival: s.arrivals, session: s.sessions.use(it.Session), server: s.servers.use(it.Server),
		after: none, queuedBefore: none, queuedAfter: none, timer: none, state: it.State, finished: it.Finished,
		apart: it.Apart}
	s.link(at)
	return at
}

// list is the list of its session that a record belongs to by its state. It follows from the state, so a record is
// unlinked before its state changes between Awaiting and any other, and linked after that.
func (s *slab) list(r *record) *list {
	if r.state == Awaiting {
		return &s.sessions.names[r.session].pages
	}
	return &s.sessions.names[r.session].waiting
}

// link appends a record to its list.
func (s *slab) link(at int32) {
	r := &s.records[at]
	list := s.list(r)
	r.before, r.after = list.last, none
	if list.last == none {
		list.first = at
	} else {
		s.records[list.last].after = at
	}
	list.last = at
}

// unlink takes a record off its list.
func (s *slab) unlink(at int32) {
	r := &s.records[at]
	list := s.list(r)
	if r.before == none {
		list.first = r.after
	} else {
		s.records[r.before].after = r.after
	}
	if r.after == none {
		list.last = r.before
	} else {
		s.records[r.after].before = r.before
	}
}

// remove takes a record off its session's list and frees it. The record must be in no queue and no heap by now. The
// place may be given again at once.
func (s *slab) remove(at int32) {
	r := &s.records[at]
	s.unlink(at)
	s.sessions.drop(r.session)
	s.servers.drop(r.server)
	*r = record{after: s.free, session: none}
	s.free = at
}

// lists returns the two lists of a session.
func (s *slab) lists(session string) (waiting, pages list) {
	if i, known := s.sessions.index.Find(session); known {
		return s.sessions.names[i].waiting, s.sessions.names[i].pages
	}
	return emptyList, emptyList
}

// walk visits the records of a list in order. The walk must not add or remove records. At the time of a visit the
// record is the slab's own, and a pointer to it ends with the next append to the slab.
func (s *slab) walk(l list) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for at := l.first; at != none; at = s.records[at].after {
			if !yield(&s.records[at]) {
				return
			}
		}
	}
}

func (s *slab) items(records []*record) []Item {
	var list []Item
	for _, r := range records {
		list = append(list, s.itemOf(r, r.name()))
	}
	return list
}

// name is the request's id as its text.
func (r *record) name() elicit.ID { return elicit.ID(digest.Hex(r.id[:])) }

func (s *slab) item(at int32) Item { return s.itemOf(&s.records[at], s.records[at].name()) }

// itemOf is item for whoever has the id at hand, which saves making it.
func (s *slab) itemOf(r *record, id elicit.ID) Item {
	return Item{ID: id, Session: s.sessions.names[r.session].name,
		Server: s.servers.names[r.server].name, State: r.state, Deadline: r.deadline, Finished: r.finished,
		Apart: r.apart}
}

// names gives each session or server with open requests a number. A number is used again when the last record of its
// name is gone.
type names struct {
	index few.Map[string, int32]
	names []name
	free  []int32
}

// name is one row. A session has its pages apart from what waits for an answer: a server may leave thousands of pages
// unfinished, and a step must not look at each of them.
type name struct {
	name    string
	uses    int32
	waiting list // of a session: what is not Awaiting, in order of arrival; of a server: its queue
	pages   list // of a session: what is Awaiting, in order of consent
}

// list is a list of records by its ends.
type list struct{ first, last int32 }

var emptyList = list{none, none}

// use gives a text its number and counts one more record of it. drop is its opposite.
func (n *names) use(text string) int32 {
	i, known := n.index.Find(text)
	if !known {
		if k := len(n.free); k > 0 {
			i, n.free = n.free[k-1], n.free[:k-1]
		} else {
			i, n.names = int32(len(n.names)), append(n.names, name{})
		}
		n.index.Set(text, i)
		n.names[i] = name{name: text, waiting: emptyList, pages: emptyList}
	}
	n.names[i].uses++
	return i
}

func (n *names) drop(i int32) {
	if n.names[i].uses--; n.names[i].uses == 0 {
		n.index.Delete(n.names[i].name)
		n.names[i] = name{}
		n.free = append(n.free, i)
	}
}
