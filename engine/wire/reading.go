package wire

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Reading collects the problems of one object while its members are read. It does not use package strict: messages keep
// their bytes, so its values are parts of the text, and members that no dialect knows must pass.
//
// Usage: read all members, then look at Problems once. A value after a problem is the zero value of its type. The
// problems are in the order of the reads.
type Reading struct {
	Object
	At       string // pointer of the object
	Problems []elicit.Problem
}

// Read starts reading text, which must be an object. For any other text, the reading is empty: every member is absent.
func Read(text []byte, at string) Reading {
	r := Reading{At: at}
	o, ok := ReadObject(text)
	r.Object = o
	if !ok {
		r.Report("wrong_type", "", elicit.Str("expected", "object"))
	}
	return r
}

// Str reads a required string.
func (r *Reading) Str(name string) string {
	raw := r.Get(name)
	s, ok := Text(raw)
	if !ok {
		r.WrongType(name, raw, "string")
	}
	return s
}

// Filled reads a required string that is neither empty nor longer than limit bytes.
//
// A limit of 0 is none. The text is returned also if it is too long.
func (r *Reading) Filled(name string, limit int) string {
	s, ok := Text(r.Get(name))
	switch {
	case !ok:
		r.WrongType(name, r.Get(name), "string")
	case s == "":
		r.Report("empty_value", name)
	case limit > 0 && len(s) > limit:
		r.Report("text_too_large", name, elicit.Num("limit", limit), elicit.Num("length", len(s)))
	}
	return s
}

// Map reads a required object as raw text.
func (r *Reading) Map(name string) []byte {
	raw := r.Get(name)
	if TypeOf(raw) != Map {
		r.WrongType(name, raw, "object")
		return nil
	}
	return raw
}

// WrongType adds the problem that the member called name is missing, if raw is nil, or has another type than expected.
func (r *Reading) WrongType(name string, raw []byte, expected string) {
	if raw == nil {
		r.Report("missing", name)
		return
	}
	r.Report("wrong_type", name, elicit.Str("expected", expected))
}

// Report adds a problem of the member called name, or of the object itself if name is empty.
func (r *Reading) Report(code, name string, args ...elicit.Arg) {
	r.Problems = append(r.Problems, elicit.Problem{Code: code, Pointer: r.Pointer(name), Args: args})
}

// Pointer returns the pointer of the member called name, or of the object itself if name is empty.
func (r *Reading) Pointer(name string) string {
	if name == "" {
		return r.At
	}
	return string(jsontext.AppendToken([]byte(r.At), name))
}

// maxShown is the most bytes of the peer's text quoted in a problem.
const maxShown = 80

// Shown returns what a problem may quote of the peer's own text.
func Shown(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return Clip(s, maxShown) + "…"
}

// Clip cuts s to at most limit bytes without splitting a character.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
