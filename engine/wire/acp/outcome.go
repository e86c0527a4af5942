package acp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// AppendSelected appends the answer to a permission that names an option.
func AppendSelected(dst, id []byte, option string) []byte {
	result := jsontext.AppendString([]byte(`{"outcome":{"outcome":"selected","optionId":`), option)
	return wire.AppendResult(dst, id, append(result, '}', '}'))
}

// AppendCancelled appends the answer to a permission that approves nothing and refuses nothing.
func AppendCancelled(dst, id []byte) []byte {
	return wire.AppendResult(dst, id, []byte(`{"outcome":{"outcome":"cancelled"}}`))
}

// DecodeOutcome reads the client's result for a permission. It returns the option that the client selected, or the zero
// option for the outcome "cancelled". Any other outcome and any option that was not offered is a problem.
//
// {"outcome":{"outcome":"selected","optionId":"a"}} and {"outcome":{"outcome":"cancelled"}} are the two shapes.
func (p *Permission) DecodeOutcome(result []byte) (Option, []elicit.Problem) {
	whole := wire.Read(result, "")
	raw := whole.Map("outcome")
	if whole.Problems != nil {
		return Option{}, whole.Problems
	}
	r := wire.Read(raw, "/outcome")
	switch said := r.Str("outcome"); {
	case r.Problems != nil || said == "cancelled":
		return Option{}, r.Problems
	case said != "selected":
		r.Report("unknown_outcome", "outcome", elicit.Str("outcome", wire.Shown(said)))
		return Option{}, r.Problems
	}
	id := r.Str("optionId")
	option, ok := p.Find(id)
	if r.Problems == nil && !ok {
		r.Report("unknown_option", "optionId", elicit.Str("option", wire.Shown(id)))
	}
	return option, r.Problems
}

// AppendWithdraw appends the notification that withdraws the request id.
func AppendWithdraw(dst, id []byte) []byte {
	return wire.AppendNotification(dst, MethodWithdraw, append(append([]byte(`{"requestId":`), id...), '}'))
}

// SessionOf returns the sessionId in the params of a call, or "".
func SessionOf(params []byte) string {
	o, _ := wire.ReadObject(params)
	s, _ := wire.Text(o.Get("sessionId"))
	return s
}
