package proxy

import (
	"strings"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/english"
)

// warned puts a question before the client once more, with what the engine holds against the answer behind its message:
// a client of a session has no other words for it. The engine asks so once for each field that holds a secret, and
// cancels every other answer of a client that does not fit.
func (p *Proxy) warned(e engine.Problem) bool {
	for _, q := range p.questions {
		if q.show == nil || q.shown.ID != e.ID || e.Outcome != "" {
			continue
		}
		s := q.shown
		var words strings.Builder
		words.WriteString(s.Message + "\n\n[elicit] The answer has not been sent.")
		for _, problem := range e.Problems {
			words.WriteString(" " + printable(strings.TrimPrefix(problem.Pointer, "/")) + ": " + english.Problem(problem) + ".")
		}
		s.Message = words.String()
		q.show(s, p.answers(s))
		return true
	}
	return false
}
