package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// The array form comes from early drafts. The _meta of a result has requestState and inputRequests, an array of
// {type:"confirmation", title, message, options}. The _meta of the repeated call answers with inputResponses, an array
// of {type, value} in the same order. The draft has no schema, so this package makes one: options become one required
// choice called "value", and without options the form is empty.

const typeConfirmation = "confirmation"

// arrayShape finds the draft's members. They count only if the final spelling is absent: in a result that says
// input_required and nothing more, or in one without resultType whose _meta has an array. A result that says complete
// is complete.
//
// named says that resultType is input_required. Examples:
//
//	{"resultType":"input_required","_meta":{"inputRequests":[…]}}    the array form
//	{"_meta":{"inputRequests":[…]}}                                  the array form
//	{"_meta":{"inputRequests":{…}}}                                  complete
//	{"resultType":"input_required","inputRequests":{},…}             the final form, whatever _meta has
func arrayShape(o wire.Object, named bool) (wire.Object, bool) {
	if o.Get("inputRequests") != nil || o.Get("requestState") != nil {
		return wire.Object{}, false
	}
	meta, ok := o.Child("_meta")
	if !ok {
		return wire.Object{}, false
	}
	asked := wire.TypeOf(meta.Get("inputRequests")) == wire.Array
	return meta, asked || named && (meta.Get("inputRequests") != nil || meta.Get("requestState") != nil)
}

// readArray reads the questions of the array form. Entries get the keys "0", "1", … by their place. Only the order
// counts in the answer.
func readArray(r *reading, declared Modes) (Result, []elicit.Problem) {
	out := Result{Asks: true, Array: true}
	out.State = r.state()
	raw := r.Get("inputRequests")
	list, count := wire.Elements(raw, maxEntries)
	switch {
	case raw != nil && wire.TypeOf(raw) != wire.Array:
		r.WrongType("inputRequests", raw, "array")
	case count > maxEntries:
		r.Report("too_many_entries", "inputRequests", elicit.Num("limit", maxEntries), elicit.Num("count", count))
		list = nil
	case count > 0 && !declared.Form:
		r.Report("mode_undeclared", "inputRequests", elicit.Str("mode", string(elicit.Form)))
		list = nil
	}
	for i, raw := range list {
		e, problems := readConfirmation(raw, r.indexed("inputRequests", i))
		e.Key = strconv.Itoa(i)
		r.Problems = append(r.Problems, problems...)
		out.Entries = append(out.Entries, e)
	}
	r.demandSomething(out)
	if r.Problems != nil {
		return Result{}, r.Problems
	}
	return out, nil
}

// readConfirmation reads one element. The title becomes a line before the message. Either may be missing.
//
// Example: {"type":"confirmation","title":"Deploy","message":"Now?","options":["yes","later"]}.
func readConfirmation(raw []byte, at string) (Entry, []elicit.Problem) {
	r := read(raw, at)
	if r.Problems != nil {
		return Entry{}, r.Problems
	}
	if kind := r.Str("type"); r.Problems == nil && kind != typeConfirmation {
		r.Report("unknown_draft_type", "type", elicit.Str("type", wire.Shown(kind)))
	}
	e := Entry{Method: MethodCreate, Params: raw}
	e.Request.Mode = elicit.Form
	e.Request.Message = r.heading()
	e.Request.Schema, e.choices = r.choiceSchema()
	return e, r.Problems
}

func (r *reading) heading() string {
	var title string
	if r.Get("title") != nil {
		title = r.Str("title")
		if r.Get("message") == nil {
			return title
		}
	}
	message := r.Str("message")
	if title == "" {
		return message
	}
	return title + "\n" + message
}

// choiceSchema makes the schema: a choice of the options, or an empty form when there are none.
func (r *reading) choiceSchema() (schema []byte, choices bool) {
	raw := r.Get("options")
	list, count := wire.Elements(raw, maxOptions)
	switch {
	case raw != nil && wire.TypeOf(raw) != wire.Array:
		r.WrongType("options", raw, "array")
	case count > maxOptions:
		r.Report("too_many_entries", "options", elicit.Num("limit", maxOptions), elicit.Num("count", count))
		return nil, false
	case count > 0:
		return r.choiceOf(list), true
	}
	return []byte(`{"type":"object","properties":{}}`), false
}

// choiceOf makes the schema of a choice, and reports options that cannot be told apart. Reading stops at maxProblems,
// so a list of a thousand wrong options costs no large reply.
func (r *reading) choiceOf(list [][]byte) []byte {
	values, titles, titled := make([]string, len(list)), make([]string, len(list)), false
	seen := make(map[string]bool, len(list))
	for i, raw := range list {
		if len(r.Problems) >= maxProblems {
			break
		}
		var ok, named bool
		values[i], titles[i], named, ok = readOption(raw)
		titled = titled || named
		switch {
		case !ok:
			r.Problems = append(r.Problems, elicit.Problem{Code: "draft_option", Pointer: r.indexed("options", i)})
		case seen[values[i]]:
			r.Problems = append(r.Problems, elicit.Problem{Code: "repeated_value", Pointer: r.indexed("options", i),
				Args: []elicit.Arg{elicit.Str("value", wire.Shown(values[i]))}})
		}
		seen[values[i]] = true
	}
	value := jsontext.With(nil, "type", "string")
	if titled {
		value.Each("oneOf", len(values), func(dst []byte, i int) []byte {
			return jsontext.Whole(dst, "const", values[i], "title", titles[i])
		})
	} else {
		jsontext.Strings(&value, "enum", values)
	}
	dst := append([]byte(`{"type":"object","properties":{"value":`), value.End()...)
	return append(dst, `},"required":["value"]}`...)
}

// readOption reads "value" or {label|title, value}. If an object lacks one of the two, the other takes its place.
//
// Examples: "a" is a with the title a. {"label":"A","value":"a"} is a with the title A.
func readOption(raw []byte) (value, title string, titled, ok bool) {
	if s, isText := wire.Text(raw); isText {
		return s, s, false, true
	}
	o, ok := wire.ReadObject(raw)
	if !ok {
		return "", "", false, false
	}
	name := o.Get("label")
	if name == nil {
		name = o.Get("title")
	}
	raw = o.Get("value")
	if raw == nil {
		raw = name
	}
	if name == nil {
		name = raw
	}
	value, ok = wire.Text(raw)
	title, titled = wire.Text(name)
	return value, title, titled, ok && titled
}

// appendConfirmed appends an answer in the draft's spelling: the chosen option or true, false for a decline, null for a
// cancel. It returns false if an accepted choice has no string called value.
//
//	accept without options    {"type":"confirmation","value":true}
//	accept of option "a"      {"type":"confirmation","value":"a"}
//	decline                   {"type":"confirmation","value":false}
//	cancel                    {"type":"confirmation","value":null}
func appendConfirmed(dst []byte, e *Entry, a Answer) ([]byte, bool) {
	value := []byte("true")
	switch {
	case a.Action == elicit.Decline:
		value = []byte("false")
	case a.Action == elicit.Cancel:
		value = []byte("null")
	case e.choices:
		o, _ := wire.ReadObject(a.Content)
		if value = o.Get("value"); wire.TypeOf(value) != wire.String {
			return dst, false
		}
	}
	dst = append(dst, `{"type":"`+typeConfirmation+`","value":`...)
	return append(append(dst, value...), '}'), true
}
