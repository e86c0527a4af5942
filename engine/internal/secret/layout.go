package secret

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// This file writes the look-ups from the tables. Only tests call it, which keep what it wrote in Go files.

// laid is an entry on its way into an index.
type laid struct {
	entry
	rank      byte // in a bucket, the lower one comes first
	key, tail uint64
	letters   byte // that the check counts after the second
}

// lay adds an entry to a list. It panics for an entry that does not fit the format. That happens in the test that
// writes the tables, and never in a program.
func lay(list []laid, rank byte, e entry) []laid {
	key, rest := cursor{text: e.phrase}.head()
	l := laid{entry: e, rank: rank, key: key, tail: rest.tail()}
	for l.letters < tailMost {
		if n, ok := rest.next(); !ok || n.gap >= gapComma {
			break
		}
		l.letters++
	}
	if len(e.phrase) > 0xFF || e.what > whatMost || e.lang >= 1<<langBits {
		panic("secret: an entry of the tables does not fit: " + e.phrase)
	}
	return append(list, l)
}

// layIndex makes the index of a list. Of two equal entries, the first added comes first.
func layIndex(list []laid) index {
	buckets := 32
	for buckets < 1024 && buckets < len(list) {
		buckets *= 2
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b laid) int {
		return cmp.Or(bucket(a.key, buckets)-bucket(b.key, buckets), int(a.rank)-int(b.rank), len(b.phrase)-len(a.phrase))
	})
	var text, starts []byte
	for b, next := 0, 0; b <= buckets; b++ {
		starts = append(starts, byte(len(text)), byte(len(text)>>8), byte(len(text)>>16))
		for ; next < len(list) && bucket(list[next].key, buckets) == b; next++ {
			l := &list[next]
			what := l.what
			if l.stem {
				what |= whatStem
			}
			if l.double {
				what |= whatTwice
			}
			text = append(text, check(l.key, l.tail), l.letters<<langBits|l.lang, what, byte(len(l.phrase)))
			text = append(text, l.phrase...)
		}
	}
	return index{string(text), string(starts)}
}

// LayPhrases returns the arguments of NewPhrases for groups of phrases, in Go. Each phrase has at least two letters.
func LayPhrases(groups ...[]string) string {
	var list []laid
	for g, phrases := range groups {
		for _, phrase := range phrases {
			list = lay(list, byte(g), entry{phrase: phrase, what: byte(g & whatMost), lang: byte(g / (whatMost + 1))})
		}
	}
	x, g := layIndex(list), glance{}
	g.addAll(list, false, 0)
	return "\t" + quote(x.text) + ",\n\t" + quote(x.starts) + ",\n\t" + quote(g.write())
}

// quote writes a text in lines. A line is cut between bytes of a character at need; strconv.Quote then spells the rest
// in escapes.
func quote(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		n, line := 0, ""
		for n < len(text) {
			longer := strconv.Quote(text[:n+1])
			if len(longer) > 100 {
				break
			}
			n, line = n+1, longer
		}
		out.WriteString(line)
		if text = text[n:]; text != "" {
			out.WriteString(" +\n\t\t")
		}
	}
	return out.String()
}

// write writes the bits of each set: how far each is from the one before, at most 254, and 255 for 254 without a bit.
// A zero ends the bits of one kind.
func (g *glance) write() string {
	var out []byte
	for i := range g.of {
		for _, b := range g.of[i].all() {
			last := -1
			for at := range len(b) * 64 {
				if b[at>>6]&(1<<(at&63)) == 0 {
					continue
				}
				for ; at-last > 254; last += 254 {
					out = append(out, 255)
				}
				out, last = append(out, byte(at-last)), at
			}
			out = append(out, 0)
		}
	}
	return string(out)
}

func (g *glance) addAll(list []laid, inside bool, set int) {
	for i := range list {
		letters, n := beginning(list[i].phrase)
		g.of[set].add(list[i].stem, inside, letters, n)
	}
}

// beginning returns the codes of the first letters of a phrase, eight at most. The codes are those of look, so both
// agree on every letter.
func beginning(phrase string) (letters uint64, n int) {
	for c := (cursor{text: phrase}); n < 8; n++ {
		l, ok := c.next()
		if !ok {
			break
		}
		letters = letters<<8 | uint64(glanceCode(l.r)&glanceLetter)
	}
	return letters, n
}

// add marks the beginning of an entry, which has n letters.
func (g *begins) add(stem, inside bool, letters uint64, n int) {
	switch {
	case inside && n < 4:
	case inside:
		g.inside.set(glanceHash(letters >> (8 * (n - 4))))
	case n == 8:
		g.long.set(glanceHash(letters))
	case n >= 6:
		g.long.set(glanceHash(letters >> (8 * (n - 6))))
	case !stem:
		g.whole.set(glanceHash(letters))
		g.whole.set(glanceHash(letters<<8 | ('s' - 'a' + 1)))
	case n >= 4:
		g.middle.set(glanceHash(letters >> (8 * (n - 4))))
	default: // any letters may follow
		g.open(letters, n)
	}
}

// open marks a beginning of fewer than four letters, alone and with other letters after it. A stem of two letters, for
// example, has 255 times 255 continuations, and all of them get a bit. Tables have few such stems, because each makes
// the glance less sharp.
func (g *begins) open(letters uint64, n int) {
	g.whole.set(glanceHash(letters))
	for l := range uint64(glanceLetter) {
		if next := letters<<8 | (l + 1); n == 3 {
			g.middle.set(glanceHash(next))
		} else {
			g.open(next, n+1)
		}
	}
}
