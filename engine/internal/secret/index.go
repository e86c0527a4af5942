package secret

import (
	"cmp"
	"slices"
)

// kind says what a word of the tables does.
type kind byte

const (
	harmless kind = iota // before the secrets, so that it wins where both match
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
)

// kinds is a set of them: one word may be several things.
type kinds uint16

func (k kinds) has(x kind) bool { return k&(1<<x) != 0 }

// entry is one phrase or word of the tables. The key is its first two folded letters, so that a look-up touches only
// the few that can match; third, when not zero, rules out most of those.
type entry struct {
	key    uint64
	third  rune
	kind   kind
	phrase string
}

// phrases are what is looked for in a text; endings of words are looked for inside words; vocabulary is what stands
// around them. All are built from the tables alone, once.
var (
	phrases    = buildIndex(harmless, anywhere, ending)
	endings    = buildIndex(glued)
	vocabulary = buildIndex(after, tails, asks, about, happened, articles, negations, between)
)

// endingStarts has a bit for every first letter of endings, since most letters of a text begin none.
var endingStarts = func() (set uint32) {
	for _, e := range endings {
		if r := rune(e.key >> 32); r >= 'a' && r <= 'z' {
			set |= 1 << (r - 'a')
		} else {
			set |= 1 << 31
		}
	}
	return set
}()

func beginsEnding(r rune) bool {
	if r >= 'a' && r <= 'z' {
		return endingStarts&(1<<(r-'a')) != 0
	}
	return endingStarts&(1<<31) != 0
}

func buildIndex(of ...kind) []entry {
	var index []entry
	for i := range languages {
		for _, k := range of {
			for _, phrase := range languages[i].list(k) {
				c := cursor{text: phrase}
				key, third := c.head()
				index = append(index, entry{key, third, k, phrase})
			}
		}
	}
	slices.SortStableFunc(index, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.kind, b.kind))
	})
	return index
}

// head is the key of what begins here, and its third letter.
func (c cursor) head() (key uint64, third rune) {
	a, _ := c.next()
	b, ok := c.next()
	if !ok || b.gap >= gapComma {
		return uint64(a.r) << 32, 0
	}
	if t, ok := c.next(); ok && t.gap < gapComma {
		third = t.r
	}
	return uint64(a.r)<<32 | uint64(b.r), third
}

// candidates are the entries with this key.
func candidates(index []entry, key uint64) []entry {
	lo, _ := slices.BinarySearchFunc(index, key, func(e entry, k uint64) int { return cmp.Compare(e.key, k) })
	hi := lo
	for hi < len(index) && index[hi].key == key {
		hi++
	}
	return index[lo:hi]
}

// kindsOf looks a word up in the vocabulary.
func kindsOf(word string) (k kinds) {
	c := cursor{text: word}
	key, third := c.head()
	for _, e := range candidates(vocabulary, key) {
		if e.third == third {
			if end, ok := c.spell(e.phrase, false); ok && end.at == len(word) {
				k |= 1 << e.kind
			}
		}
	}
	return k
}
