package interrupts

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// AG-UI 1.0 ends a run with a RUN_FINISHED event whose outcome is "interrupt". The next run brings the answers in its
// member resume (docs/concepts/interrupts.mdx of the protocol). The interrupt names a tool's call only by its id. The
// call itself is in the events before, so a list of events is read too.

const bareBoolean flags = 1 // the payload is true or false, not an object

// readAGUI reads a RUN_FINISHED event, or a list of events that ends with one.
//
// All events but the last are read for calls of tools only. A list that ends with another event is a run that goes on,
// and is refused as unknown.
func readAGUI(d *decoding) {
	if wire.TypeOf(d.doc) != wire.Array {
		if event, ok := d.root(); ok {
			d.readFinished(event, aguiCalls{})
		}
		return
	}
	events := d.elements(0, len(d.doc), "", maxElements)
	calls := aguiCalls{}
	for i, event := range events {
		if kind := d.text(event, "type"); i == len(events)-1 {
			d.readFinished(event, calls)
		} else {
			calls.take(d, kind, event)
		}
	}
}

// readFinished reads the event that ends a run. An outcome that is not known is refused: it could ask for something.
func (d *decoding) readFinished(event *place, calls aguiCalls) {
	if kind := d.text(event, "type"); kind != "RUN_FINISHED" {
		d.unknown(event.pointer("type"))
		return
	}
	if event.get("outcome") == nil {
		return // a run of an older producer that ended as usual
	}
	outcome, ok := d.child(event, "outcome")
	if !ok {
		return
	}
	switch d.text(outcome, "type") {
	case "success", "cancelled":
	case "interrupt":
		for _, one := range d.some(outcome, "interrupts") {
			d.readInterrupt(one, calls)
		}
	default:
		d.unknown(outcome.pointer("type"))
	}
}

// readInterrupt reads one interrupt. Its responseSchema says what the question is:
//
//	{approved, editedArgs?, reason?}                  an approval, with the options of its members
//	none, with a toolCallId                           an approval
//	none with the reason confirmation, or boolean     an approval whose answer is true or false
//	any other                                         a question for content
func (d *decoding) readInterrupt(p *place, calls aguiCalls) {
	var q Question
	q.Key, q.id = d.id(p, "id")
	reason := d.text(p, "reason")
	if q.Request.Message = d.optional(p, "message"); q.Request.Message == "" {
		q.Request.Message = reason
	}
	q.Expires = d.optional(p, "expiresAt")
	response := d.mapping(p, "responseSchema")
	call := d.optional(p, "toolCallId")
	if reason == "tool_call" && call == "" {
		d.report("missing", p.pointer("toolCallId"))
	}
	// An unknown call leaves the tool and the arguments out: the document may be the last event alone.
	if known := calls[call]; known != nil {
		q.Request.Tool = known.name
		if q.Arguments = known.text; jsontext.Check(q.Arguments, limits) != nil || wire.TypeOf(q.Arguments) != wire.Map {
			d.report("interrupt_arguments", p.pointer("toolCallId"))
		}
	}
	const yesOrNo = MayAccept | MayDecline | MayCancel
	switch options := approvalOf(response); {
	case options != 0, response == nil && call != "":
		q.approve(options | yesOrNo)
	case response == nil && reason == "confirmation", isBoolean(response):
		q.flags = bareBoolean
		q.approve(yesOrNo)
	default:
		q.ask(response, MayDecline|MayCancel)
	}
	q.Response = response
	d.add(&q, p.pointer("id"))
}

// approvalOf recognises the schema that the protocol recommends for approvals. It returns 0 if the schema asks for
// anything else, since a bare yes would leave that out.
//
// Example:
// {"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]}.
func approvalOf(response []byte) Options {
	schema, _ := wire.ReadObject(response)
	properties, _ := schema.Child("properties")
	if !typed(properties.Get("approved"), "boolean") {
		return 0
	}
	options := MayAccept
	for _, m := range properties.Members {
		switch raw := properties.Raw(m); {
		case m.Name == "approved":
		case m.Name == "editedArgs" && typed(raw, "object"):
			options |= MayEdit
		case m.Name == "reason" && typed(raw, "string"):
			options |= MayNoteDecline
		default:
			return 0
		}
	}
	required, _ := wire.Elements(schema.Get("required"), maxElements)
	for _, raw := range required {
		if name, _ := wire.Text(raw); name != "approved" {
			return 0
		}
	}
	return options
}

// typed reports whether a schema is of one type.
func typed(schema []byte, name string) bool {
	o, _ := wire.ReadObject(schema)
	kind, _ := wire.Text(o.Get("type"))
	return kind == name
}

func isBoolean(response []byte) bool { return typed(response, "boolean") }

// writeAGUI writes the value of resume of the next run. A refusal of an approval is an answer, and status "cancelled"
// says that the person gave none. A question has no other spelling for a refusal.
//
//	[{"interruptId":"i1","status":"resolved","payload":{"approved":true}},{"interruptId":"i2","status":"cancelled"}]
func writeAGUI(w *writing) {
	w.add("[")
	for i := range w.answers {
		q, a := &w.Questions[i], &w.answers[i]
		w.comma(i)
		w.add(`{"interruptId":` + string(q.id))
		if a.Action == elicit.Cancel || !a.accepted() && !q.Approval() {
			w.add(`,"status":"cancelled"}`)
			continue
		}
		w.add(`,"status":"resolved","payload":`)
		switch {
		case !q.Approval():
			w.add(string(a.payload))
		case q.flags&bareBoolean != 0 && a.accepted():
			w.add("true")
		case q.flags&bareBoolean != 0:
			w.add("false")
		case a.accepted():
			w.add(`{"approved":true`)
			if a.Arguments != nil {
				w.add(`,"editedArgs":` + string(a.Arguments))
			}
			w.add("}")
		default:
			w.add(`{"approved":false`)
			if a.Note != "" {
				w.add(`,"reason":`)
				w.str(a.Note)
			}
			w.add("}")
		}
		w.add("}")
	}
	w.add("]")
}

// aguiCalls has the calls of tools in a list of events, by their ids.
//
// Arguments come in pieces (delta) and are joined as text. The sum of one call is bounded by maxPending. No call is
// without an id, so an interrupt without one finds none.
type aguiCalls map[string]*aguiCall

type aguiCall struct {
	name string
	text []byte // of the arguments, as far as it has come
}

// take reads one event. Only events about calls of tools matter here.
//
// A second start, or another name, under one id is refused: a person must not decide about a mix of two calls.
func (c aguiCalls) take(d *decoding, kind string, event *place) {
	switch kind {
	case "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_CHUNK":
	default:
		return
	}
	id := d.optional(event, "toolCallId")
	if id == "" {
		return
	}
	call := c[id]
	if name := d.optional(event, "toolCallName"); name != "" {
		if call != nil && (call.name != name || kind == "TOOL_CALL_START") {
			d.report("repeated_value", event.pointer("toolCallId"), elicit.Str("value", shown(id)))
			return
		}
		if call == nil {
			call = &aguiCall{name: name}
			c[id] = call
		}
	}
	if call == nil {
		return
	}
	call.text = append(call.text, d.optional(event, "delta")...)
	if len(call.text) > maxPending {
		d.report("text_too_large", event.pointer("delta"), elicit.Num("limit", maxPending),
			elicit.Num("length", len(call.text)))
		call.text = call.text[:0]
	}
}
