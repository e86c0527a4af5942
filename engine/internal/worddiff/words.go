package worddiff

import (
	"unicode"
	"unicode/utf8"
)

// class says what a token is.
type class uint8

const (
	space class = iota // a run of white space
	sign               // one character that is neither
	word               // a run of letters and digits, or one character of a script that puts no space between words
)

// token is a piece of a text that is compared as a whole. start and end are bytes of its own text, and each
// token ends where the next one starts.
type token struct {
	start, end int
	id         int32 // equal for tokens with equal bytes, in both texts
	class      class
}

// The scripts from here on, such as Han, put no space between words. One of their characters counts as a word.
const firstIdeograph = 0x2E80

// General Punctuation. Some of its characters are invisible, so each of them is a token of its own.
const firstPunctuation, lastPunctuation = 0x2000, 0x206F

// classOf returns the class of a character, and whether it joins those of its class beside it. A digit of
// another script, such as ٣, is a character beyond ASCII and therefore a word.
func classOf(r rune) (c class, joins bool) {
	switch {
	case unicode.IsSpace(r):
		return space, true
	case r >= firstIdeograph:
		return word, false
	case r >= utf8.RuneSelf && (r < firstPunctuation || r > lastPunctuation), r == '_',
		'0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return word, true
	}
	return sign, false
}

// names gives equal texts the same number. One map serves both texts. Its size is the number of distinct
// tokens.
type names map[string]int32

// split cuts a text into tokens. The tokens together are the text.
func (n names) split(text string) []token {
	list := make([]token, 0, len(text)/3+1)
	var last class
	joined := false
	for i, r := range text {
		c, joins := classOf(r)
		// A token goes on only if the character before it and this one may both be joined, and are of one
		// class.
		if !joined || !joins || c != last {
			list = append(list, token{start: i, class: c})
		}
		last, joined = c, joins
	}
	for i := range list {
		t := &list[i]
		if t.end = len(text); i+1 < len(list) {
			t.end = list[i+1].start
		}
		id, known := n[text[t.start:t.end]]
		if !known {
			id = int32(len(n))
			n[text[t.start:t.end]] = id
		}
		t.id = id
	}
	return list
}

// words counts the tokens that are no white space.
func words(list []token) (n int) {
	for i := range list {
		if list[i].class != space {
			n++
		}
	}
	return n
}
