package jsontext

// A frame is one open object or array. Frames are saved when a container is opened inside another one. The
// frame of the document has no key stack and reads as an array that is never closed.
type frame struct {
	seen  uint64 // object: the shapes of the keys so far, see Scanner.register
	first int32  // object: index of its first key in the key stack; array: -1
	count int32  // members begun so far
}

// These are classes of bytes. One table look-up gives them.
const (
	white = 1 << iota // white space between tokens
	plain             // allowed in a string without an escape: ASCII without controls, quote and backslash
	digit             // 0-9
	word              // may continue a number or literal, so it cannot follow one
	hexa              // 0-9 a-f A-F
	short             // follows a backslash in an escape of two bytes
)

var classes = func() (t [256]uint8) {
	for c := range 256 {
		lower := c | 0x20
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			t[c] |= white
		}
		if c >= 0x20 && c < 0x80 && c != '"' && c != '\\' {
			t[c] |= plain
		}
		if c >= '0' && c <= '9' {
			t[c] |= digit | word | hexa
		}
		if lower >= 'a' && lower <= 'z' && c < 0x80 || c == '.' || c == '+' || c == '-' || c == '_' {
			t[c] |= word
		}
		if lower >= 'a' && lower <= 'f' && c < 0x80 {
			t[c] |= hexa
		}
		switch c {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			t[c] |= short
		}
	}
	return t
}()

// Space returns the position of the first byte from i on that is no white space between tokens.
func Space(doc []byte, i int) int {
	for i < len(doc) && classes[doc[i]]&white != 0 {
		i++
	}
	return i
}

// skip reads the value at i, which must not be white space. It returns the position after the value, or -1. It
// is a loop instead of a recursion. A value inside a container ends back in this loop, and the value at i is
// over as soon as the depth is that of the beginning.
func (s *Scanner) skip(i int) int {
	if i < len(s.doc) && s.doc[i]|0x20 != '{' {
		return s.scalar(i)
	}
	base := s.depth
	for {
		if i < len(s.doc) && s.doc[i]|0x20 == '{' { // '[' is '{' without bit 5
			i = s.enter(i)
		} else {
			i = s.scalar(i)
		}
		for more := false; !more; {
			if i < 0 || s.depth == base {
				return i
			}
			i, more = s.next(i)
		}
		if s.top.first >= 0 {
			if i, _, _, _ = s.key(i); i < 0 {
				return -1
			}
		}
	}
}

// enter opens the object or array at i. It returns the position after the bracket. The depth is compared first,
// so the document chooses no memory above the limit.
func (s *Scanner) enter(i int) int {
	if s.depth >= s.limits.Depth {
		return s.failLimit(CodeDepth, i, i+1, s.limits.Depth, true)
	}
	if s.depth < len(s.parents) {
		s.parents[s.depth] = s.top
	} else {
		s.deep = append(s.deep[:s.depth-len(s.parents)], s.top)
	}
	s.depth++
	s.top = frame{first: -1}
	if s.doc[i] == '{' {
		s.top.first = int32(s.keyCount)
	}
	return i + 1
}

// parent returns the frame at a level below the top. Level 0 is the document.
func (s *Scanner) parent(level int) frame {
	if level < len(s.parents) {
		return s.parents[level]
	}
	return s.deep[level-len(s.parents)]
}

// next moves from after a bracket or a value to the next key or element, or closes the container. It counts the
// keys: a caller that reads an object's keys as if they were elements would otherwise accept {"a","b"} as JSON.
// after is the position of the key or element, or that behind the closing bracket. more is false at the end and
// after a fault. A comma before a closing bracket is a fault, as is a missing comma.
func (s *Scanner) next(i int) (after int, more bool) {
	doc := s.doc
	closing := byte(']')
	if s.top.first >= 0 {
		closing = '}'
		if s.keyCount != int(s.top.first+s.top.count) {
			return s.unexpected(i, false), false
		}
	}
	i = Space(doc, i)
	if i < len(doc) && doc[i] == closing {
		return s.leave(i + 1), false
	}
	if s.top.count > 0 {
		if i >= len(doc) || doc[i] != ',' {
			return s.unexpected(i, false), false
		}
		i = Space(doc, i+1)
	}
	// [1,] and {"a":1,} end here, and so does {1:2}.
	if i >= len(doc) || doc[i] == closing || closing == '}' && doc[i] != '"' {
		return s.unexpected(i, false), false
	}
	if int(s.top.count) >= s.limits.Members {
		return s.failLimit(CodeMembers, i, i+1, s.limits.Members, false), false
	}
	s.top.count++
	return i, true
}

