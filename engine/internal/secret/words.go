package secret

import "unicode/utf8"

// cursor walks over the letters of a text and marks where words begin. It is a value: copy it to look ahead.
type cursor struct {
	text string
	at   int
	prev class
}

// letter is one folded letter or digit. It begins at byte from and ends at the cursor's position. It has at most four
// fields, so that it stays in registers.
type letter struct {
	r      rune
	from   int
	gap    gap  // the separator before it
	starts bool // a word begins here
}

// gap is the separator between a letter and the one before it.
type gap byte

const (
	gapNone  gap = iota
	gapJoin      // space, _, -, /: the phrase continues
	gapComma     // ends a phrase, not the sentence
	gapStop      // ends the sentence
)

func (c *cursor) next() (letter, bool) {
	var g gap
	for c.at < len(c.text) {
		r, n := rune(c.text[c.at]), 1
		var k class
		if r < utf8.RuneSelf {
			k = asciiClass[r]
		} else {
			r, n = utf8.DecodeRuneInString(c.text[c.at:])
			k = classOf(r)
		}
		from := c.at
		c.at += n
		switch k {
		case ignored:
		case joiner:
			if (r == '.' || r == ':') && c.spaceAhead() {
				g = gapStop
			}
			g = max(g, gapJoin)
		case stopper:
			g = max(g, stopOf(r))
		default:
			starts := g != gapNone || c.boundary(k)
			c.prev = k
			return letter{fold(r), from, g, starts}, true
		}
	}
	return letter{}, false
}

// boundary reports whether a word begins at a letter of class k directly after the previous letter: fooBar, XMLHttp,
// foo2, and every ideograph.
func (c *cursor) boundary(k class) bool {
	if k == c.prev && k == lower {
		return false
	}
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

func (c *cursor) spaceAhead() bool { return c.at == len(c.text) || c.text[c.at] <= ' ' }

// spell matches a phrase of the table from the cursor to the end of a word. It skips spaces in the phrase, so that "api
// key" also matches apikey. A plural s is allowed if plural is set.
func (c cursor) spell(phrase string, plural bool) (cursor, bool) {
	started := false
	for _, want := range phrase {
		if want == ' ' {
			continue
		}
		if started && c.prev == lower && c.at < len(c.text) { // the common case; next would give the same answer
			b := c.text[c.at]
			if rune(b) == want && b >= 'a' && b <= 'z' {
				c.at++
				continue
			}
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

// following returns the next word of the same phrase.
func (c cursor) following() (string, bool) {
	l, ok := c.next()
	if !ok || l.gap >= gapComma {
		return "", false
	}
	from, to := l.from, c.at
	for {
		l, ok := c.next()
		if !ok || l.starts {
			return c.text[from:to], true
		}
		to = c.at
	}
}
