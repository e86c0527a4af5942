package relay

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file has a lenient reader of JSON for the models of readers_test.go. It accepts more than the grammar allows,
// always as some real reader does, and keeps repeated keys. Python accepts NaN and Infinity. Many readers accept
// control characters in strings, half surrogate pairs and broken UTF-8. V8 has no limit of depth.

// node is one value. text is its spelling; words is the decoded text of a string.
type node struct {
	kind    byte // { [ " 0 for a number or a literal
	text    string
	words   string
	members []pair
	items   []node
}

type pair struct {
	key   string
	value node
}

// lenientDepth bounds the models' own recursion. It is beyond the depth that the gate accepts.
const lenientDepth = 2000

type lenient struct {
	s  string
	at int
}

// readLenient reads the value at the beginning of s and returns its end. ok is false if there is no value.
func readLenient(s string) (n node, end int, ok bool) {
	l := &lenient{s: s}
	n, ok = l.value(0)
	return n, l.at, ok
}

func (l *lenient) space() {
	for l.at < len(l.s) && strings.IndexByte(" \t\r\n", l.s[l.at]) >= 0 {
		l.at++
	}
}

func (l *lenient) next(c byte) bool {
	l.space()
	if l.at < len(l.s) && l.s[l.at] == c {
		l.at++
		return true
	}
	return false
}

func (l *lenient) value(depth int) (n node, ok bool) {
	l.space()
	start := l.at
	defer func() { n.text = l.s[start:l.at] }()
	switch {
	case l.at >= len(l.s) || depth > lenientDepth:
		return n, false
	case l.next('{'):
		n.kind = '{'
		if l.next('}') {
			return n, true
		}
		for {
			l.space()
			key, ok := l.quoted()
			if !ok || !l.next(':') {
				return n, false
			}
			v, ok := l.value(depth + 1)
			if !ok {
				return n, false
			}
			n.members = append(n.members, pair{key, v})
			if !l.next(',') {
				return n, l.next('}')
			}
		}
	case l.next('['):
		n.kind = '['
		if l.next(']') {
			return n, true
		}
		for {
			v, ok := l.value(depth + 1)
			if !ok {
				return n, false
			}
			n.items = append(n.items, v)
			if !l.next(',') {
				return n, l.next(']')
			}
		}
	case l.s[l.at] == '"':
		n.kind = '"'
		n.words, ok = l.quoted()
		return n, ok
	}
	for l.at < len(l.s) && strings.IndexByte("{}[],:\" \t\r\n", l.s[l.at]) < 0 {
		l.at++
	}
	return n, plausible(l.s[start:l.at])
}

// plausible reports whether some reader takes the word for a number or a literal.
func plausible(word string) bool {
	switch word {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return true
	}
	_, err := strconv.ParseFloat(word, 64)
	return err == nil || strings.Contains(err.Error(), "range")
}

func (l *lenient) quoted() (string, bool) {
	if l.at >= len(l.s) || l.s[l.at] != '"' {
		return "", false
	}
	l.at++
	var b bytes.Buffer
	for l.at < len(l.s) {
		c := l.s[l.at]
		l.at++
		switch {
		case c == '"':
			return b.String(), true
		case c != '\\':
			b.WriteByte(c)
		case l.at >= len(l.s):
			return "", false
		default:
			if !l.escape(&b) {
				return "", false
			}
		}
	}
	return "", false
}

func (l *lenient) escape(b *bytes.Buffer) bool {
	c := l.s[l.at]
	l.at++
	if c == 'u' {
		r, ok := l.unit()
		if !ok {
			return false
		}
		if utf16.IsSurrogate(r) && strings.HasPrefix(l.s[l.at:], `\u`) {
			before := l.at
			l.at += 2
			low, ok := l.unit()
			if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
				b.WriteRune(pair)
				return true
			}
			l.at = before
		}
		b.WriteRune(r)
		return true
	}
	i := strings.IndexByte(`"\/bfnrt`, c)
	if i < 0 {
		return false
	}
	b.WriteByte("\"\\/\b\f\n\r\t"[i])
	return true
}

func (l *lenient) unit() (rune, bool) {
	if len(l.s)-l.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(l.s[l.at:l.at+4], 16, 16)
	l.at += 4
	return rune(n), err == nil
}
