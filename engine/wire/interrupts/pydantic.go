package interrupts

import "github.com/elicit-engine/elicit/engine/wire"

// Pydantic AI ends a run with DeferredToolRequests, and takes DeferredToolResults with the next run. Both are read and
// written as Pydantic spells them in JSON.

// readPydantic reads DeferredToolRequests: approvals, and calls that run outside the agent. A call of the kind
// "question" asks a person. Any other call waits for a program.
//
//	{"approvals":[{"tool_call_id":"c1","tool_name":"write","args":"{}"}],"calls":[…],"_kinds":{"c2":"question"}}
//
// Both lists must be there. Without _kinds, every call of the second list is external.
func readPydantic(d *decoding) {
	root, ok := d.root()
	if !ok {
		return
	}
	kinds := &place{}
	if root.get("_kinds") != nil {
		kinds, _ = d.child(root, "_kinds")
	}
	for _, call := range d.objects(root, "approvals", maxQuestions) {
		q := d.deferred(call)
		q.Request.Message = "Allow " + q.Request.Tool + "?"
		q.approve(MayAccept | MayEdit | MayDecline | MayNoteDecline)
		d.add(&q, call.pointer("tool_call_id"))
	}
	for _, call := range d.objects(root, "calls", maxQuestions) {
		q := d.deferred(call)
		switch kind := d.optional(kinds, q.Key); kind {
		case "question":
			q.group = 1
			q.Request.Message = q.question()
			q.ask(nil, MayDecline|MayNoteDecline)
			d.add(&q, call.pointer("tool_call_id"))
		case "", "external":
			d.Others = append(d.Others, q.Key)
		default:
			d.unknown(kinds.pointer(q.Key))
		}
	}
}

// deferred reads a call. args may be an object, the JSON text of one, or absent for none.
func (d *decoding) deferred(call *place) (q Question) {
	q.Key, q.id = d.id(call, "tool_call_id")
	q.Request.Tool, _ = d.id(call, "tool_name")
	if kind := d.optional(call, "part_kind"); kind != "" && kind != "tool-call" {
		d.unknown(call.pointer("part_kind"))
	}
	if q.Arguments = []byte("{}"); call.get("args") != nil {
		q.Arguments = d.arguments(call, "args")
	}
	return q
}

// question is the text of a call that asks a person: its only argument if that is text, otherwise all arguments.
func (q *Question) question() string {
	o, _ := wire.ReadObject(q.Arguments)
	if len(o.Members) == 1 {
		if s, ok := wire.Text(o.Raw(o.Members[0])); ok {
			return s
		}
	}
	return q.Request.Tool + " " + string(q.Arguments)
}

// writePydantic writes DeferredToolResults. A refused question becomes a tool that failed, since an answer may be any
// value and a refusal must not look like one.
//
// The document has an answer for each question, and nothing for Others: their programs add theirs.
func writePydantic(w *writing) {
	w.add(`{"calls":{`)
	w.results(1, func(q *Question, a *decided) {
		if a.accepted() {
			w.add(`{"return_value":` + string(a.payload) + `,"kind":"tool-return"}`)
			return
		}
		note := a.Note
		if note == "" {
			note = declined
		}
		w.add(`{"message":`)
		w.str(note)
		w.add(`,"kind":"tool-failed"}`)
	})
	w.add(`},"approvals":{`)
	w.results(0, func(q *Question, a *decided) {
		switch {
		case a.Arguments != nil:
			w.add(`{"override_args":` + string(a.Arguments) + `,"kind":"tool-approved"}`)
		case a.accepted():
			w.add(`{"kind":"tool-approved"}`)
		case a.Note != "":
			w.add(`{"message":`)
			w.str(a.Note)
			w.add(`,"kind":"tool-denied"}`)
		default:
			w.add(`{"kind":"tool-denied"}`)
		}
	})
	w.add(`}}`)
}

// results writes the answers of one group by the ids of their calls.
func (w *writing) results(group int, write func(*Question, *decided)) {
	n := 0
	for i := range w.answers {
		if q := &w.Questions[i]; q.group == group {
			w.comma(n)
			w.add(string(q.id) + ":")
			write(q, &w.answers[i])
			n++
		}
	}
}
