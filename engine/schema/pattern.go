package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/pattern"
)

// maxPatternSize bounds the total size of the patterns of one form, in the unit of pattern.Pattern.Size. A
// character of an answer therefore costs at most so many steps, whatever the schema asks for. The texts that a
// schema has itself, such as a default, are judged as well, so the bound holds for Compile too.
const maxPatternSize = 8_000

// expression is a pattern as the schema spells it, and its compiled form.
type expression struct {
	spelled string
	machine *pattern.Pattern
}

// compilePatterns compiles the patterns of a text. There are several if schemas were merged. It refuses a pattern that
// cannot be enforced: dropping it would accept answers that the peer refuses.
func (c *compiler) compilePatterns(l *Constraints, n *node) {
	if !n.has.has(kwPattern) {
		return
	}
	l.patterns = c.pattern(l.patterns, from{n.raw[kwPattern], n.from[kwPattern]})
	for _, more := range n.patterns {
		l.patterns = c.pattern(l.patterns, more)
	}
}

// pattern compiles one pattern and appends it to the list. After a problem, it returns the list unchanged.
func (c *compiler) pattern(list []expression, p from) []expression {
	if !c.isString(p.at, kwPattern.String(), p.raw) {
		return list
	}
	at, spelled := p.at.under(kwPattern.String()), text(p.raw)
	if c.patternSize <= maxPatternSize { // compiling the rest would only cost time
		machine, fault := pattern.Compile(spelled)
		if fault != nil {
			if fault.Code == pattern.TooLarge { // many of these would cost as much as many that fit
				c.patternSize += pattern.MaxPositions
			}
			c.add(patternProblem(at, fault))
			return list
		}
		if c.patternSize += machine.Size(); c.patternSize <= maxPatternSize {
			return append(list, expression{spelled, machine})
		}
	}
	c.add(elicit.Problem{Code: "patterns_too_large", Pointer: at})
	return list
}

// patternProblem spells a fault of a pattern as a problem. The offset counts the bytes of the decoded pattern.
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
