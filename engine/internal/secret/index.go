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

// kinds is a set of kinds, because one word may have several. Bit k stands for the kind k, so there are at most 16
// kinds.
type kinds uint16

func (k kinds) has(x kind) bool { return k&(1<<x) != 0 }

// index holds the phrases and words of some tables, by the hash of their first two letters. It is text, so that a
// program makes nothing of it at its start. Bucket b is text[starts(b):starts(b+1)], and starts has three bytes for
// each. In a bucket, the entries are in the order of their kinds, and longer phrases come first. The bytes lie in the
// read-only part of the program. A process that reads one text touches the few buckets of its words.
type index struct {
	text   string
	starts string
}

// entry is one entry of an index. It is written as a check of its first letters, how many letters after the second the
// check counts and its language, its kind or clue with two marks, and the length of its phrase: a byte each.
type entry struct {
	phrase string
	what   byte // a kind, a place in clueList, or a group of phrases, whose high bits are in lang
	lang   byte // its place in languages
	stem   bool // the phrase is the beginning of words
	double bool // the phrase has another meaning too
}

const (
	entryHead = 4
	tailMost  = 4 // the check counts two letters, and as many more at most
	langBits  = 5
	whatStem  = 0x80
	whatTwice = 0x40
	whatMost  = 0x3F
)

// bucket places a key of two letters. buckets is a power of two, and layout.go and programs must agree on it.
func bucket(key uint64, buckets int) int { return int((key>>32*31+key)*0x9E3779B1>>16) & (buckets - 1) }

// check is a byte that two beginnings share if they are the same. The tail has as many letters as count. One entry in
// 256 fits by chance, and then spell compares all of its letters.
func check(key, tail uint64) byte {
	return byte((key*0x9E3779B97F4A7C15 ^ tail*0xC2B2AE3D27D4EB4F) * 0xFF51AFD7ED558CCD >> 56)
}

// candidates are the entries of a bucket that may begin with the letters of a text.
type candidates struct {
	list   string
	checks [tailMost + 1]byte
}

// candidates returns those that may begin as the text at the cursor does. The checks for zero to four further letters
// are made at once, because entries of a bucket differ in how many letters their check counts.
func (x *index) candidates(at cursor) (c candidates) {
	key, rest := at.head()
	// The number of buckets is a power of two, and starts has one more entry for the end of the last one.
	b := 3 * bucket(key, len(x.starts)/3-1)
	if c.list = x.text[three(x.starts[b:]):three(x.starts[b+3:])]; c.list == "" {
		return c
	}
	tail := rest.tail()
	for n := range c.checks {
		c.checks[n] = check(key, tail&(1<<(16*n)-1))
	}
	return c
}

func three(s string) int { return int(s[0]) | int(s[1])<<8 | int(s[2])<<16 }

// next returns the next entry whose check fits. Almost every one does match.
func (c *candidates) next() (e entry, ok bool) {
	for len(c.list) > entryHead {
		head := c.list
		end := entryHead + int(head[3])
		c.list = head[end:]
		// The high bits of the second byte say how many letters the check counts.
		if head[0] == c.checks[head[1]>>langBits] {
			return entry{head[entryHead:end], head[2] & whatMost, head[1] & (1<<langBits - 1), head[2]&whatStem != 0,
				head[2]&whatTwice != 0}, true
		}
	}
	return entry{}, false
}

// head returns the key of the text at the cursor, and the cursor for its third letter.
func (c cursor) head() (key uint64, rest cursor) {
	a, _ := c.next()
	b, ok := c.next()
	// A text of one letter has a key that no phrase has.
	if !ok || b.gap >= gapComma {
		return uint64(a.r) << 32, cursor{}
	}
	return uint64(a.r)<<32 | uint64(b.r), c
}

// tail packs the next four letters of a phrase.
func (c cursor) tail() (tail uint64) {
	for shift := 0; shift < 16*tailMost; shift += 16 {
		l, ok := c.next()
		if !ok || l.gap >= gapComma {
			break
		}
		tail |= uint64(uint16(l.r)) << shift
	}
	return tail
}

// kindsOf looks a word up in the vocabulary. The whole word must match, so "enterprise" does not ask as "enter" does.
func kindsOf(word string) (k kinds) {
	c := cursor{text: word}
	list := vocabulary.candidates(c)
	for {
		e, ok := list.next()
		if !ok {
			return k
		}
		if end, ok := c.spell(e.phrase, false); ok && end.at == len(word) {
			k |= 1 << e.what
		}
	}
}
