package jsontext

// Scanner reads one document value by value, as strictly as Check. It may live on the stack, and Reset prepares it for
// the next document. Everything that it returns aliases the document.
//
// Values are read in order. Peek returns the kind, then exactly one of Enter, Text, Number, Bool, Null or Skip reads
// the value. After Enter, More moves to each member and finally out of the container. In an object, Key comes before
// the value:
//
//	for s.Enter(); s.More(); {
//		key := s.Key()
//		…
//	}
//	if !s.End() { return s.Fault() }
//
// Do not act on anything before End or Fault has shown that the document is valid to its end: among more than
// 16 keys, a repeated key is found only when its object ends. After a fault, every method does nothing and
// returns a zero value. Between two calls, pos is behind everything that was read, and depth is the number of
// open containers. top is the frame of the innermost one, and keyCount the number of keys in all open objects.
type Scanner struct {
	doc    []byte
	pos    int
	limits Limits
	fault  *Fault

	depth   int
	top     frame     // the innermost open container
	parents [32]frame // the containers around it; parents[0] stands for the document
	deep    []frame   // those that do not fit into parents

	keyCount int        // keys of all open objects, the innermost last
	fewKeys  [64]keyRef // see refs
	manyKeys []keyRef
	compared int // comparisons of keys, so that a test can check their bound
}

// Kind is the kind of a JSON value.
type Kind byte

