package interrupts

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A2A stops a task in a state that requires input. The question is the message of the status, and the answer is a new
// message of the same task. The protocol has no form, no approval and no refusal: a note is the words of the person.

const early variant = 1 // the spelling of A2A 0.3

// taskStates has the states of a task. The value tells whether the state waits for a person.
var taskStates = map[string]bool{
	"TASK_STATE_SUBMITTED": false, "TASK_STATE_WORKING": false, "TASK_STATE_COMPLETED": false,
	"TASK_STATE_FAILED": false, "TASK_STATE_CANCELED": false, "TASK_STATE_REJECTED": false,
	"submitted": false, "working": false, "completed": false, "failed": false, "canceled": false, "rejected": false,
	"TASK_STATE_INPUT_REQUIRED": true, "input-required": true,
}

// readA2A reads a task, an update of its status, or a response that has one of them as task or statusUpdate. A state in
// which the agent waits for credentials is refused: they never pass through a form.
func readA2A(d *decoding) {
	root, ok := d.root()
	if !ok {
		return
	}
	if root.get("task") != nil {
		root, ok = d.child(root, "task")
	} else if root.get("statusUpdate") != nil {
		root, ok = d.child(root, "statusUpdate")
	}
	if !ok || root.get("status") == nil && (root.get("message") != nil || root.get("parts") != nil) {
		return // a message ends an exchange and asks nothing
	}
	status, ok := d.child(root, "status")
	if !ok {
		return
	}
	state := d.text(status, "state")
	asks, known := taskStates[state]
	if !known {
		d.unknown(status.pointer("state"))
	}
	if !asks {
		return
	}
	if state == "input-required" {
		d.variant = early
	}
	name := "id"
	if root.get("taskId") != nil {
		name = "taskId"
	}
	q := Question{object: root}
	q.Key, q.id = d.id(root, name)
	d.id(root, "contextId")
	q.Request.Message = d.readStatus(status)
	q.ask(nil, MayDecline|MayNoteDecline|MayCancel)
	d.add(&q, root.pointer(name))
}

// readStatus returns the text of the message of a status. A part that is neither text, data nor a link is refused,
// because a person would answer without seeing it.
func (d *decoding) readStatus(status *place) string {
	if status.get("message") == nil {
		return "The agent asks for input."
	}
	message, ok := d.child(status, "message")
	if !ok {
		return ""
	}
	var lines []string
	for _, part := range d.objects(message, "parts", maxQuestions) {
		switch {
		case part.get("text") != nil:
			lines = append(lines, d.text(part, "text"))
		case part.Get("data") != nil:
			lines = append(lines, string(part.Get("data")))
		case part.get("url") != nil:
			lines = append(lines, d.text(part, "url"))
		default:
			d.unknown(part.at)
		}
	}
	return strings.Join(lines, "\n")
}

// writeA2A writes the call that answers: a message, or the end of the task if the person cancels.
func writeA2A(w *writing) {
	if len(w.Questions) == 0 {
		w.add("null")
		return
	}
	q, a := &w.Questions[0], &w.answers[0]
	send, stop, role, kinds := "SendMessage", "CancelTask", `"ROLE_USER"`, [2]string{}
	if w.variant == early {
		send, stop, role = "message/send", "tasks/cancel", `"user"`
		kinds = [2]string{`"kind":"message",`, `"kind":"text",`}
	}
	if a.Action == elicit.Cancel {
		w.add(`{"method":"` + stop + `","params":{"id":` + string(q.id) + `}}`)
		return
	}
	w.add(`{"method":"` + send + `","params":{"message":{` + kinds[0] + `"messageId":` + w.message)
	w.add(`,"contextId":` + string(q.object.get("contextId")) + `,"taskId":` + string(q.id))
	w.add(`,"role":` + role + `,"parts":[{` + kinds[1] + `"text":`)
	switch {
	case a.accepted():
		w.add(string(a.payload))
	case a.Note != "":
		w.str(a.Note)
	default:
		w.str(declined)
	}
	w.add(`}]}}}`)
}
