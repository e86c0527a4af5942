package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Retry is what a repeated call has beyond the call itself.
type Retry struct {
	ID        []byte     // the new id, raw; must differ from the id of the call
	Responses []Response // of this round only, in the order of writing
	State     []byte     // Result.State, copied byte for byte; nil if the last result had none
	Array     bool       // Result.Array
	Progress  []byte     // raw progressToken that replaces the call's own; nil keeps that one
}

// Response is the answer to one entry, without an envelope.
type Response struct {
	Key   string
	Value []byte // raw object
}

// AppendRetry appends request, a complete JSON-RPC request, as the repeated call: with the new id, the responses, and
// the state of the last result if that had one. It removes responses and state of an earlier round. Every other byte of
// the request stays (2026-07-28 basic/patterns/mrtr, Client Requirements).
//
// Example: {"id":1,"method":"tools/call","params":{"name":"a"}} becomes
// {"id":2,"method":"tools/call","params":{"name":"a","inputResponses":{"k":{"action":"accept"}},"requestState":"s"}}.
func AppendRetry(dst, request []byte, r Retry, lim jsontext.Limits) ([]byte, []elicit.Problem) {
	e, fault := wire.ReadEnvelope(request, lim)
	if fault != nil {
		return dst, []elicit.Problem{elicit.FromFault(fault)}
	}
	if e.Problems != nil {
		return dst, e.Problems
	}
	if p := r.refusals(&e); p != nil {
		return dst, p
	}
	o, _ := wire.ReadObject(request)
	id, _ := o.Find("id")
	edits := []wire.Edit{{Start: id.Value, End: id.End, With: r.ID}}
	// A call without params gets them.
	params, ok := o.Child("params")
	if !ok {
		return wire.Apply(dst, request, o.Exchange(edits, r.wholeParams())), nil
	}
	meta, hasMeta := params.Child("_meta")
	if _, there := params.Find("_meta"); there && !hasMeta && (r.Array || r.Progress != nil) {
		return dst, []elicit.Problem{{Code: "wrong_type", Pointer: "/params/_meta",
			Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	edits = r.renewProgress(edits, meta)
	switch {
	case !r.Array:
		edits = params.Exchange(edits, r.members(), "inputResponses", "requestState")
	case hasMeta:
		edits = meta.Exchange(edits, r.members(), "inputResponses", "requestState")
	default:
		edits = params.Exchange(edits, r.wrappedMembers())
	}
	return wire.Apply(dst, request, edits), nil
}

// refusals are the problems with the members of a retry. They are faults of the caller, and not of a peer. The new id
// must differ, because both calls may be known to the server.
func (r *Retry) refusals(e *wire.Envelope) (out []elicit.Problem) {
	if e.Kind != wire.Request {
		out = append(out, elicit.Problem{Code: "retry_not_a_call"})
	}
	if !wire.ValidID(r.ID) || wire.IDKey(r.ID) == wire.IDKey(e.ID) {
		out = append(out, elicit.Problem{Code: "retry_id"})
	}
	if r.State != nil && wire.TypeOf(r.State) != wire.String {
		out = append(out, elicit.Problem{Code: "retry_state"})
	}
	if n := len(r.Responses); n > maxEntries {
		return append(out, elicit.Problem{Code: "too_many_entries",
			Args: []elicit.Arg{elicit.Num("limit", maxEntries), elicit.Num("count", n)}})
	}
	seen := make(map[string]bool, len(r.Responses))
	for _, v := range r.Responses {
		switch {
		case wire.TypeOf(v.Value) != wire.Map:
			out = append(out, *keyProblem("retry_response", v.Key))
		case seen[v.Key]:
			out = append(out, *keyProblem("answer_again", v.Key))
		}
		seen[v.Key] = true
	}
	return out
}

// renewProgress replaces the progress token of a call. A call that had no token gets none: its sender wants no
// progress.
func (r *Retry) renewProgress(edits []wire.Edit, meta wire.Object) []wire.Edit {
	if r.Progress == nil {
		return edits
	}
	if m, ok := meta.Find("progressToken"); ok {
		edits = append(edits, wire.Edit{Start: m.Value, End: m.End, With: r.Progress})
	}
	return edits
}

// members returns the text of inputResponses and requestState without braces. A round without questions has no
// responses.
func (r *Retry) members() []byte {
	var dst []byte
	if len(r.Responses) > 0 {
		dst = r.appendResponses(append(dst, `"inputResponses":`...))
	}
	if r.State != nil {
		if dst != nil {
			dst = append(dst, ',')
		}
		dst = append(append(dst, `"requestState":`...), r.State...)
	}
	return dst
}

func (r *Retry) appendResponses(dst []byte) []byte {
	open, shut := byte('{'), byte('}')
	if r.Array {
		open, shut = '[', ']'
	}
	dst = append(dst, open)
	for _, v := range r.Responses {
		dst = jsontext.Comma(dst)
		if !r.Array {
			dst = append(jsontext.AppendString(dst, v.Key), ':')
		}
		dst = append(dst, v.Value...)
	}
	return append(dst, shut)
}

func (r *Retry) wrappedMembers() []byte {
	m := r.members()
	if m == nil {
		return nil
	}
	return append(append([]byte(`"_meta":{`), m...), '}')
}

func (r *Retry) wholeParams() []byte {
	m := r.members()
	if r.Array {
		m = r.wrappedMembers()
	}
	if m == nil {
		return nil
	}
	return append(append([]byte(`"params":{`), m...), '}')
}
