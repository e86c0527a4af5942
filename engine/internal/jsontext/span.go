package jsontext

// Spans walks over the members of an object, or the elements of an array, in text that Check has accepted, without
// judging it again. Positions count from the start of the text.
type Spans struct {
	text []byte
	at   int
	end  byte // the bracket that closes what is walked over; 0 when there is nothing to walk over
}

// SpansOf begins at the first value of text; open is where its bracket stands. False when the value is neither an object
// nor an array.
func SpansOf(text []byte) (s Spans, open int, ok bool) {
	open = pastWhite(text, 0)
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

// Object reports whether it is an object that is walked over.
func (s *Spans) Object() bool { return s.end == '}' }

// More moves to the next member or element; false at the end.
func (s *Spans) More() bool {
	s.at = pastWhite(s.text, s.at)
	if s.at < len(s.text) && s.text[s.at] == ',' {
		s.at = pastWhite(s.text, s.at+1)
	}
	return s.at < len(s.text) && s.text[s.at] != s.end
}

// Key passes over the next member's key and its colon and returns where it stands, quotes included.
func (s *Spans) Key() (key Text, start int) {
	start = s.at
	end, escaped := closingQuote(s.text, start+1)
	key = Text{Raw: s.text[start+1 : end], Escaped: escaped}
	s.at = pastWhite(s.text, min(end+1, len(s.text)))
	if s.at < len(s.text) && s.text[s.at] == ':' {
		s.at = pastWhite(s.text, s.at+1)
	}
	return key, start
}

// Value passes over the next value and returns where it stands.
func (s *Spans) Value() (start, end int) {
	start = s.at
	s.at = valueEnd(s.text, start)
	return start, s.at
}

// Raw passes over the next value and returns its text.
func (s *Spans) Raw() []byte {
	start, end := s.Value()
	return s.text[start:end:end]
}

func pastWhite(text []byte, i int) int {
	for i < len(text) && classes[text[i]]&white != 0 {
		i++
	}
	return i
}

// valueEnd is where the value at i ends. On text that was never checked it still moves on, and stays within it.
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
