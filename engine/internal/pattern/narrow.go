package pattern

import (
	"math/bits"
	"unicode/utf8"
)

// narrow runs a pattern of few positions. The set of possible next positions is one word, with bit n for
// position n. Bit 0 is the end of the pattern, and bit 63 is the end of the pattern if the text ends as well.
// This is the position automaton of Glushkov, run on a set of bits. For ab*, follow of position a is the
// positions b and the end. Each character costs one step for each live position.
//
// Demands are known at compile time for each kind of place: at the beginning or not, at a word boundary or not.
// Only the end of the text is found while matching, so it has a bit of its own.
type narrow struct {
	ascii   [utf8.RuneSelf]uint64 // positions whose class has the character
	wide    []wideClass
	begin   [2]uint64   // possible first positions at the beginning of the text, by whether it is a word boundary
	first   [2]uint64   // possible first positions anywhere else
	follow  [2][]uint64 // positions that may follow each position
	words   bool
	onlyOne bool // a match can begin only at the beginning of the text
}

// wideClass is a class that has members beyond ASCII, and the positions that have this class.
type wideClass struct {
	class     class
	positions uint64
}

const (
	narrowPositions = 63
	ended           = 1 << 0
	endedAtEnd      = 1 << 63
)

// newNarrow makes the tables. A pattern without \b and \B shares one table for both kinds of places.
func newNarrow(p *program) *narrow {
	m := &narrow{words: p.words}
	m.follow[0] = make([]uint64, len(p.ways))
	m.follow[1] = m.follow[0]
	if m.words {
		m.follow[1] = make([]uint64, len(p.ways))
	}
	// Position 0 is the end, and nothing follows it. Its ways are those from the start, so they have tables of
	// their own.
	for boundary := range m.follow {
		for from := 1; from < len(p.ways); from++ {
			m.follow[boundary][from] = wordOf(p.ways[from], boundary, 0)
		}
		m.begin[boundary] = wordOf(p.ways[0], boundary, atBegin)
		m.first[boundary] = wordOf(p.ways[0], boundary, 0)
	}
	m.onlyOne = m.first[0]|m.first[1] == 0
	m.learn(p)
	return m
}

// wordOf returns the positions that the edges lead to at a place where holds is true, besides the boundary.
// boundary is 1 at a word boundary and 0 elsewhere. An edge that demands the end of the text can only lead to
// the end of the pattern, so it sets the bit endedAtEnd whatever its target.
func wordOf(edges []edge, boundary int, holds demand) (set uint64) {
	holds |= notBoundary
	if boundary == 1 {
		holds ^= notBoundary | atBoundary
	}
	for _, e := range edges {
		switch {
		case e.demand&^(holds|atEnd) != 0:
		case e.demand&atEnd != 0:
			set |= endedAtEnd
		default:
			set |= 1 << e.to
		}
	}
	return set
}

// learn records for every character which positions accept it.
func (m *narrow) learn(p *program) {
	list := p.b.tree.classes.list
	// Positions are few, but classes may hold many characters, so the positions of each class are joined first.
	sets := make([]uint64, len(list))
	for position, at := range p.at[1:] {
		sets[p.code[at].class] |= 1 << (position + 1)
	}
	for i := range list {
		if sets[i] == 0 {
			continue
		}
		list[i].each(func(b int) { m.ascii[b] |= sets[i] })
		if len(list[i].wide) > 0 {
			m.wide = append(m.wide, wideClass{list[i], sets[i]})
		}
	}
}

// takes returns the positions that accept a character beyond ASCII.
func (m *narrow) takes(r rune) (set uint64) {
	for i := range m.wide {
		if m.wide[i].class.has(r) {
			set |= m.wide[i].positions
		}
	}
	return set
}

// match reads the text once. One turn of the loop stands at the place in front of the character r, or at the
// end of the text, where size is 0. reach is the set of positions that may read r, or the end of the pattern. A
// new match may begin at every place, so the first positions are always in it.
func (m *narrow) match(text []byte) bool {
	live, word := uint64(0), 0 // positions that accepted the last character; whether it is a word character
	first := &m.begin
	for at := 0; ; {
		r, size := rune(-1), 0
		if at < len(text) {
			if r, size = rune(text[at]), 1; r >= utf8.RuneSelf {
				r, size = utf8.DecodeRune(text[at:])
			}
		}
		boundary := 0
		if m.words {
			next := 0
			if isWord(r) {
				next = 1
			}
			boundary, word = word^next, next
		}
		reach := first[boundary]
		for follow := m.follow[boundary]; live != 0; live &= live - 1 {
			reach |= follow[bits.TrailingZeros64(live)]
		}
		switch {
		// The pattern may end in front of this character. Only whether it occurs is asked, so the first end is
		// enough.
		case reach&ended != 0:
			return true
		case size == 0:
			return reach&endedAtEnd != 0
		case r < utf8.RuneSelf:
			live = reach & m.ascii[r]
		default:
			live = reach & m.takes(r)
		}
		// No match is under way, and none can begin later.
		if live == 0 && m.onlyOne {
			return false
		}
		first = &m.first
		at += size
	}
}
