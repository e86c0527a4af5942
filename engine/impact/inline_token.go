//go:build !browser

package impact

import (
	"strings"
	"unicode/utf8"
)

// token is a word of a program of Python or JavaScript. mate is 0 for an open bracket whose end was not found; the
// lexer is bad then, and no token is used. A field of a text, f"{x}", follows its text as a bracket with tokens.
type token struct {
	kind byte   // one of the below
	text string // of a text without quotes and escapes; AnyText stands for each field
	mate int    // of a bracket: the other one
}

const (
	isName   = 'a'
	isNumber = '0'
	isText   = '"'
	isSign   = '+'
	isEnd    = '\n' // of a line outside brackets
	isDone   = ' '  // was judged
)

// lexer splits a program into tokens. bad says that some of it cannot be split for sure.
type lexer struct {
	text   string
	at     int
	out    []token
	open   []int // brackets that are not closed
	nested int   // fields in texts in fields
	bad    bool
}

// maxFieldDepth bounds texts with fields in texts with fields: f"{f'{x}'}".
const maxFieldDepth = 8

// python splits a program of Python. It stops behind the end of a field of a text if it is within one. The lexer
// follows "Lexical analysis" of the Python reference. It refuses what could make it split in another way than Python: a
// byte outside ASCII in a name (Python normalizes these to NFKC, so another spelling may be "exec"), a control
// character, and operators of other languages. Indentation does not matter, because names are judged wherever they
// stand.
func (l *lexer) python() {
	base := len(l.open)
	for l.at < len(l.text) && !l.bad {
		b := l.text[l.at]
		switch {
		case b == '\n':
			if l.at++; len(l.open) == 0 {
				l.put(isEnd, "\n")
			}
		case b == ' ' || b == '\t':
			l.at++
		case b == '#':
			l.comment()
		// Elsewhere a backslash is a fault of Python.
		case b == '\\': // the line goes on
			l.bad = !strings.HasPrefix(l.text[l.at:], "\\\n")
			l.at += 2
		case letter(b):
			l.word()
		case b >= '0' && b <= '9':
			l.number()
		case b == '\'' || b == '"':
			l.quoted("")
		case b < ' ' || b >= 0x7f || strings.IndexByte("$?`", b) >= 0: // names with other letters are written anew
			l.bad = true
		// Within a field of a text, these end the expression: {x:>10}, {x!r}, {x}. A colon in brackets, {a[1:2]}, does
		// not.
		case l.nested > 0 && len(l.open) == base && (b == ':' || b == '}' || b == '!' && l.next() != '='):
			return
		case b == '!' && l.next() != '=':
			l.bad = true
		default:
			l.sign()
		}
	}
}

func (l *lexer) put(kind byte, text string) { l.out = append(l.out, token{kind: kind, text: text}) }

func (l *lexer) next() byte {
	if l.at+1 < len(l.text) {
		return l.text[l.at+1]
	}
	return 0
}

// comment skips a comment. One in the first two lines can name another encoding. PEP 263: a comment with "coding" in
// one of the first two lines makes Python decode the rest in another way.
func (l *lexer) comment() {
	end := l.at + strings.IndexByte(l.text[l.at:]+"\n", '\n')
	if strings.Contains(l.text[l.at:end], "coding") && strings.Count(l.text[:l.at], "\n") < 2 {
		l.bad = true
	}
	l.at = end
}

// word takes a name, or the prefix of a text. A name is ASCII here, so one spelling is one name.
func (l *lexer) word() {
	from := l.at
	for l.at < len(l.text) && (letter(l.text[l.at]) || l.text[l.at] >= '0' && l.text[l.at] <= '9') {
		l.at++
	}
	name := l.text[from:l.at]
	if l.at < len(l.text) && (l.text[l.at] == '\'' || l.text[l.at] == '"') {
		switch lowered(name) {
		// Letters before a quote are a prefix of the text, in any case and order ("String and Bytes literals").
		case "r", "b", "u", "f", "t", "rb", "br", "rf", "fr", "rt", "tr", "ur":
			l.quoted(lowered(name))
		default: // print"x" of Python 2, or a fault
			l.bad = true
		}
		return
	}
	l.put(isName, name)
}

// number takes a number. It takes no dot before a name, because that name may be an attribute.
func (l *lexer) number() {
	from := l.at
	for l.at < len(l.text) {
		b := l.text[l.at]
		dot := b == '.' && l.next() >= '0' && l.next() <= '9'
		if !dot && !letter(b) && (b < '0' || b > '9') {
			break
		}
		l.at++
	}
	l.put(isNumber, l.text[from:l.at])
}

