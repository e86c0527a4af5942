package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Cancelled is a request withdrawn by whoever sent it.
type Cancelled struct {
	ID     []byte // raw id of the withdrawn request
	Reason string // for people; "" when none was given
}

// maxReason bounds the reason kept of a cancellation.
const maxReason = 1024

// DecodeComplete reads a completion notice and returns the link it names. Whether the link is known, or already
// completed, is for the engine to say: both must be ignored in silence.
func (d Dialect) DecodeComplete(params []byte) (string, []elicit.Problem) {
	if !d.Link {
		return "", []elicit.Problem{{Code: "not_in_version", Args: []elicit.Arg{
			elicit.Str("name", MethodComplete), elicit.Str("version", d.Version)}}}
	}
	r := read(params, "")
	if r.problems != nil {
		return "", r.problems
	}
	link := r.link()
	return link, r.problems
}

// DecodeCancelled reads a cancellation. A reason that is not a string is dropped: it must not keep a question open that
// its sender no longer wants answered.
func DecodeCancelled(params []byte) (Cancelled, []elicit.Problem) {
	r := read(params, "")
	if r.problems != nil {
		return Cancelled{}, r.problems
	}
	id := r.Get("requestId")
	switch {
	case id == nil:
		r.refuse("missing", "requestId")
	case !wire.ValidID(id):
		r.refuse("envelope_id", "requestId")
	}
	if r.problems != nil {
		return Cancelled{}, r.problems
	}
	reason, _ := wire.Text(r.Get("reason"))
	return Cancelled{ID: id, Reason: clip(reason, maxReason)}, nil
}
