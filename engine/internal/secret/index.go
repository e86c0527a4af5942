package secret

// kind is the effect of a word of the tables.
type kind byte

const (
	harmless kind = iota // before the secrets, so that it wins if both match
	anywhere
	ending
	glued
	after
	tails
	asks
	about
	happened
	articles
	negations
	between
	other
)

// kinds is a set of kinds, because one word may have several.
type kinds uint16

func (k kinds) has(x kind) bool { return k&(1<<x) != 0 }

// entry is one phrase or word of the tables. The key is its first two folded letters, and tail the next four, with a
// mask for those that exist. Almost every compared entry therefore fits.
type entry struct {
	key    uint64
	tail   uint64
	mask   uint64
	phrase string
	clue   Clue
	kind   kind
	lang   uint8 // its place in languages
	stem   bool  // the phrase is the beginning of words
}

func (e *entry) language() *language { return &languages[e.lang] }

// index is a list of entries by the hash of their keys. Those of bucket b are entries[start[b]:start[b+1]].
type index struct {
	entries []entry
	start   [buckets + 1]uint16
}

const buckets = 1024

func bucket(key uint64) int { return int((key>>32*31 + key) * 0x9E3779B1 >> 16 & (buckets - 1)) }

func beginsEnding(r rune) bool { return built().endingStarts&endingBit(r) != 0 }

func buildIndex(of ...kind) *index {
	n := 0
	for i := range languages {
		for _, k := range of {
			n += languages[i].list(k).most()
		}
	}
	x := newIndex(n)
	for i := range languages {
		for _, k := range of {
			for phrase := range languages[i].list(k).all {
				x.add(entry{kind: k, phrase: phrase, lang: uint8(i)})
			}
		}
	}
	x.seal()
	return x
}

// newIndex returns an index with room for n entries. It never grows.
func newIndex(n int) *index { return &index{entries: make([]entry, 0, n)} }

// add adds an entry with a known kind, phrase and language.
func (x *index) add(e entry) {
	var rest cursor
	e.key, rest = cursor{text: e.phrase}.head()
	e.tail, e.mask = rest.tail()
	x.entries = append(x.entries, e)
}

// seal makes the buckets. No entry may be added after it. In a bucket, the entries are in the order of their kinds, and
// longer phrases come first. Counting the buckets takes linear time, and each has only a few entries to sort.
func (x *index) seal() {
	for i := range x.entries {
		x.start[bucket(x.entries[i].key)+1]++
	}
	for i := range buckets {
		x.start[i+1] += x.start[i]
	}
	order, end := make([]uint16, len(x.entries)), x.start
	for i := range x.entries {
		e := &x.entries[i]
		b := bucket(e.key)
		at := end[b]
		for ; at > x.start[b] && e.before(&x.entries[order[at-1]]); at-- {
			order[at] = order[at-1]
		}
		order[at] = uint16(i)
		end[b]++
	}
	for at := range order { // each round moves one cycle of entries, in place
		first, to := x.entries[at], at
		for from := int(order[to]); from != at; to, from = from, int(order[from]) {
			x.entries[to], order[to] = x.entries[from], uint16(to)
		}
		x.entries[to], order[to] = first, uint16(to)
	}
}

// before reports whether e is compared before f in their bucket. Of two equal ones, the first added comes first.
func (e *entry) before(f *entry) bool {
	return e.kind < f.kind || e.kind == f.kind && len(e.phrase) > len(f.phrase)
}

// head returns the key of the text at the cursor, and the cursor for its third letter.
func (c cursor) head() (key uint64, rest cursor) {
	a, _ := c.next()
	b, ok := c.next()
	if !ok || b.gap >= gapComma {
		return uint64(a.r) << 32, cursor{}
	}
	return uint64(a.r)<<32 | uint64(b.r), c
}

// tail packs the next four letters of a phrase, with a mask of those that exist.
func (c cursor) tail() (tail, mask uint64) {
	for shift := 0; shift < 64; shift += 16 {
		l, ok := c.next()
		if !ok || l.gap >= gapComma {
			break
		}
		tail |= uint64(uint16(l.r)) << shift
		mask |= 0xFFFF << shift
	}
	return tail, mask
}

// candidates returns the entries that may begin with this key.
func (x *index) candidates(key uint64) []entry {
	b := bucket(key)
	return x.entries[x.start[b]:x.start[b+1]]
}

// kindsOf looks a word up in the vocabulary.
func kindsOf(word string) (k kinds) {
	c := cursor{text: word}
	key, rest := c.head()
	list := built().vocabulary.candidates(key)
	if len(list) == 0 {
		return 0
	}
	tail, _ := rest.tail()
	for i := range list {
		e := &list[i]
		if e.key == key && (e.tail^tail)&e.mask == 0 {
			if end, ok := c.spell(e.phrase, false); ok && end.at == len(word) {
				k |= 1 << e.kind
			}
		}
	}
	return k
}
