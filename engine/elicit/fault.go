package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// FromFault returns the problem for a fault of a document, with the same code, span and pointer, and with the limit if
// one was exceeded. f must not be nil.
func FromFault(f *jsontext.Fault) Problem {
	p := Problem{Code: f.Code, Pointer: f.Pointer, Start: f.Start, End: f.End}
	if f.Limit > 0 {
		p.Args = []Arg{Num("limit", f.Limit)}
	}
	return p
}