// sign takes an operator or a bracket.
func (l *lexer) sign() {
	b, n := l.text[l.at], 1
	if l.next() == '=' && strings.IndexByte("=!<>+-*/%&|^:@", b) >= 0 {
		n = 2
	}
	l.put(isSign, l.text[l.at:l.at+n])
	l.at += n
	switch b {
	case '(', '[', '{':
		l.open = append(l.open, len(l.out)-1)
	case ')', ']', '}':
		l.closes(b)
	}
}

// closes joins a bracket with the open one. A bracket of another kind is a fault, and nothing of the program is
// believed.
func (l *lexer) closes(b byte) {
	n := len(l.open) - 1
	if n < 0 || strings.IndexByte("()[]{}", b) != strings.IndexByte("()[]{}", l.out[l.open[n]].text[0])+1 {
		l.bad = true
		return
	}
	l.out[len(l.out)-1].mate, l.out[l.open[n]].mate = l.open[n], len(l.out)-1
	l.open = l.open[:n]
}

// quoted takes a text of Python with its prefix.
func (l *lexer) quoted(prefix string) {
	quote := l.text[l.at : l.at+1]
	if strings.HasPrefix(l.text[l.at:], quote+quote+quote) {
		quote += quote + quote
	}
	l.at += len(quote)
	raw, fields := strings.Contains(prefix, "r"), strings.ContainsAny(prefix, "ft")
	place := len(l.out)
	l.put(isText, "")
	var text []byte
	for !l.bad {
		if l.at >= len(l.text) {
			l.bad = true
			break
		}
		if strings.HasPrefix(l.text[l.at:], quote) {
			l.at += len(quote)
			break
		}
		b := l.text[l.at]
		switch {
		// Only three quotes hold a line end.
		case b == '\n' && len(quote) == 1:
			l.bad = true
		case b == '\\' && raw:
			text = append(text, b)
			if l.at++; l.at < len(l.text) && strings.IndexByte(`'"\`, l.text[l.at]) >= 0 {
				text = append(text, l.text[l.at])
				l.at++
			}
		case b == '\\':
			text = l.escape(text)
		// "{{" stands for one brace.
		case fields && (b == '{' || b == '}') && l.next() == b:
			text = append(text, b)
			l.at += 2
		case fields && b == '{':
			text = append(text, AnyText)
			l.field(quote)
		case fields && b == '}':
			l.bad = true
		default:
			text = append(text, b)
			l.at++
		}
	}
	l.out[place].text = string(text)
}

// escape takes an escape of a text. One that spells a plain character hides it, and makes the program unread. "\x41" is
// "A": a plain character needs no escape, so such a text hides something. \N names a character by a table that the
// reader does not have.
func (l *lexer) escape(text []byte) []byte {
	b := l.next()
	l.at += 2
	switch b {
	case '\n':
		return text
	case 'n', 't', 'r', 'a', 'b', 'f', 'v':
		return append(text, "\n\t\r\a\b\f\v"[strings.IndexByte("ntrabfv", b)])
	case '\\', '\'', '"':
		return append(text, b)
	case 'x', 'u', 'U', '0', '1', '2', '3', '4', '5', '6', '7':
		digits, base := map[byte]int{'x': 2, 'u': 4, 'U': 8}[b], 16
		if digits == 0 {
			digits, base = 3, 8
			l.at--
		}
		n, read := number(l.text[l.at:], digits, base)
		l.at += read
		l.bad = l.bad || n == 0 || n >= ' ' && n < 0x7f || n > utf8.MaxRune
		return utf8.AppendRune(text, rune(n))
	case 'N':
		l.bad = true
	}
	l.at-- // it is no escape
	return append(text, '\\')
}

// field takes {EXPRESSION!r:FORMAT} of a text. Its tokens stand in brackets behind the text.
func (l *lexer) field(quote string) {
	if l.nested++; l.nested > maxFieldDepth {
		l.bad = true
		return
	}
	l.sign()
	l.python()
	if l.at < len(l.text) && l.text[l.at] != '}' { // the field is not only its expression
		l.put(isSign, ":")
	}
	if l.at < len(l.text) && l.text[l.at] == '!' {
		l.at++
		for l.at < len(l.text) && letter(l.text[l.at]) {
			l.at++
		}
	}
	for l.at < len(l.text) && l.text[l.at] != '}' && !l.bad {
		switch b := l.text[l.at]; {
		case b == '{':
			l.field(quote)
		case b == quote[0] || b == '\\' || b == '\n':
			l.bad = true
		default:
			l.at++
		}
	}
	l.nested--
	if l.at >= len(l.text) {
		l.bad = true
		return
	}
	l.sign()
}
