package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// FromFault makes the problem that reports a fault of a document: same code, span and pointer, and the limit where one
// was exceeded. f must not be nil.
func FromFault(f *jsontext.Fault) Problem {
	p := Problem{Code: f.Code, Pointer: f.Pointer, Start: f.Start, End: f.End}
	if f.Limit > 0 {
		p.Args = []Arg{Num("limit", f.Limit)}
	}
	return p
}
