package jsontext

import "math"

// Limits bounds one document. A field that is zero or negative means the default.
type Limits struct {
	Bytes   int // whole document; default 1 MiB, never more than 2 GiB - 1
	Depth   int // nested objects and arrays; a lone scalar has depth 0; default 32
	Members int // members of one object, elements of one array; default 10,000

	// LoneSurrogates lets values hold escapes that are half a surrogate pair, which readers decode in different ways.
	// Keys may not hold them.
	LoneSurrogates bool
}

// The limits that hold where nobody asked for others.
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

// Offsets and counts are kept in 32 bits, so no limit may exceed them.
func orDefault(v, def int) int {
	if v <= 0 {
		return def
	}
	return min(v, math.MaxInt32)
}

// Check is the gate: it reads the whole document once and returns its first fault, or nil when the document is valid
// JSON (RFC 8259) in UTF-8 without duplicate keys (RFC 7493 section 2.3), lone surrogates, a byte order mark or trailing
// bytes, and within lim. It allocates nothing for a valid document of up to 32 levels whose open objects hold up to 64
// keys together.
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
