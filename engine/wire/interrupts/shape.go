package interrupts

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/engine/wire"
)

// shape says how the content of a form becomes the answer that the framework wants. Forms are flat objects, and
// frameworks ask for any JSON value.
//
// Examples of a schema of the framework, a content, and the answer:
//
//	{"type":"object","properties":{"n":{"type":"integer"}}}   {"n":1}            {"n":1}        asForm
//	{"type":"string"}                                         {"value":"x"}      "x"            asValue
//	{"type":"array","items":{"type":"object"}}                {"json":"[{}]"}    [{}]           asJSON
type shape uint8

const (
	asForm  shape = iota // the content is the answer
	asValue              // the member "value" of the content is the answer
	asJSON               // the member "json" of the content is the JSON text of the answer
)

// These are the schemas of questions whose framework gave none that a form can draw.
const (
	approvalSchema = `{"type":"object","properties":{}}`
	textSchema     = `{"type":"string","title":"Answer"}`
	jsonSchema     = `{"type":"object","properties":{"json":{"type":"string","title":"Answer as JSON","minLength":1}},` +
		`"required":["json"]}`
)

// approve makes q an approval.
//
// With MayRespond, the person may also write a text in place of the result. form is for that text, and the schema of
// the approval stays empty.
func (q *Question) approve(options Options) {
	q.Request.Claim = elicit.ClaimApproval
	q.Request.Schema = []byte(approvalSchema)
	q.Options = options
	if options&MayRespond != 0 {
		q.shape, q.form = asValue, compiled(valueSchema([]byte(textSchema)))
	}
}

// ask makes q a question for content. response is the schema of the answer, or nil for text.
//
// It always finds a shape: the last one takes any JSON.
func (q *Question) ask(response []byte, options Options) {
	q.Options = options | MayRespond
	if response == nil {
		response = []byte(textSchema)
	}
	for _, try := range [...]struct {
		shape
		schema []byte
	}{{asForm, response}, {asValue, valueSchema(response)}} {
		if form := compiled(try.schema); form != nil {
			q.shape, q.form, q.Request.Schema = try.shape, form, try.schema
			return
		}
	}
	q.shape, q.Request.Schema = asJSON, []byte(jsonSchema)
	q.form = compiled(q.Request.Schema)
}

// compiled returns the form of a schema, or nil if no form can draw it. A form without fields does not count: an object
// of which the schema says nothing may be any object.
func compiled(text []byte) *schema.Form {
	if wire.TypeOf(text) != wire.Map {
		return nil
	}
	form, problems := schema.Compile(text, schema.Options{})
	if problems != nil || len(form.Fields) == 0 {
		return nil
	}
	return form
}

// valueSchema puts one value into an object.
func valueSchema(value []byte) []byte {
	dst := append([]byte(`{"type":"object","properties":{"value":`), value...)
	return append(dst, `},"required":["value"]}`...)
}

// payload returns the answer in the content of a form. The content fits the form.
//
// q.form must not be nil. It is set by ask, and by approve with MayRespond.
func (q *Question) payload(content []byte) ([]byte, []elicit.Problem) {
	if problems := q.form.Check(content); problems != nil {
		return nil, problems
	}
	o, _ := wire.ReadObject(content)
	switch q.shape {
	case asValue:
		return o.Get("value"), nil
	case asJSON:
		text, _ := wire.Text(o.Get("json"))
		if f := jsontext.Check([]byte(text), jsontext.Limits{}); f != nil {
			return nil, []elicit.Problem{{Code: f.Code, Pointer: "/json"}}
		}
		return []byte(text), nil
	}
	return content, nil
}
