package secret

import "unicode/utf8"

// glance is what most texts are spared the search by: how the phrases of the tables begin, and the words that are looked
// for inside others, by four letters of five bits each, of which a hash has a bit here. Digits share what letters leave.
type glance struct {
	either  [1 << 15 / 64]uint64 // begins a phrase or a glued word
	anyhow  [1 << 15 / 64]uint64 // begins a glued word
	letters [utf8.RuneSelf]uint8
}

const (
	glanceLetter = 31     // 1 to 26 for letters, 27 to 31 for digits; 0 alone is what is not seen
	glanceStarts = 1 << 5 // a capital or digit: a word may begin here whatever stands before
	glanceAfter  = 1 << 6 // a digit: a word may begin behind it
	glanceGap    = 1 << 7 // no letter
	glanceCount  = 4      // letters looked at together
	glanceAll    = 1<<(5*glanceCount) - 1
)

// first and leads are built from the tables alone, once, like the indexes they stand before. Leads knows only the clues
// without which no description is one.
var (
	first = newGlance(phrases, endings)
	leads = newGlance(clueEntries)
)

func newGlance(of ...*index) *glance {
	g := &glance{}
	for b := range g.letters {
		switch k := asciiClass[b]; k {
		case lower:
			g.letters[b] = uint8(b - 'a' + 1)
		case upper:
			g.letters[b] = uint8(b-'A'+1) | glanceStarts
		case digit:
			g.letters[b] = uint8(b-'0')%5 + 27 | glanceStarts | glanceAfter
		case ignored:
		default:
			g.letters[b] = glanceGap
		}
	}
	for _, x := range of {
		for i := range x.entries {
			if e := &x.entries[i]; e.clue == 0 || e.clue&^helping != 0 {
				g.add(e.phrase, x == endings)
			}
		}
	}
	return g
}

// add marks how a phrase begins. A short one may be followed by any letters, or by none, which count 0.
func (g *glance) add(phrase string, anyhow bool) {
	letters, c := uint32(0), cursor{text: phrase}
	for n := range glanceCount {
		l, ok := c.next()
		switch {
		case !ok:
			g.mark(letters, glanceCount-n, anyhow)
			return
		case l.r >= utf8.RuneSelf: // a text in ASCII has no such letter
			return
		}
		letters = letters<<5 | uint32(g.letters[l.r]&glanceLetter)
	}
	g.mark(letters, 0, anyhow)
}

// mark sets the bits of the letters with any others behind them.
func (g *glance) mark(letters uint32, missing int, anyhow bool) {
	if missing > 0 {
		for l := range uint32(glanceLetter + 1) {
			g.mark(letters<<5|l, missing-1, anyhow)
		}
		return
	}
	at := glanceHash(letters)
	g.either[at>>6] |= 1 << (at & 63)
	if anyhow {
		g.anyhow[at>>6] |= 1 << (at & 63)
	}
}

func glanceHash(letters uint32) uint32 { return letters * 0x9E3779B1 >> 17 }

// suspicious reports whether search may find something in text. It sees a word begin wherever search may see one, and
// more often, and takes every text that is not ASCII for suspicious.
func (g *glance) suspicious(text string) bool {
	letters, starts, fresh := uint32(0), uint32(0), uint32(1)
	for i := 0; i < len(text)+glanceCount-1; i++ {
		l := uint32(0) // behind the text, so that a short phrase at its end is seen
		if i < len(text) {
			b := text[i]
			if b >= utf8.RuneSelf {
				return true
			}
			if l = uint32(g.letters[b]); l&glanceGap != 0 {
				fresh = 1
			}
			if l&glanceLetter == 0 {
				continue
			}
		}
		letters = (letters<<5 | l&glanceLetter) & glanceAll
		starts = starts<<1 | fresh | l>>5&1
		fresh = l >> 6 & 1
		at := glanceHash(letters)
		if g.either[at>>6]&(1<<(at&63)) != 0 && (starts&(1<<(glanceCount-1)) != 0 || g.anyhow[at>>6]&(1<<(at&63)) != 0) {
			return true
		}
	}
	return false
}
