package secret

import (
	mathbits "math/bits"
	"unicode/utf8"
)

// glance is a quick test that spares most texts the search. It knows how the phrases of some tables begin. Each letter
// has eight bits; letters beyond ASCII share the codes that are left. A hash of the first letters has a bit here. It
// may say yes for a text without a phrase, at the price of a search, and must never say no for one with a phrase. A
// test holds every phrase of the tables against it, in several spellings.
type glance struct {
	all begins       // of every set
	of  [sets]begins // of each
}

// A table of bits holds the hashes of beginnings of one length. Long phrases are tested by more letters, so that fewer
// ordinary words fit.
type begins struct {
	long   bits // the first eight or six letters of phrases with at least that many
	middle bits // the first four letters of beginnings of words
	inside bits // the first four letters of phrases that are also searched for inside words
	whole  bits // phrases of two to five letters, and their plurals
}

// seen says what a text may hold: something of each set, and signs that stand for letters.
type seen uint8

const (
	seenNames seen = 1 << iota
	seenClues
	seenSigns
	sets = 2
)

// all are its bits, in the order in which they are written.
func (g *begins) all() [4]*bits { return [...]*bits{&g.long, &g.middle, &g.inside, &g.whole} }

// It is a Bloom filter with two bits for each entry, and 4 KiB large.
type bits [1 << 15 / 64]uint64

// set marks both halves of a hash. has checks the second half only if the first is marked, which is rarely in vain.
func (b *bits) set(at uint32) { b[at>>6&511] |= 1 << (at & 63); b[at>>23] |= 1 << (at >> 17 & 63) }
func (b *bits) has(at uint32) bool {
	return b[at>>6&511]&(1<<(at&63)) != 0 && b[at>>23]&(1<<(at>>17&63)) != 0
}

const (
	glanceLetter = 255     // 1 to 36 for letters and digits of ASCII, 37 to 255 for others; 0 for skipped characters
	glanceStarts = 1 << 8  // a capital or digit: a word may begin here after any character
	glanceAfter  = 1 << 9  // a digit: a word may begin after it
	glanceGap    = 1 << 10 // no letter
	glanceSign   = 1 << 11 // may stand for a letter
	four         = 1<<32 - 1
	six          = 1<<48 - 1
)

// glanceLetters is the code of each byte of ASCII.
var glanceLetters = func() (t [utf8.RuneSelf]uint16) {
	for b := range t {
		switch k := asciiClass[b]; k {
		case lower:
			t[b] = uint16(b - 'a' + 1)
		case upper:
			t[b] = uint16(b-'A'+1) | glanceStarts
		case digit:
			t[b] = uint16(b-'0') + 27 | glanceStarts | glanceAfter
		case ignored:
		default:
			t[b] = glanceGap
		}
		if letterFor(byte(b), 'i') != 0 {
			t[b] |= glanceSign
		}
	}
	return t
}()

// readGlance reads what glance.write has written.
func readGlance(text string) *glance {
	g := &glance{}
	for i := range g.of {
		of, all := g.of[i].all(), g.all.all()
		for j := range of {
			at := -1
			for ; text[0] != 0; text = text[1:] {
				if text[0] == 255 {
					at += 254
					continue
				}
				at += int(text[0])
				of[j][at>>6] |= 1 << (at & 63)
				all[j][at>>6] |= 1 << (at & 63)
			}
			text = text[1:]
		}
	}
	return g
}

func glanceHash(letters uint64) uint32 { return uint32(letters * 0x9E3779B97F4A7C15 >> 32) }

// glanceCode is the code of a folded letter. Letters of other alphabets share the codes of Latin ones.
func glanceCode(r rune) uint32 {
	if r < utf8.RuneSelf {
		return uint32(glanceLetters[r])
	}
	return uint32(r)%(glanceLetter-36) + 37
}

// glanceBeyond is the code of a character beyond ASCII.
func glanceBeyond(r rune) uint32 {
	switch k := classOf(r); k {
	case ignored:
		return 0
	case joiner, stopper:
		return glanceGap
	case lower:
		return glanceCode(fold(r)) & glanceLetter
	case upper:
		return glanceCode(fold(r))&glanceLetter | glanceStarts
	}
	return glanceCode(fold(r))&glanceLetter | glanceStarts | glanceAfter
}

// look says what a search may find in text. It sees the beginning of a word wherever a search may see one, and more
// often. letters holds the last eight codes, a byte each, and starts has a bit for each of them at which a word may
// begin. So one test of four letters looks at a word that began four, six or eight letters ago. The loop makes no call
// for ASCII.
func (g *glance) look(text string) (found seen) {
	letters, starts, fresh := uint64(0), uint32(0), uint32(1)
	for i := 0; i < len(text); {
		var l uint32
		if b := text[i]; b < utf8.RuneSelf {
			l = uint32(glanceLetters[b])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(text[i:])
			l = glanceBeyond(r)
			i += n
		}
		// A word may have ended before this character, so short phrases are tested.
		if l&(glanceGap|glanceStarts|glanceSign) != 0 || fresh != 0 {
			if l&glanceSign != 0 {
				found |= seenSigns
			}
			if g.all.ends(letters, starts) {
				found |= g.which(letters, starts)
			}
		}
		if l&glanceLetter == 0 {
			if l&glanceGap != 0 {
				fresh = 1
			}
			continue
		}
		letters = letters<<8 | uint64(l&glanceLetter)
		starts = starts<<1 | fresh | l>>8&1
		fresh = l >> 9 & 1
		// all is the union of the sets. Only if it fits, each set is asked.
		if at := glanceHash(letters & four); (g.all.inside.has(at) || starts&(1<<3|1<<5|1<<7) != 0) &&
			g.all.within(letters, starts) {
			if found |= g.which(letters, starts); found&(seenNames|seenClues) == seenNames|seenClues {
				// Both sets were found, and a search looks at signs anyway.
				return found | seenSigns
			}
		}
	}
	if g.all.ends(letters, starts) {
		found |= g.which(letters, starts)
	}
	return found
}

// which says which sets have the beginning that the union of all has shown.
func (g *glance) which(letters uint64, starts uint32) (found seen) {
	for i := range g.of {
		if g.of[i].within(letters, starts) || g.of[i].ends(letters, starts) {
			found |= 1 << i
		}
	}
	return found
}

// within reports a phrase of which enough letters were read.
func (g *begins) within(letters uint64, starts uint32) bool {
	at := glanceHash(letters & four)
	return g.inside.has(at) || starts&(1<<3) != 0 && g.middle.has(at) || starts&(1<<5|1<<7) != 0 &&
		(starts&(1<<5) != 0 && g.long.has(glanceHash(letters&six)) || starts&(1<<7) != 0 && g.long.has(glanceHash(letters)))
}

// ends reports a short phrase at the end of a word. A short phrase counts only at the end of a word: "pin" in "pine" is
// not one.
func (g *begins) ends(letters uint64, starts uint32) bool {
	for at := starts & 0b111110; at != 0; at &= at - 1 { // a word began two to six letters ago
		n := mathbits.TrailingZeros32(at) + 1
		if g.whole.has(glanceHash(letters & (1<<(8*n) - 1))) {
			return true
		}
	}
	return false
}
