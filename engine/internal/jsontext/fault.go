package jsontext

import (
	"strconv"
	"unicode/utf8"
)

// Fault is the first fault of a document. Only the first fault is known, since the rest of a broken document
// has no sure meaning. For a missing bracket, Start and End are the length of the document.
type Fault struct {
	Code    string // one of Codes
	Start   int    // byte span in the document; Start == End if something is missing there
	End     int
	Pointer string // RFC 6901 pointer of the innermost value or member that contains the fault
	Limit   int    // the limit that was exceeded; 0 for other faults
}

// These are the codes of faults.
const (
	CodeEmpty        = "json_empty"         // nothing but white space
	CodeSyntax       = "json_syntax"        // a byte the grammar has no place for
	CodeTruncated    = "json_truncated"     // the beginning of a valid document
	CodeTrailing     = "json_trailing"      // a whole document, then something else
	CodeDuplicateKey = "json_duplicate_key" // the span is the later of two keys that are equal once decoded
	CodeDepth        = "json_depth"
	CodeSize         = "json_size"
	CodeMembers      = "json_members"
	CodeUTF8         = "json_utf8"      // overlong, cut, out of range, or a surrogate in UTF-8
	CodeSurrogate    = "json_surrogate" // an escape that is half a surrogate pair
	CodeNumber       = "json_number"
	CodeControl      = "json_control" // an unescaped control character in a string
	CodeBOM          = "json_bom"
)

// Codes lists every code that a Fault can have.
func Codes() []string {
	return []string{CodeEmpty, CodeSyntax, CodeTruncated, CodeTrailing, CodeDuplicateKey, CodeDepth, CodeSize,
		CodeMembers, CodeUTF8, CodeSurrogate, CodeNumber, CodeControl, CodeBOM}
}

// fail records a fault of the current member and returns -1, the position that means failure.
func (s *Scanner) fail(code string, start, end int) int {
	return s.setFault(Fault{Code: code, Start: start, End: end}, true)
}

// failLimit is fail for a limit that was exceeded. member says whether the pointer names the current member or
// the container around it.
func (s *Scanner) failLimit(code string, start, end, limit int, member bool) int {
	return s.setFault(Fault{Code: code, Start: start, End: end, Limit: limit}, member)
}

// setFault records the fault with the pointer of the place that the scanner has reached. Everything after it
// stops.
func (s *Scanner) setFault(f Fault, member bool) int {
	f.Pointer = string(s.appendPointer(nil, member))
	s.fault = &f
	return -1
}

// appendPointer builds the pointer from the stack, so documents without a fault never pay for pointers. The
// current key of an object is its count-th key, unless that key is still being read. Elements count from 0, and
// count is one more than the index of the current one. A frame without members adds no token.
func (s *Scanner) appendPointer(dst []byte, member bool) []byte {
	for level := 1; level <= s.depth; level++ {
		f := s.top
		if level < s.depth {
			f = s.parent(level)
		} else if !member {
			break
		}
		switch current := int(f.first + f.count - 1); {
		case f.count == 0:
		case f.first < 0:
			dst = strconv.AppendInt(append(dst, '/'), int64(f.count-1), 10)
		case current < s.keyCount:
			dst = AppendToken(dst, s.keyText(s.refs()[current]).AppendTo(nil))
		}
	}
	return dst
}

// unexpected adds the fault for the bytes at i, where something else was expected. The fault is of the current
// member if member is set, otherwise of the innermost container. The same byte can mean three faults. The end
// of the document is json_truncated, and a byte that is no UTF-8 is json_utf8. A spelling that people take for
// a number, such as +1 or NaN, is json_number where a value may stand.
func (s *Scanner) unexpected(i int, member bool) int {
	doc := s.doc
	if i >= len(doc) {
		return s.setFault(Fault{Code: CodeTruncated, Start: len(doc), End: len(doc)}, member)
	}
	f := Fault{Code: CodeSyntax, Start: i, End: wordEnd(doc, i)}
	if r, n := utf8.DecodeRune(doc[i:]); r == utf8.RuneError && n == 1 {
		f.Code = CodeUTF8
		if !utf8.FullRune(doc[i:]) {
			f.End = len(doc)
		}
	} else if n > 1 {
		f.End = i + n
	}
	word := string(doc[i:min(f.End, i+len("Infinity")+1)])
	if member && (doc[i] == '+' || doc[i] == '.' || word == "NaN" || word == "Infinity") {
		f.Code = CodeNumber
	}
	return s.setFault(f, member)
}

// wordEnd returns the end of the run of word bytes at i, at least one byte later. A person would call this span the
// wrong word.
func wordEnd(doc []byte, i int) int {
	end := i
	for end < len(doc) && classes[doc[end]]&word != 0 {
		end++
	}
	return max(end, i+1)
}
