// Package jsontext is the gate that every document of a peer passes, and the scanner that reads schemas and answers in
// the same pass.
//
// It is stricter than most readers. If two readers disagree about one document, that is a way around policy. So it
// refuses duplicate keys, invalid UTF-8, lone surrogates and trailing bytes, and bounds depth, size and member counts.
// Numbers keep their text, and objects keep their order. Every fault has its byte span and RFC 6901 pointer.
package jsontext

import "math"

// Limits bounds one document. A zero or negative member means its default.
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
