package interrupts

import "github.com/elicit-engine/elicit/engine/wire"

// The Responses API of OpenAI puts an mcp_approval_request among the items of its output. The next request brings an
// mcp_approval_response among the items of its input.

// runStateMembers are those of a run of the OpenAI Agents SDK. Its approvals are other items, which this package does
// not read. An empty list of questions would say that nothing waits.
var runStateMembers = []string{"$schemaVersion", "currentStep", "current_step", "interruptions"}

// readOpenAI reads a response, or its list of items. Items of other types ask nothing. A request with a response in the
// same list has been answered.
//
// arguments is a JSON text, which the person must see as JSON. A response without output is a problem, because it may
// be no response at all.
func readOpenAI(d *decoding) {
	var items []*place
	if wire.TypeOf(d.doc) == wire.Array {
		items = d.elements(0, len(d.doc), "", maxElements)
	} else if response, ok := d.root(); ok {
		for _, name := range runStateMembers {
			if response.get(name) != nil {
				d.unknown(response.pointer(name))
				return
			}
		}
		items = d.objects(response, "output", maxElements)
	}
	for _, item := range items {
		kind, _ := wire.Text(item.get("type"))
		if kind == "tool_approval_item" || item.get("raw_item") != nil || item.get("rawItem") != nil {
			d.unknown(item.pointer("type"))
			return
		}
	}
	answered := map[string]bool{}
	for _, item := range items {
		if kind, _ := wire.Text(item.get("type")); kind == "mcp_approval_response" {
			answered[d.text(item, "approval_request_id")] = true
		}
	}
	for _, item := range items {
		if kind, _ := wire.Text(item.get("type")); kind != "mcp_approval_request" {
			continue
		}
		var q Question
		q.Key, q.id = d.id(item, "id")
		q.Server = d.text(item, "server_label")
		q.Request.Tool, _ = d.id(item, "name")
		q.Request.Message = "Allow " + q.Request.Tool + " of " + q.Server + "?"
		q.Arguments = d.arguments(item, "arguments")
		q.approve(MayAccept | MayDecline | MayNoteDecline | MayNoteAccept)
		if !answered[q.Key] {
			d.add(&q, item.pointer("id"))
		}
	}
}

// writeOpenAI writes a list of items for the input of the next request.
func writeOpenAI(w *writing) {
	w.add("[")
	for i := range w.answers {
		q, a := &w.Questions[i], &w.answers[i]
		w.comma(i)
		w.add(`{"type":"mcp_approval_response","approval_request_id":` + string(q.id))
		w.verdict("approve", a)
		w.add("}")
	}
	w.add("]")
}

// verdict appends a yes or a no under a name, and the note.
func (w *writing) verdict(name string, a *decided) {
	if w.add(`,"` + name + `":`); a.accepted() {
		w.add("true")
	} else {
		w.add("false")
	}
	if a.Note != "" {
		w.add(`,"reason":`)
		w.str(a.Note)
	}
}
