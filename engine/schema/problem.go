package schema

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// add keeps a problem, up to the most that are kept. A hostile schema can have one problem for every few bytes,
// and each problem has a pointer.
func (c *compiler) add(p elicit.Problem) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, p)
	}
}

// wrongType adds a problem: the value at a pointer should have another JSON type.
func (c *compiler) wrongType(at, expected string, raw []byte) {
	c.add(wrongType(at, expected, kindOf(raw)))
}

// unsupported adds a problem: the keyword of the object at a pointer constrains the answer and is not understood.
func (c *compiler) unsupported(at, key string) {
	c.add(elicit.Problem{Code: "unsupported_keyword", Pointer: pointerTo(at, key),
		Args: []elicit.Arg{elicit.Str("keyword", key)}})
}

// missing adds a problem: an object lacks a keyword that it needs. There is no value to point at, so the
// pointer is that of the object.
func (c *compiler) missing(at, key string) {
	c.add(elicit.Problem{Code: "missing_keyword", Pointer: at, Args: []elicit.Arg{elicit.Str("keyword", key)}})
}

// wrongType says that the value at a pointer has the JSON type got instead of expected. The names are those of
// the keyword "type" of JSON Schema.
func wrongType(at, expected string, got jsontext.Kind) elicit.Problem {
	return elicit.Problem{Code: "wrong_type", Pointer: at,
		Args: []elicit.Arg{elicit.Str("expected", expected), elicit.Str("got", got.String())}}
}

// pointerTo appends one token to a JSON pointer and escapes it as RFC 6901 asks. The member a/b of /properties
// is /properties/a~1b.
func pointerTo(at, token string) string { return string(jsontext.AppendToken([]byte(at), token)) }

// pointerToItem appends the index of an array element to a JSON pointer: /enum/3.
func pointerToItem(at string, i int) string {
	return string(strconv.AppendInt(append([]byte(at), '/'), int64(i), 10))
}

// kindOf returns the kind of a value that a scanner has accepted, by its first byte. raw must have no white
// space before the value and must not be empty. The kinds of RFC 8259 differ in their first byte, so one look
// is enough; what is left begins with a minus sign or a digit.
func kindOf(raw []byte) jsontext.Kind {
	switch raw[0] {
	case '{':
		return jsontext.KindObject
	case '[':
		return jsontext.KindArray
	case '"':
		return jsontext.KindString
	case 't', 'f':
		return jsontext.KindBool
	case 'n':
		return jsontext.KindNull
	}
	return jsontext.KindNumber
}
