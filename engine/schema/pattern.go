package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/pattern"
)

// maxPatternSize bounds all patterns of one form together, in the units of pattern.Pattern.Size.
const maxPatternSize = 8_000

// expression is a pattern as the schema spells it, and the machine for it. The zero value is no pattern.
type expression struct {
	spelled string
	machine *pattern.Pattern
}

// pattern compiles the pattern of a text. One that cannot be enforced is refused: dropping it would let through answers
// that the peer refuses.
func (c *compiler) pattern(l *Constraints, n *node) {
	if !n.has.has(kwPattern) || !c.isString(n.pointer(kwPattern), n.raw[kwPattern]) {
		return
	}
	spelled := text(n.raw[kwPattern])
	machine, fault := pattern.Compile(spelled)
	if fault != nil {
		c.add(patternProblem(n.pointer(kwPattern), fault))
		return
	}
	if c.patterns += machine.Size(); c.patterns > maxPatternSize {
		c.add(elicit.Problem{Code: "patterns_too_large", Pointer: n.pointer(kwPattern)})
		return
	}
	l.pattern = expression{spelled, machine}
}

func patternProblem(at string, f *pattern.Fault) elicit.Problem {
	p := elicit.Problem{Code: f.Code, Pointer: at}
	switch f.Code {
	case pattern.Unsupported:
		p.Args = []elicit.Arg{elicit.Str("construct", f.What), elicit.Num("offset", f.Offset)}
	case pattern.Invalid:
		p.Args = []elicit.Arg{elicit.Str("fault", f.What), elicit.Num("offset", f.Offset)}
	default:
		p.Args = []elicit.Arg{elicit.Num("bytes", pattern.MaxBytes), elicit.Num("positions", pattern.MaxPositions)}
	}
	return p
}

// Pattern is the regular expression as the schema spells it, "" when there is none.
func (l *Constraints) Pattern() string { return l.pattern.spelled }
