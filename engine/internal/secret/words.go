package secret

import (
	"slices"
	"unicode/utf8"
)

// cursor walks the letters of a text and marks where words begin. It is a value: copy it to look ahead.
type cursor struct {
	text string
	at   int
	prev class
}

// letter is one folded letter or digit with its byte span. starts: a word begins here. gap: what stood before it.
type letter struct {
	r        rune
	starts   bool
	gap      gap
	from, to int
}

// gap tells what separates a letter from the one before it.
type gap byte

const (
	gapNone  gap = iota
	gapJoin      // space, _, -, /: the same phrase goes on
	gapComma     // ends a phrase, not the sentence
	gapStop      // ends the sentence
)

func (c *cursor) next() (letter, bool) {
	var g gap
	for c.at < len(c.text) {
		r, n := utf8.DecodeRuneInString(c.text[c.at:])
		from := c.at
		c.at += n
		switch k := classOf(r); k {
		case ignored:
		case joiner:
			if (r == '.' || r == ':') && c.spaceAhead() {
				g = gapStop
			}
			g = max(g, gapJoin)
		case stopper:
			g = max(g, stopOf(r))
		default:
			l := letter{r: fold(r), gap: g, from: from, to: c.at}
			l.starts = g != gapNone || c.boundary(k)
			c.prev = k
			return l, true
		}
	}
	return letter{}, false
}

// boundary reports whether a word begins at a letter of class k that follows the previous one directly: fooBar, XMLHttp,
// foo2, and every ideograph.
func (c *cursor) boundary(k class) bool {
	switch {
	case c.prev == ignored, k == ideograph, c.prev == ideograph:
		return true
	case (k == digit) != (c.prev == digit):
		return true
	case k == upper && c.prev == lower:
		return true
	case k == upper && c.prev == upper:
		r, _ := utf8.DecodeRuneInString(c.text[c.at:])
		return classOf(r) == lower
	}
	return false
}

func stopOf(r rune) gap {
	if r == ',' || r == '(' || r == ')' {
		return gapComma
	}
	return gapStop
}

func (c *cursor) spaceAhead() bool {
	return c.at == len(c.text) || c.text[c.at] <= ' '
}

// spell matches a phrase of the table from here to the end of a word. Spaces in the phrase are not looked for, so that
// "api key" also matches apikey; a plural s is allowed where the table says so.
func (c cursor) spell(phrase string, plural bool) (cursor, bool) {
	started := false
	for _, want := range phrase {
		if want == ' ' {
			continue
		}
		l, ok := c.next()
		if !ok || l.r != fold(want) || (started && l.gap >= gapComma) {
			return c, false
		}
		started = true
	}
	if c.atEnd() {
		return c, true
	}
	if !plural {
		return c, false
	}
	l, _ := c.next()
	return c, l.r == 's' && c.atEnd()
}

// atEnd reports whether a word ends here.
func (c cursor) atEnd() bool {
	l, ok := c.next()
	return !ok || l.starts
}

// following is the next word of the same phrase.
func (c cursor) following() (string, bool) {
	l, ok := c.next()
	if !ok || l.gap >= gapComma {
		return "", false
	}
	from, to := l.from, l.to
	for {
		l, ok := c.next()
		if !ok || l.starts {
			return c.text[from:to], true
		}
		to = l.to
	}
}

// sentence remembers the last words before the current one, which decide whether a mention is a request.
type sentence struct {
	spans [8][2]int
	words int // since the sentence began
	floor int // words before the last comma, which are forgotten
}

// pause starts a new clause or sentence.
func (s *sentence) pause(g gap) {
	switch g {
	case gapComma:
		s.floor = s.words
	case gapStop:
		*s = sentence{}
	}
}

func (s *sentence) add(from, to int) {
	s.spans[s.words%len(s.spans)] = [2]int{from, to}
	s.words++
}

func (s *sentence) grow(l letter) {
	if s.words > s.floor {
		s.spans[(s.words-1)%len(s.spans)][1] = l.to
	}
}

// back returns the word n places before the current one, n from 1.
func (s *sentence) back(text string, n int) (string, bool) {
	if n > s.words-s.floor || n > len(s.spans) {
		return "", false
	}
	span := s.spans[(s.words-n)%len(s.spans)]
	return text[span[0]:span[1]], true
}

func (s *sentence) has(text string, list []string) bool {
	for n := 1; ; n++ {
		w, ok := s.back(text, n)
		if !ok {
			return false
		}
		if oneOf(w, list) {
			return true
		}
	}
}

// forbids reports a negation before the current word with nothing but small words between: "do not type any". Any
// other word between them breaks it, so that "do not forget to enter your password" is still a request.
func (s *sentence) forbids(text string, lang *language) bool {
	for n := 1; ; n++ {
		w, ok := s.back(text, n)
		if !ok {
			return false
		}
		if oneOf(w, lang.negations) {
			return true
		}
		if !oneOf(w, lang.between) {
			return false
		}
	}
}

// oneOf compares folded, ignoring invisible characters.
func oneOf(word string, list []string) bool {
	c := cursor{text: word}
	first, ok := c.next()
	if !ok {
		return false
	}
	whole := cursor{text: word}
	for _, w := range starting(list, first.r) {
		if after, ok := whole.spell(w, false); ok && after.at == len(word) {
			return true
		}
	}
	return false
}

// starting narrows a sorted list to the phrases that begin with r.
func starting(list []string, r rune) []string {
	lo, _ := slices.BinarySearchFunc(list, r, compareFirst)
	hi, _ := slices.BinarySearchFunc(list, r+1, compareFirst)
	return list[lo:hi]
}

func compareFirst(phrase string, r rune) int {
	first, _ := utf8.DecodeRuneInString(phrase)
	return int(fold(first)) - int(r)
}
