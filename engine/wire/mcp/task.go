package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Task is what a server says of a task, in the result of a call or in a notification (extension
// io.modelcontextprotocol/tasks of 2026-07-28).
//
// Lists distinguishes an empty list from no word about questions. A caller withdraws old questions only with Lists.
type Task struct {
	ID      string
	Status  string  // input_required, working, or a status that ends the task
	Lists   bool    // Entries are all that the task waits for
	Entries []Entry // in document order
}

// Over reports whether the task has ended, so that it waits for nothing.
func (t *Task) Over() bool {
	return t.Status == "completed" || t.Status == "failed" || t.Status == "cancelled"
}

// DecodeTask reads a task. Only a task with the status input_required may have questions. Keys in them are unique for
// the life of a task (extension Tasks, Task Update Requests). Problems mean that the server broke the protocol.
//
//	status           inputRequests    Lists, Entries
//	input_required   an object        true, the entries
//	working          none             true, none
//	completed …      none             true, none
//	input_required   none             false: other members of the task are reported
//	any other        an object        a problem
func (d Dialect) DecodeTask(task []byte, declared Modes) (Task, []elicit.Problem) {
	r := read(task, "")
	if r.Problems != nil || d.Carrier != wire.Rounds {
		return Task{}, r.Problems
	}
	id, _ := wire.Text(r.Get("taskId"))
	status, _ := wire.Text(r.Get("status"))
	t := Task{ID: id, Status: status}
	raw := r.Get("inputRequests")
	if raw == nil {
		t.Lists = status == "working" || t.Over()
		return t, nil
	}
	switch t.ID = r.Filled("taskId", maxTask); {
	case status != "input_required":
		r.Report("task_input_not_named", "status")
	case wire.TypeOf(raw) != wire.Map:
		r.WrongType("inputRequests", raw, "object")
	default:
		t.Lists, t.Entries = true, d.readEntries(r, raw, declared)
	}
	if r.Problems != nil {
		return Task{}, r.Problems
	}
	return t, nil
}

// AppendUpdate appends the parameters of tasks/update: answers for a task, and the client's _meta unless it is nil.
func AppendUpdate(dst []byte, task string, responses []Response, meta []byte) []byte {
	dst = append(jsontext.AppendString(append(dst, `{"taskId":`...), task), `,"inputResponses":`...)
	dst = (&Retry{Responses: responses}).appendResponses(dst)
	if meta != nil {
		dst = append(append(dst, `,"_meta":`...), meta...)
	}
	return append(dst, '}')
}
