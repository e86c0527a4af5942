package jsontext

// Spans walks over the members of an object, or the elements of an array, in text that Check has accepted. It
// does not check the text again. Positions count from the start of the text. A walk over an object, and one
// over an array:
//
//	for s.More() {
//	    key, _ := s.Key()
//	    value := s.Raw()
//	    …
//	}
//	for s.More() {
//	    value := s.Raw()
//	    …
//	}
//
// Everything that it returns aliases the text. A whole walk costs one pass, because it skips what is in the
// values.
type Spans struct {
	text []byte
	at   int
	end  byte // the closing bracket of the container; 0 when there is no container
}

// SpansOf begins at the first value of text. open is the position of its bracket. ok is false if the value is
// neither an object nor an array. text may go on after the value. The walk ends at the closing bracket.
func SpansOf(text []byte) (s Spans, open int, ok bool) {
	open = Space(text, 0)
	if open == len(text) {
		return s, open, false
	}
	switch text[open] {
	case '{':
		s.end = '}'
	case '[':
		s.end = ']'
	default:
		return s, open, false
	}
	s.text, s.at = text, open+1
	return s, open, true
}

// Object reports whether the container is an object.
func (s *Spans) Object() bool { return s.end == '}' }

// More moves to the next member or element, and returns false at the end. It does not skip a value. Each call
// must be followed by Value or Raw, in an object after Key.
func (s *Spans) More() bool {
	s.at = Space(s.text, s.at)
	if s.at < len(s.text) && s.text[s.at] == ',' {
		s.at = Space(s.text, s.at+1)
	}
	return s.at < len(s.text) && s.text[s.at] != s.end
}

// Key skips the next member's key and its colon. It returns the key and its position, quotes included.
func (s *Spans) Key() (key Text, start int) {
	start = s.at
	end, escaped := closingQuote(s.text, start+1)
	key = Text{Raw: s.text[start+1 : end], Escaped: escaped}
	s.at = Space(s.text, min(end+1, len(s.text)))
	if s.at < len(s.text) && s.text[s.at] == ':' {
		s.at = Space(s.text, s.at+1)
	}
	return key, start
}

// Value skips the next value and returns its span.
func (s *Spans) Value() (start, end int) {
	start = s.at
	s.at = valueEnd(s.text, start)
	return start, s.at
}

// Raw skips the next value and returns its text. The result has no room behind it, so an append to it cannot
// write into the text.
func (s *Spans) Raw() []byte {
	start, end := s.Value()
	return s.text[start:end:end]
}

// valueEnd returns the end of the value at i. On text that was not checked, it still advances and stays within
// the text. It counts brackets of both kinds as one, since accepted text has them in pairs.
func valueEnd(text []byte, i int) int {
	depth := 0
	for start := i; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i, _ = closingQuote(text, i+1)
			if depth == 0 {
				return min(i+1, len(text))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return max(i, start+1)
			}
			if depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return max(i, start+1)
			}
		default:
			if depth == 0 && classes[c]&white != 0 {
				return max(i, start+1)
			}
		}
	}
	return len(text)
}
