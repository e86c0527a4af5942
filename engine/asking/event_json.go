package asking

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends {"event":"called","call","method"?,"target"?,"arguments"?,"structured"?,"answers"?,"responses"?}.
func (e Called) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "called", "call", e.Call)
	o.OptStrs("method", e.Method, "target", e.Target)
	o.OptRaw("arguments", e.Arguments)
	o.OptTrue("structured", e.Structured)
	o.OptRaw("answers", e.Answers)
	o.OptRaw("responses", e.Responses)
	o.OptStr("key", e.Key)
	return o.End()
}

// AppendJSON appends {"event":"lost","call"}.
func (e Lost) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "lost", "call", e.Call)
}

// AppendJSON appends {"event":"keyed","call"}.
func (e Keyed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "keyed", "call", e.Call)
}

// AppendJSON appends
// {"event":"posed","call","position"?,"mode","message","schema"?,"url"?,"wait"?,"secret"?,"for"?,"ttl_ms"?}.
func (e Posed) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "posed", "call", e.Call)
	o.OptInt("position", int64(e.Position))
	e.Question.append(&o)
	return o.End()
}

func (q Question) append(o *jsontext.Object) {
	o.Strs("mode", string(q.Mode), "message", q.Message)
	o.OptRaw("schema", q.Schema)
	o.OptStr("url", q.URL)
	o.OptTrue("wait", q.Wait)
	o.OptTrue("secret", q.Secret)
	o.OptStr("for", q.For)
	o.OptInt("ttl_ms", q.TTL)
}

// AppendJSON appends {"event":"responded","ref","result"?,"error"?}.
func (e Responded) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "responded", "ref", e.Ref)
	o.OptRaw("result", e.Result)
	o.OptRaw("error", e.Error)
	return o.End()
}

// AppendJSON appends {"event":"submitted","link"?,"id"?,"principal"?,"action","content"?,"cleared"?,"via"?}.
func (e Submitted) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "submitted")
	o.OptStrs("link", e.Link, "id", string(e.ID), "principal", e.Principal)
	o.Str("action", string(e.Action))
	o.OptRaw("content", e.Content)
	jsontext.OptStrings(&o, "cleared", e.Cleared)
	o.OptStr("via", string(e.Via))
	return o.End()
}

// AppendJSON appends {"event":"completed","id"}.
func (e Completed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "completed", "id", string(e.ID))
}

// AppendJSON appends {"event":"returned","call"}.
func (e Returned) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "returned", "call", e.Call)
}

// AppendJSON appends {"event":"cancelled","call"?,"id"?}.
func (e Cancelled) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "event", "cancelled")
	o.OptStrs("call", e.Call, "id", string(e.ID))
	return o.End()
}

// AppendJSON appends {"event":"closed","cause"}.
func (e Closed) AppendJSON(dst []byte) []byte {
	return jsontext.Whole(dst, "event", "closed", "cause", string(e.Cause))
}
