package pattern

import "strings"

// escape reads the text after a backslash: a class, or one character that may begin or end a range. start is
// the position of the backslash, and p.at is behind it. one says that the escape is one character r, so that it
// may begin or end a range. inSet makes \b the backspace.
//
//	\d  \D  \w  \W  \s  \S  \p{L}  \P{Lu}   a class
//	\n  \t  \0  \cA  \x41  \u0041  \u{41}   one character
//	\.  \/  \-                              the mark itself
//	\a  \01  \xZ  \u{110000}                bad_escape
func (p *parser) escape(start int, inSet bool) (c class, r rune, one bool) {
	if !p.more() {
		p.fail(Invalid, "bad_escape", start)
		return class{}, 0, false
	}
	b := p.text[p.at]
	p.at++
	switch b {
	case 'd':
		return digitClass(), 0, false
	case 'D':
		return digitClass().not(), 0, false
	case 'w':
		return wordClass(), 0, false
	case 'W':
		return wordClass().not(), 0, false
	case 's':
		return spaceClass(), 0, false
	case 'S':
		return spaceClass().not(), 0, false
	case 'p', 'P':
		c = p.property(start)
		if b == 'P' {
			c = c.not()
		}
		return c, 0, false
	}
	r = p.character(b, start, inSet)
	return runeClass(r), r, true
}

// character returns the code point of an escape that begins with b. b is the byte behind the backslash, which
// has been read. \0 must not precede a digit, because \01 was an octal number in the older grammar.
func (p *parser) character(b byte, start int, inSet bool) rune {
	switch b {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case '0':
		if !p.more() || p.text[p.at] < '0' || p.text[p.at] > '9' {
			return 0
		}
	case 'b':
		if inSet {
			return '\b'
		}
	// The control character of a letter has its five lowest bits: \cA and \ca are U+0001.
	case 'c':
		if p.more() && p.text[p.at]|0x20 >= 'a' && p.text[p.at]|0x20 <= 'z' {
			p.at++
			return rune(p.text[p.at-1] & 0x1F)
		}
	case 'x':
		if r, ok := p.hex(2); ok {
			return r
		}
	case 'u':
		if r, ok := p.unicode(); ok {
			return r
		}
	default:
		// The u flag allows only syntax characters here. Without it, any other mark has only this meaning.
		if b > ' ' && b < 0x7F && (!isWord(rune(b)) || b == '_') || b == ' ' {
			return rune(b)
		}
	}
	p.fail(Invalid, "bad_escape", start)
	return 0
}

// hex reads exactly that many hexadecimal digits. ok is false for fewer, and p.at may then be among them.
func (p *parser) hex(digits int) (r rune, ok bool) {
	if len(p.text)-p.at < digits {
		return 0, false
	}
	for range digits {
		d := hexDigit(p.text[p.at])
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
		p.at++
	}
	return r, true
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(b byte) rune {
	switch {
	case b >= '0' && b <= '9':
		return rune(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return -1
}

// unicode reads XXXX, a surrogate pair spelled in that way, or {X…}. p.at is behind the u. \u{1F600} and
// \ud83d\ude00 are the same character.
func (p *parser) unicode() (r rune, ok bool) {
	if p.take("{") {
		for p.more() && p.text[p.at] != '}' {
			d := hexDigit(p.text[p.at])
			if r = r<<4 | d; d < 0 || r > lastRune {
				return 0, false
			}
			ok = true
			p.at++
		}
		return r, p.take("}") && ok
	}
	if r, ok = p.hex(4); !ok || r < 0xD800 || r > 0xDBFF {
		return r, ok
	}
	back := p.at
	if p.take(`\u`) {
		if low, ok := p.hex(4); ok && low >= 0xDC00 && low <= 0xDFFF {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, true
		}
	}
	p.at = back
	return r, true // half a pair, which occurs in no text
}

// property reads {Name} after \p. A property that is not in the tables is refused, because a class with too few
// characters would refuse good answers.
func (p *parser) property(start int) class {
	end := strings.IndexByte(p.text[p.at:], '}')
	if !p.take("{") || end < 2 {
		p.fail(Invalid, "bad_escape", start)
		return class{}
	}
	whole := p.text[p.at : p.at+end-1]
	p.at += end
	name := whole
	if key, value, found := strings.Cut(whole, "="); found && (key == "gc" || key == "General_Category") {
		name = value
	}
	c, known := category(name)
	if !known {
		p.fail(Unsupported, `\p{`+whole+`}`, start)
	}
	return c
}

// set reads a class after its opening bracket. p.at is behind the bracket. [] matches nothing, and [^] matches
// every character. A negated set needs its ranges sorted, so they are settled first.
func (p *parser) set(start int) (c class) {
	negated := p.take("^")
	for p.fault == nil {
		if !p.more() {
			p.fail(Invalid, "unclosed_class", start)
			break
		}
		if p.take("]") {
			break
		}
		p.member(&c)
		if len(c.wide) > maxRanges {
			p.fail(TooLarge, "", start)
		}
	}
	c.settle()
	if negated {
		return c.not()
	}
	return c
}

// member reads one member of a set, or a range of them.
//
//	[a-f]    a to f
//	[a-]     a and -
//	[\w-.]   the characters of \w, - and .
//	[f-a]    bad_range
func (p *parser) member(c *class) {
	start := p.at
	low, first, one := p.setAtom()
	back := p.at
	if p.fault != nil || !p.take("-") || !p.more() || p.text[p.at] == ']' {
		p.at = back
		if p.fault == nil {
			c.union(low)
		}
		return
	}
	high, last, alsoOne := p.setAtom()
	switch {
	case p.fault != nil:
	case !one || !alsoOne: // a hyphen beside a class is an ordinary character
		c.union(low)
		c.add('-', '-')
		c.union(high)
	case first > last:
		p.fail(Invalid, "bad_range", start)
	default:
		c.add(first, last)
	}
}

// setAtom reads one character or one escape. Every other character, even [ or ^, stands for itself here.
func (p *parser) setAtom() (c class, r rune, one bool) {
	start := p.at
	if p.take(`\`) {
		return p.escape(start, true)
	}
	r = p.rune()
	return runeClass(r), r, true
}
