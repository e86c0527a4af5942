package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Answer is an answer on the wire.
//
// Mode must be that of the question, because the answer does not say it. Echo is used only by dates with AnswerMeta.
type Answer struct {
	Action  elicit.Action
	Mode    elicit.Mode // of the question
	Content []byte      // raw object; read only for an accepted form
	Echo    []byte      // Extra.Echo of the question, or nil
}

// AppendAnswer appends the answer to the request id. A multi-round dialect has no reply: then AppendAnswer appends the
// bare value for AppendRetry and ignores id. It returns false, with dst unchanged, if the action is none of the three
// or the id is invalid.
func (d Dialect) AppendAnswer(dst, id []byte, a Answer) ([]byte, bool) {
	switch {
	case !a.Action.Valid(), d.Carrier != wire.Rounds && !wire.ValidID(id):
		return dst, false
	case d.Carrier == wire.Rounds:
		return d.appendBody(dst, a), true
	}
	return wire.AppendResult(dst, id, d.appendBody(nil, a)), true
}

// appendBody writes content only for an accepted form. Content that a person took back must not leak, and accepting a
// URL says only that it may be opened.
//
// An accept of a form without content is written as {"content":{}}, which fits a form without fields.
func (d Dialect) appendBody(dst []byte, a Answer) []byte {
	dst = jsontext.AppendString(append(dst, `{"action":`...), string(a.Action))
	if a.Action == elicit.Accept && a.Mode == elicit.Form {
		dst = append(dst, `,"content":`...)
		if a.Content == nil {
			dst = append(dst, '{', '}')
		}
		dst = append(dst, a.Content...)
	}
	if a.Echo != nil && d.AnswerMeta {
		dst = append(append(dst, `,"_meta":`...), a.Echo...)
	}
	return append(dst, '}')
}

// DecodeAnswer reads the client's result for a question of mode. It drops content beside anything but an accepted form
// without reading it, because clients often send what was typed so far. Null content counts as no content.
//
// Content is a span of result. It is checked against no schema here: the engine does that.
func (d Dialect) DecodeAnswer(result []byte, mode elicit.Mode) (Answer, []elicit.Problem) {
	r := read(result, "")
	if r.Problems != nil {
		return Answer{}, r.Problems
	}
	a := Answer{Action: elicit.Action(r.Str("action")), Mode: mode}
	if r.Problems == nil && !a.Action.Valid() {
		r.Report("unknown_action", "action", elicit.Str("action", wire.Shown(string(a.Action))))
	}
	if a.Action == elicit.Accept && mode == elicit.Form {
		if raw := r.Get("content"); raw != nil && wire.TypeOf(raw) != wire.Null {
			a.Content = r.Map("content")
		}
	}
	if r.Problems != nil {
		return Answer{}, r.Problems
	}
	return a, nil
}
