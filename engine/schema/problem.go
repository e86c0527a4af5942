package schema

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// add keeps a problem, up to the most that are kept.
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

func (c *compiler) missing(at, key string) {
	c.add(elicit.Problem{Code: "missing_keyword", Pointer: at, Args: []elicit.Arg{elicit.Str("keyword", key)}})
}

func wrongType(at, expected string, got jsontext.Kind) elicit.Problem {
	return elicit.Problem{Code: "wrong_type", Pointer: at,
		Args: []elicit.Arg{elicit.Str("expected", expected), elicit.Str("got", got.String())}}
}

func pointerTo(at, token string) string { return string(jsontext.AppendToken([]byte(at), token)) }

func pointerToItem(at string, i int) string {
	return string(strconv.AppendInt(append([]byte(at), '/'), int64(i), 10))
}

// kindOf returns the kind of a value that a scanner has accepted, by its first byte.
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
