package pattern

import "unicode/utf8"

// wide runs a pattern of many positions. A list holds those that accepted the last character. It is the
// algorithm of narrow with lists in place of words, for up to MaxPositions positions. A step costs the ways
// from all live positions, so maxEdges bounds it.
type wide struct {
	ways    [][]edge // by position; the first are those from the start
	class   []uint16 // by position
	classes []class
	words   bool
}

func newWide(p *program) *wide {
	m := &wide{ways: p.ways, classes: p.b.tree.classes.list, words: p.words, class: make([]uint16, len(p.at))}
	for i, at := range p.at[1:] {
		m.class[i+1] = p.code[at].class
	}
	return m
}

// crowd is the set of positions that accepted one character. Only list[:n] is valid. The order does not matter.
type crowd struct {
	list [MaxPositions + 1]uint16
	n    int
}

// place says what holds between two characters, and which character comes next, or -1.
type place struct {
	holds demand
	next  rune
}

// match takes 8 KB of the stack and no other memory. seen[n] is the round in which position n was reached last, so
// it need not be cleared between characters.
func (m *wide) match(text []byte) bool {
	var a, b crowd
	var seen [MaxPositions + 1]uint32
	live, reached := &a, &b
	wasWord := false
	for at, round := 0, uint32(1); ; round++ {
		p, size := place{next: -1}, 0
		if at < len(text) {
			// -1 is no character and no word, so a word at the end of the text has a boundary behind it.
			if p.next, size = rune(text[at]), 1; p.next >= utf8.RuneSelf {
				p.next, size = utf8.DecodeRune(text[at:])
			}
		} else {
			p.holds = atEnd
		}
		if at == 0 {
			p.holds |= atBegin
		}
		if word := m.words && isWord(p.next); word != wasWord {
			p.holds |= atBoundary
			wasWord = word
		} else {
			p.holds |= notBoundary
		}
		// Ways from the start come first: a match may begin in front of every character.
		reached.n = 0
		if m.step(0, p, reached, &seen, round) {
			return true
		}
		for _, from := range live.list[:live.n] {
			if m.step(from, p, reached, &seen, round) {
				return true
			}
		}
		if size == 0 {
			return false
		}
		live, reached = reached, live
		at += size
	}
}

// step follows the ways from a position, and reports whether one ends the pattern. A position that was reached
// once in this round is not tested again. Without that, a*a*a* would grow the list.
func (m *wide) step(from uint16, p place, reached *crowd, seen *[MaxPositions + 1]uint32, round uint32) bool {
	for _, e := range m.ways[from] {
		if e.demand&^p.holds != 0 {
			continue
		}
		if e.to == 0 {
			return true
		}
		if p.next < 0 || seen[e.to] == round {
			continue
		}
		seen[e.to] = round
		if m.classes[m.class[e.to]].has(p.next) {
			reached.list[reached.n] = e.to
			reached.n++
		}
	}
	return false
}