// leave closes the innermost container. i is the position after its bracket. It returns i, or -1 if the object
// has a key twice.
func (s *Scanner) leave(i int) int {
	if s.top.first >= 0 {
		if s.top.count > few && !s.distinct() {
			return -1
		}
		s.keyCount = int(s.top.first)
	}
	s.depth--
	s.top = s.parent(s.depth)
	return i
}

// key reads the key whose quote is at i, and its colon. The key's text ends at end, and its value begins at
// after. runes and size are the length of the key in code points and in decoded bytes. after is -1 after a
// fault.
func (s *Scanner) key(i int) (after, end, runes, size int) {
	end, runes, size, ok := StringEnd(s.doc, i+1)
	if !ok {
		return s.badString(end), 0, 0, 0
	}
	if !s.register(i+1, end, size) {
		return -1, 0, 0, 0
	}
	after = Space(s.doc, end+1)
	if after >= len(s.doc) || s.doc[after] != ':' {
		return s.unexpected(after, true), 0, 0, 0
	}
	return Space(s.doc, after+1), end, runes, size
}

// scalar reads the string, number or literal at i and returns the position after it, or -1.
func (s *Scanner) scalar(i int) int {
	if i < len(s.doc) {
		switch c := s.doc[i]; {
		case c == '"':
			end, _, _ := s.quoted(i + 1)
			if end < 0 {
				return -1
			}
			return end + 1
		case c == '-' || classes[c]&digit != 0:
			return s.number(i)
		case c == 't':
			return s.literal(i, "true")
		case c == 'f':
			return s.literal(i, "false")
		case c == 'n':
			return s.literal(i, "null")
		}
	}
	return s.unexpected(i, true)
}

// literal reads one of the three names of RFC 8259, section 3. "truex" is no literal, and "tru" at the end of
// the document is cut off.
func (s *Scanner) literal(i int, name string) int {
	doc := s.doc
	end := i + len(name)
	if end <= len(doc) && View(doc[i:end]) == name && (end == len(doc) || classes[doc[end]]&word == 0) {
		return end
	}
	if end > len(doc) && string(doc[i:]) == name[:len(doc)-i] {
		i = len(doc)
	}
	return s.unexpected(i, true)
}

// number reads the number at start. "1." at the end of the document is cut off. 01 and 1.x are numbers with a
// fault, and the span is the whole word.
func (s *Scanner) number(start int) int {
	end, ok := NumberEnd(s.doc, start)
	switch {
	case ok:
		return end
	case end == len(s.doc):
		return s.unexpected(end, true)
	}
	return s.fail(CodeNumber, start, wordEnd(s.doc, start))
}

// NumberEnd reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? at i (RFC 8259, section 6). ok is false if
// there is no such number, or if a word byte follows it. end is then the position of the error. -0, 0.5 and
// 1E+2 are numbers. 01, 1., .5 and +1 are none.
func NumberEnd(doc []byte, i int) (end int, ok bool) {
	if i < len(doc) && doc[i] == '-' {
		i++
	}
	from := i
	i = digitsEnd(doc, i)
	if i == from || doc[from] == '0' && i > from+1 {
		return min(i, from+1), false
	}
	if i < len(doc) && doc[i] == '.' {
		from = i + 1
		if i = digitsEnd(doc, from); i == from {
			return i, false
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		if i++; i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		from = i
		if i = digitsEnd(doc, from); i == from {
			return i, false
		}
	}
	return i, i == len(doc) || classes[doc[i]]&word == 0
}

func digitsEnd(doc []byte, i int) int {
	for i < len(doc) && doc[i]-'0' < 10 {
		i++
	}
	return i
}