// These are the kinds. KindInvalid is not a kind of JSON.
const (
	KindInvalid Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String returns the name of the kind as JSON Schema names types.
func (k Kind) String() string {
	switch k {
	case KindObject:
		return "object"
	case KindArray:
		return "array"
	case KindString:
		return "string"
	case KindNumber:
		return "number"
	case KindBool:
		return "boolean"
	case KindNull:
		return "null"
	}
	return "invalid"
}

// retained is the most keys for which a Scanner keeps memory between documents.
const retained = 4096

// Reset makes the Scanner read doc from its beginning. doc must not change while it is read. A Scanner may be
// reset in the middle of a document. A fault of the size or of the first bytes is known at once.
func (s *Scanner) Reset(doc []byte, lim Limits) {
	s.doc, s.limits, s.fault = doc, lim.orDefault(), nil
	s.pos, s.depth, s.top, s.keyCount, s.compared = 0, 0, frame{first: -1}, 0, 0
	if len(s.manyKeys) > retained {
		s.manyKeys = nil
	}
	if len(doc) > s.limits.Bytes {
		s.failLimit(CodeSize, s.limits.Bytes, len(doc), s.limits.Bytes, false)
		return
	}
	s.pos = Space(doc, 0)
	switch {
	case s.pos == len(doc):
		s.fail(CodeEmpty, 0, len(doc))
	case len(doc) >= 3 && string(doc[:3]) == "\xEF\xBB\xBF":
		s.fail(CodeBOM, 0, 3)
	}
}

// Fault returns the first fault, or nil if there is none so far.
func (s *Scanner) Fault() *Fault { return s.fault }

// Offset returns the position of the next unread byte. After Peek, More and Key, the next value or key begins there.
// After a value, it is the end of that value.
func (s *Scanner) Offset() int { return s.pos }

// AppendPointer appends the RFC 6901 pointer of the member that is being read or was read last.
func (s *Scanner) AppendPointer(dst []byte) []byte { return s.appendPointer(dst, true) }

// Peek returns the kind of the next value. If no value begins there, it returns KindInvalid and records a fault.
func (s *Scanner) Peek() Kind {
	if s.fault != nil {
		return KindInvalid
	}
	s.pos = Space(s.doc, s.pos)
	if s.pos < len(s.doc) {
		if k := kinds[s.doc[s.pos]]; k != KindInvalid {
			return k
		}
	}
	s.unexpected(s.pos, true)
	return KindInvalid
}

// kinds maps the first byte of a value to its kind.
var kinds = [256]Kind{
	'"': KindString, '{': KindObject, '[': KindArray, 't': KindBool, 'f': KindBool, 'n': KindNull, '-': KindNumber,
	'0': KindNumber, '1': KindNumber, '2': KindNumber, '3': KindNumber, '4': KindNumber,
	'5': KindNumber, '6': KindNumber, '7': KindNumber, '8': KindNumber, '9': KindNumber,
}

// expect is Peek for callers that read one kind. Any other kind is a fault, so that a wrong call fails closed.
// The first test is the usual case without white space to skip.
func (s *Scanner) expect(k Kind) bool {
	if s.fault == nil && s.pos < len(s.doc) && kinds[s.doc[s.pos]] == k {
		return true
	}
	if s.Peek() == k {
		return true
	}
	if s.fault == nil {
		s.unexpected(s.pos, true)
	}
	return false
}

// Enter reads the bracket that opens an object or array. It returns false after a fault.
func (s *Scanner) Enter() bool {
	if k := s.Peek(); k != KindObject && k != KindArray {
		return s.expect(KindObject)
	}
	return s.advance(s.enter(s.pos))
}

// More moves to the next member or element and reports whether there is one. At the end it reads the closing bracket.
func (s *Scanner) More() bool {
	if s.fault != nil || s.depth == 0 {
		return false
	}
	i, more := s.next(s.pos)
	return s.advance(i) && more
}

// Member is the position of a member of an object in the document.
type Member struct {
	Key, KeyEnd     int32 // quotes included
	Value, ValueEnd int32
}

// Member moves to the next member of an object and reads all of it, as More, Key and Skip would in turn. At the
// end it reads the closing bracket, and ok is false. In an array it is a fault.
func (s *Scanner) Member() (m Member, ok bool) {
	switch {
	case s.fault != nil:
		return m, false
	case s.top.first < 0:
		s.unexpected(s.pos, true)
		return m, false
	}
	i, more := s.next(s.pos)
	if !s.advance(i) || !more {
		return m, false
	}
	start, end, _, _ := s.key(i)
	if start < 0 {
		return m, false
	}
	var after int
	if start < len(s.doc) && s.doc[start] == '"' { // as most values are
		last, _, _ := s.quoted(start + 1)
		if last < 0 {
			return m, false
		}
		after = last + 1
	} else {
		after = s.skip(start)
	}
	if !s.advance(after) {
		return m, false
	}
	return Member{int32(i), int32(end + 1), int32(start), int32(after)}, true
}

// Key reads the key of the next member and its colon. In an array it returns an empty text without a fault. Raw
// is then nil.
func (s *Scanner) Key() Text {
	if s.top.first < 0 || !s.expect(KindString) {
		return Text{}
	}
	start := s.pos + 1
	after, end, runes, size := s.key(s.pos)
	if !s.advance(after) {
		return Text{}
	}
	return Text{Raw: s.doc[start:end:end], Escaped: size != end-start, Runes: runes}
}

// Text reads a string. Any other kind is a fault (json_syntax), as for every reader of one kind; call Peek
// first. The length in code points is 0 for a string with half a surrogate pair, which only LoneSurrogates lets
// through.
func (s *Scanner) Text() Text {
	if !s.expect(KindString) {
		return Text{}
	}
	start := s.pos + 1
	end, runes, size := s.quoted(start)
	if end < 0 {
		return Text{}
	}
	s.pos = end + 1
	return Text{Raw: s.doc[start:end:end], Escaped: size != end-start, Runes: runes}
}

// Number reads a number. The result has no text after a fault.
func (s *Scanner) Number() Number {
	if !s.expect(KindNumber) {
		return Number{}
	}
	start := s.pos
	if !s.advance(s.number(start)) {
		return Number{}
	}
	return Number{Raw: s.doc[start:s.pos:s.pos]}
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	if !s.expect(KindBool) {
		return false
	}
	isTrue := s.doc[s.pos] == 't'
	return s.advance(s.scalar(s.pos)) && isTrue
}

// Null reads null.
func (s *Scanner) Null() {
	if s.expect(KindNull) {
		s.advance(s.scalar(s.pos))
	}
}

// Skip reads and checks the next value of any kind. It returns the value's text without the white space around
// it. It needs no memory for the nesting of the value up to 32 levels, and never recurses.
func (s *Scanner) Skip() []byte {
	if s.Peek() == KindInvalid {
		return nil
	}
	start := s.pos
	if !s.advance(s.skip(start)) {
		return nil
	}
	return s.doc[start:s.pos:s.pos]
}

// End reports whether the document was read to its end without a fault. Remaining bytes are a fault.
func (s *Scanner) End() bool {
	if s.fault != nil {
		return false
	}
	s.pos = Space(s.doc, s.pos)
	switch {
	case s.depth > 0:
		s.unexpected(s.pos, false)
	case s.pos < len(s.doc):
		s.fail(CodeTrailing, s.pos, len(s.doc))
	}
	return s.fault == nil
}

// advance moves to i unless i means failure.
func (s *Scanner) advance(i int) bool {
	if i < 0 {
		return false
	}
	s.pos = i
	return true
}
