package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// These functions are for the asking side: a server that puts questions to its client.

// AppendInputRequests appends the value of inputRequests with one question, under a key (2026-07-28
// basic/patterns/mrtr, InputRequests). It returns false, with dst unchanged, if the dialect cannot express the
// question.
//
// Example: {"q0.0":{"method":"elicitation/create","params":{"mode":"form",…}}}.
func (d Dialect) AppendInputRequests(dst []byte, key string, q *elicit.Request) ([]byte, bool) {
	start := len(dst)
	dst = append(jsontext.AppendString(append(dst, '{'), key), `:{"method":"`+MethodCreate+`","params":`...)
	dst, ok := d.AppendCreate(dst, q)
	if !ok {
		return dst[:start], false
	}
	return append(dst, '}', '}'), true
}

// AppendInputRequired appends the result of a call that needs answers: the value of inputRequests, and the state that
// the client repeats. A nil part is left out.
func AppendInputRequired(dst, requests []byte, state string) []byte {
	dst = append(dst, `{"resultType":"input_required"`...)
	if requests != nil {
		dst = append(append(dst, `,"inputRequests":`...), requests...)
	}
	if state != "" {
		dst = jsontext.AppendString(append(dst, `,"requestState":`...), state)
	}
	return append(dst, '}')
}

// InputResponse returns the raw answer under a key of inputResponses, or nil.
func InputResponse(responses []byte, key string) []byte {
	o, ok := wire.ReadObject(responses)
	if !ok {
		return nil
	}
	return o.Get(key)
}

// AppendURLRequired appends the error object that lists one URL to visit before a call can succeed. It returns false,
// with dst unchanged, if the dialect has no such error, or q is a form.
//
// It is the value of the member error, without the envelope, which the host writes.
func (d Dialect) AppendURLRequired(dst []byte, q *elicit.Request) ([]byte, bool) {
	start := len(dst)
	if !d.Link || q.Mode != elicit.URL {
		return dst, false
	}
	dst = append(strconv.AppendInt(append(dst, `{"code":`...), URLRequired, 10), `,"message":`...)
	dst = append(jsontext.AppendString(dst, q.Message), `,"data":{"elicitations":[`...)
	dst, ok := d.AppendCreate(dst, q)
	if !ok {
		return dst[:start], false
	}
	return append(dst, `]}}`...), true
}

// AppendText appends the content of a tool's result that is one text: [{"type":"text","text":…}].
func AppendText(dst []byte, text string) []byte {
	return append(jsontext.AppendString(append(dst, `[{"type":"text","text":`...), text), '}', ']')
}

// AppendComplete appends the parameters of the notice that a page is finished.
func AppendComplete(dst []byte, link string) []byte {
	return append(jsontext.AppendString(append(dst, `{"elicitationId":`...), link), '}')
}
