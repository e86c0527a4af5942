package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
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
//
// ID is a span of params. The caller must compare it with ids in every spelling, for example by wire.IDKey.
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

// MethodProgress tells who made a request that it goes on.
const MethodProgress = "notifications/progress"

// maxToken is the most bytes of a progress token. The token goes back with each notification.
const maxToken = 512

// maxWhole is the most digits of a number that every language reads alike.
const maxWhole = 16

// ProgressToken reads the progressToken of a request's _meta: a text, or a whole number that every language reads
// alike. It returns nil for another one, which names nothing.
//
// Example: 7 and "t" are tokens, and 1.5 and 1e3 are none.
func ProgressToken(raw []byte) []byte {
	if jsontext.Check(raw, jsontext.Limits{Bytes: maxToken}) != nil {
		return nil
	}
	token := jsontext.AppendValue(nil, raw)
	if !wire.ValidID(token) || wire.TypeOf(token) == wire.Number && len(token) > maxWhole {
		return nil
	}
	return token
}

// AppendProgress appends the params of MethodProgress. progress grows from each notification to the next.
func AppendProgress(dst, token []byte, progress int64, message string) []byte {
	o := jsontext.Begin(dst)
	o.Raw("progressToken", token)
	o.Int("progress", progress)
	o.Str("message", message)
	return o.End()
}

// AppendCancelled appends the notification that withdraws the request with an id, as spelled.
func AppendCancelled(dst, id []byte, why string) []byte {
	params := jsontext.Begin(nil)
	params.Raw("requestId", id)
	params.Str("reason", why)
	return wire.AppendNotification(dst, MethodCancelled, params.End())
}
