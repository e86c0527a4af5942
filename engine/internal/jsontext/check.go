// Package jsontext is the gate that every document of a peer passes, and the scanner that reads schemas and answers in
// the same pass.
//
// It is stricter than most readers. If two readers disagree about one document, that is a way around policy. So it
// refuses duplicate keys, invalid UTF-8, lone surrogates and trailing bytes, and bounds depth, size and member counts.
// Numbers keep their text, and objects keep their order. Every fault has its byte span and RFC 6901 pointer.
//
// # Examples
//
//	{"a":1,"\u0061":2}      json_duplicate_key at bytes 7 to 15, pointer /a: both keys are a
//	{"a/b":{"c":tru}}       json_syntax at bytes 12 to 15, pointer /a~1b/c
//	"\ud83d"                json_surrogate at bytes 1 to 7
//	01, +1, .5, NaN         json_number
//	[1,2                    json_truncated, which more bytes could mend
//	{"a":1} x               json_trailing
//
// # Positions
//
// Functions that take a document and an index i read at i and return the position after what they read. A
// position counts bytes from the beginning of the document. Unexported methods of Scanner return -1 after a
// fault. For a string, i is the byte after the opening quote, and the end is the closing quote, unless the
// comment says otherwise.
//
// # Reading order
//
// - check.go, fault.go: the gate, its limits, and what it says of a bad document.
// - scanner.go: the methods that callers use. grammar.go, quoted.go, keys.go: the grammar behind them.
// - text.go, number.go: strings and numbers, which keep their spelling until somebody asks for the value.
// - span.go: a walk over text that the gate has accepted. It checks nothing again.
// - write.go, object.go, list.go, document.go: writers. canonical.go and sorted.go rewrite accepted text.
// - loose.go: a second, more lenient grammar, for text that only passes through.
//
// # What holds between the parts
//
// Text that Check accepted needs no check again: Spans, AppendValue, Text and Number all rely on that. On other
// text they stay within their slice and end, but their results mean nothing. Writers produce text that Check
// accepts, as long as the raw values that they are given do. The canonical spelling of a document is a fixed
// point of AppendValue.
package jsontext

import "math"

// Limits bounds one document. A zero or negative member means its default. A document of 1 MiB can nest half a
// million brackets. A reader that recurses would need a stack of that depth, and this one needs a frame of 16
// bytes for each.
type Limits struct {
	Bytes   int // whole document; default 1 MiB, never more than 2 GiB - 1
	Depth   int // nested objects and arrays; a lone scalar has depth 0; default 32
	Members int // members of one object, elements of one array; default 10,000

	// LoneSurrogates allows values with an escape that is half a surrogate pair. Readers decode such escapes
	// differently. Keys may not have them.
	LoneSurrogates bool
}

// These are the default limits.
const (
	DefaultBytes   = 1 << 20
	DefaultDepth   = 32
	DefaultMembers = 10_000
)

func (l Limits) orDefault() Limits {
	return Limits{
		Bytes:   orDefault(l.Bytes, DefaultBytes),
		Depth:   orDefault(l.Depth, DefaultDepth),
		Members: orDefault(l.Members, DefaultMembers),

		LoneSurrogates: l.LoneSurrogates,
	}
}

// orDefault also caps a limit, because offsets and counts are kept in 32 bits.
func orDefault(v, def int) int {
	if v <= 0 {
		return def
	}
	return min(v, math.MaxInt32)
}

// Check is the gate. It reads the whole document once and returns its first fault, or nil. A document passes if it is
// valid JSON (RFC 8259) in UTF-8 and within lim, and has no duplicate keys (RFC 7493, section 2.3), lone surrogates,
// byte order mark or trailing bytes. Check allocates nothing for a valid document of up to 32 levels whose open objects
// have at most 64 keys in total.
func Check(doc []byte, lim Limits) *Fault {
	var s Scanner
	s.Reset(doc, lim)
	if s.fault == nil {
		if i := s.skip(s.pos); i >= 0 {
			s.pos = i
			s.End()
		}
	}
	return s.fault
}
