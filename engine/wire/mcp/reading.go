package mcp

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// reading collects the problems of one object while its members are read. It does not use package strict: messages keep
// their bytes, so its values are parts of the text, and members that no date knows must pass.
type reading struct {
	wire.Object
	at       string // pointer of the object
	problems []elicit.Problem
}

// read starts reading text, which must be an object. For any other text, the reading is empty: every member is absent.
func read(text []byte, at string) *reading {
	r := &reading{at: at}
	o, ok := wire.ReadObject(text)
	r.Object = o
	if !ok {
		r.report("wrong_type", "", elicit.Str("expected", "object"))
	}
	return r
}

// text reads a required string.
func (r *reading) text(name string) string {
	raw := r.Get(name)
	s, ok := wire.Text(raw)
	if !ok {
		r.reportType(name, raw, "string")
	}
	return s
}

// filled reads a required string that is neither empty nor longer than limit bytes.
func (r *reading) filled(name string, limit int) string {
	s, ok := wire.Text(r.Get(name))
	switch {
	case !ok:
		r.reportType(name, r.Get(name), "string")
	case s == "":
		r.report("empty_value", name)
	case limit > 0 && len(s) > limit:
		r.report("text_too_large", name, elicit.Num("limit", limit), elicit.Num("length", len(s)))
	}
	return s
}

// link reads the required elicitationId. An empty one counts as absent: rmcp accepts a URL question without an id and
// forwards it with an empty one.
func (r *reading) link() string {
	const name = "elicitationId"
	if s, ok := wire.Text(r.Get(name)); ok && s == "" {
		r.report("missing", name)
		return ""
	}
	return r.filled(name, maxLink)
}

// object reads a required object as raw text.
func (r *reading) object(name string) []byte {
	raw := r.Get(name)
	if wire.TypeOf(raw) != wire.Map {
		r.reportType(name, raw, "object")
		return nil
	}
	return raw
}

func (r *reading) reportType(name string, raw []byte, expected string) {
	if raw == nil {
		r.report("missing", name)
		return
	}
	r.report("wrong_type", name, elicit.Str("expected", expected))
}

// report adds a problem of the member called name, or of the object itself if name is empty.
func (r *reading) report(code, name string, args ...elicit.Arg) {
	r.problems = append(r.problems, elicit.Problem{Code: code, Pointer: r.pointer(name), Args: args})
}

func (r *reading) pointer(name string) string {
	if name == "" {
		return r.at
	}
	return string(jsontext.AppendToken([]byte(r.at), name))
}

// shown returns what a problem may quote of the peer's own text.
func shown(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return clip(s, maxShown) + "…"
}

// clip cuts s to at most limit bytes without splitting a character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
