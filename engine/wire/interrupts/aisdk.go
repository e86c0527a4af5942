package interrupts

import (
	"cmp"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// The AI SDK asks in two places. In a chat, a part of a UI message for a tool has the state "approval-requested", and
// the answer is the same message with that part changed. In a program, the content of a result has a part of the type
// "tool-approval-request", and the answer is a message of the role "tool". The server may sign a request. The signature
// covers the tool and its input, so the answer cannot change the input.

const chat variant = 1 // the document is a UI message

const hasProvider flags = 1 << iota // the provider of the model runs the tool

const approvalOptions = MayAccept | MayDecline | MayNoteDecline | MayNoteAccept

// readAISDK reads a UI message, a message of a model, or the content of one.
func readAISDK(d *decoding) {
	if wire.TypeOf(d.doc) == wire.Array {
		d.readContent(d.elements(0, len(d.doc), "", maxElements))
		return
	}
	message, ok := d.root()
	switch {
	case !ok:
	case message.get("parts") != nil:
		if d.variant = chat; d.text(message, "role") != "assistant" {
			d.unknown(message.pointer("role")) // a person's own message asks nothing
		}
		for _, part := range d.objects(message, "parts", maxElements) {
			d.readPart(part)
		}
	case wire.TypeOf(message.get("content")) == wire.String: // a message without parts asks nothing
	default:
		d.readContent(d.objects(message, "content", maxElements))
	}
}

// readPart reads a part of a UI message. Its type is "tool-" and the name of the tool, or "dynamic-tool".
//
//	{"type":"tool-write","state":"approval-requested","toolCallId":"c1","input":{…},"approval":{"id":"a1"}}
//
// An automatic approval is decided by the program, so it is no question. A part in this state that has a verdict
// already is refused: a writer would put a second verdict beside it.
func (d *decoding) readPart(part *place) {
	kind := d.text(part, "type")
	name, static := strings.CutPrefix(kind, "tool-")
	if !static && kind != "dynamic-tool" {
		return
	}
	if state, _ := wire.Text(part.get("state")); state != "approval-requested" {
		return
	}
	approval, ok := d.child(part, "approval")
	if !ok || d.flag(approval, "isAutomatic") {
		return
	}
	for _, early := range [...]string{"approved", "reason"} {
		if approval.Get(early) != nil {
			d.report("interrupt_answered", approval.pointer(early))
		}
	}
	q := Question{object: part}
	q.Key, q.id = d.id(approval, "id")
	if q.Request.Tool = name; !static {
		q.Request.Tool, _ = d.id(part, "toolName")
	} else if name == "" {
		d.unknown(part.pointer("type"))
	}
	d.readCall(&q, part)
	d.describe(&q, part, d.optional(approval, "requestReason"))
	d.optional(approval, "signature")
	d.add(&q, approval.pointer("id"))
}

// readContent reads the parts of a message of a model. A request names its call, or has it as the member toolCall.
//
// The first pass collects calls and responses, because a request may stand before its call. An answered request is no
// question any more.
func (d *decoding) readContent(parts []*place) {
	calls, answered := map[string]*place{}, map[string]bool{}
	for _, part := range parts {
		switch d.text(part, "type") {
		case "tool-call":
			id, _ := d.id(part, "toolCallId")
			if _, again := calls[id]; again {
				d.report("repeated_value", part.pointer("toolCallId"), elicit.Str("value", shown(id)))
			}
			calls[id] = part
		case "tool-approval-response":
			answered[d.text(part, "approvalId")] = true
		}
	}
	for _, part := range parts {
		kind, _ := wire.Text(part.get("type"))
		if kind != "tool-approval-request" || d.flag(part, "isAutomatic") {
			continue
		}
		var q Question
		q.Key, q.id = d.id(part, "approvalId")
		call, ok := &place{}, true
		if part.get("toolCall") != nil {
			call, ok = d.child(part, "toolCall")
		} else if id, _ := d.id(part, "toolCallId"); id != "" {
			if call, ok = calls[id]; !ok {
				d.unknown(part.pointer("toolCallId"))
			}
		}
		if !ok || answered[q.Key] {
			continue
		}
		q.Request.Tool, _ = d.id(call, "toolName")
		d.readCall(&q, call)
		if d.flag(call, "providerExecuted") {
			q.flags |= hasProvider
		}
		d.describe(&q, call, d.optional(part, "reason"))
		d.optional(part, "signature")
		d.add(&q, part.pointer("approvalId"))
	}
}

// readCall reads the arguments. The id of the call is checked and not kept, because the answer names the approval.
func (d *decoding) readCall(q *Question, call *place) {
	d.id(call, "toolCallId")
	if q.Arguments = call.Get("input"); q.Arguments == nil {
		d.report("missing", call.pointer("input"))
	}
	q.approve(approvalOptions)
}

// describe makes the message: the reason of the request, or the title of the tool.
func (d *decoding) describe(q *Question, call *place, reason string) {
	title := d.optional(call, "title")
	title = cmp.Or(title, q.Request.Tool)
	if q.Request.Message = "Allow " + title + "?"; reason != "" {
		q.Request.Message = reason
	}
}

// writeAISDK writes the whole UI message with its answers, or a message of the role "tool".
func writeAISDK(w *writing) {
	if w.variant == chat {
		w.editParts()
		return
	}
	w.add(`{"role":"tool","content":[`)
	for i := range w.answers {
		q, a := &w.Questions[i], &w.answers[i]
		w.comma(i)
		w.add(`{"type":"tool-approval-response","approvalId":` + string(q.id))
		w.verdict("approved", a)
		if q.flags&hasProvider != 0 {
			w.add(`,"providerExecuted":true`)
		}
		w.add("}")
	}
	w.add("]}")
}

// editParts changes only the state and the verdict of each part, so that the signature and all else keep their bytes.
//
// The writer of a verdict is a second writing, whose text begins with the comma that Exchange adds itself.
func (w *writing) editParts() {
	var edits []wire.Edit
	for i := range w.answers {
		part := w.Questions[i].object
		state, _ := part.Find("state")
		edits = append(edits, wire.Edit{Start: state.Value, End: state.End, With: []byte(`"approval-responded"`)})
		approval, _ := part.Child("approval")
		verdict := writing{}
		verdict.verdict("approved", &w.answers[i])
		edits = approval.Exchange(edits, verdict.dst[1:]) // without the comma in front
	}
	w.dst = wire.Apply(w.dst, w.doc, edits)
}
