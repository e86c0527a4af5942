package asking

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"event":"called","call","method"?,"target"?,"arguments"?,"structured"?,"answers"?,"responses"?}.
func (e Called) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "called")
	o.Str("call", e.Call)
	o.OptStr("method", e.Method)
	o.OptStr("target", e.Target)
	o.OptRaw("arguments", e.Arguments)
	o.OptTrue("structured", e.Structured)
	o.OptRaw("answers", e.Answers)
	o.OptRaw("responses", e.Responses)
	return o.End()
}

// AppendJSON appends
// {"event":"posed","call","position"?,"mode","message","schema"?,"url"?,"wait"?,"secret"?,"for"?,"ttl_ms"?}.
func (e Posed) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "posed")
	o.Str("call", e.Call)
	o.OptInt("position", int64(e.Position))
	e.Question.append(&o)
	return o.End()
}

func (q Question) append(o *jsontext.Object) {
	o.Str("mode", string(q.Mode))
	o.Str("message", q.Message)
	o.OptRaw("schema", q.Schema)
	o.OptStr("url", q.URL)
	o.OptTrue("wait", q.Wait)
	o.OptTrue("secret", q.Secret)
	o.OptStr("for", q.For)
	o.OptInt("ttl_ms", q.TTL)
}

// AppendJSON appends {"event":"responded","ref","result"?,"error"?}.
func (e Responded) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "responded")
	o.Str("ref", e.Ref)
	o.OptRaw("result", e.Result)
	o.OptRaw("error", e.Error)
	return o.End()
}

// AppendJSON appends {"event":"submitted","link"?,"id"?,"principal"?,"action","content"?,"cleared"?,"via"?}.
func (e Submitted) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "submitted")
	o.OptStr("link", e.Link)
	o.OptStr("id", string(e.ID))
	o.OptStr("principal", e.Principal)
	o.Str("action", string(e.Action))
	o.OptRaw("content", e.Content)
	jsontext.OptStrings(&o, "cleared", e.Cleared)
	o.OptStr("via", string(e.Via))
	return o.End()
}

// AppendJSON appends {"event":"completed","id"}.
func (e Completed) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "completed")
	o.Str("id", string(e.ID))
	return o.End()
}

// AppendJSON appends {"event":"returned","call"}.
func (e Returned) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "returned")
	o.Str("call", e.Call)
	return o.End()
}

// AppendJSON appends {"event":"cancelled","call"?,"id"?}.
func (e Cancelled) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "cancelled")
	o.OptStr("call", e.Call)
	o.OptStr("id", string(e.ID))
	return o.End()
}

// AppendJSON appends {"event":"closed","cause"}.
func (e Closed) AppendJSON(dst []byte) []byte {
	o := named(dst, "event", "closed")
	o.Str("cause", string(e.Cause))
	return o.End()
}

// named begins an object with its first member.
func named(dst []byte, member, name string) jsontext.Object {
	o := jsontext.Begin(dst)
	o.Str(member, name)
	return o
}
