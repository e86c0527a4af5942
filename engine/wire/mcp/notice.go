package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Cancelled says that the sender of a request withdrew it.
type Cancelled struct {
	ID     []byte // raw id of the withdrawn request
	Reason string // for people; "" if there is none
}

// maxReason is the most bytes kept of the reason for a cancellation.
const maxReason = 1024

// DecodeComplete reads a completion notice and returns the link in it. The engine decides whether the link is unknown
// or already completed. Both must be ignored silently.
func (d Dialect) DecodeComplete(params []byte) (string, []elicit.Problem) {
	if !d.Link {
		return "", []elicit.Problem{{Code: "not_in_version", Args: []elicit.Arg{
			elicit.Str("name", MethodComplete), elicit.Str("version", d.Version)}}}
	}
	r := read(params, "")
	if r.Problems != nil {
		return "", r.Problems
	}
	link := r.link()
	return link, r.Problems
}

// DecodeCancelled reads a cancellation. It drops a reason that is not a string: a bad reason must not keep a question
// open that its sender has withdrawn.
func DecodeCancelled(params []byte) (Cancelled, []elicit.Problem) {
	r := read(params, "")
	if r.Problems != nil {
		return Cancelled{}, r.Problems
	}
	id := r.Get("requestId")
	switch {
	case id == nil:
		r.Report("missing", "requestId")
	case !wire.ValidID(id):
		r.Report("envelope_id", "requestId")
	}
	if r.Problems != nil {
		return Cancelled{}, r.Problems
	}
	reason, _ := wire.Text(r.Get("reason"))
	return Cancelled{ID: id, Reason: wire.Clip(reason, maxReason)}, nil
}
