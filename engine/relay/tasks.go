package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// A task of 2026-07-28 asks by what the server says of it: in the result of tasks/get, or in notifications/tasks. The
// machine takes such questions out and answers them by tasks/update. The client reads only of the entries that it has
// to answer. Without any, it reads that the task is working.

// tasks is what a connection knows of the server's tasks.
type tasks struct {
	list    []*task                // the oldest first
	updates map[idKey][]*taskEntry // requests of the machine without an answer, and what they answer
	kept    int                    // bytes of the open entries

	// Of the client's latest request about tasks; session is "" before the first.
	session  string
	declared mcp.Modes
	meta     []byte // for the requests of the machine
}

// task is one task with everything that it has asked.
type task struct {
	id      string
	tool    string // of the call that became the task
	seen    bool   // the machine has seen that call
	over    bool   // the client has cancelled the task
	reading bool   // entries or answers are being processed; what follows goes out together
	news    bool   // the client was given an entry that it has not read of
	entries []*taskEntry
	given   map[string]*taskEntry // by the keys that the client was given, ever; nil for an entry that is forgotten
	notice  []byte                // the latest notification with open entries; nil if the task did not ask by one
}

// taskEntry is one question of a task, or something else that it wants from the client. Its key names nothing else for
// the life of the task.
type taskEntry struct {
	mcp.Entry
	digest   string
	size     int
	listed   bool            // in what the server said last
	question *question       // nil before it is asked, and after its reply
	key      string          // under which the client had it last; "" for never
	show     *effect.Show    // as the client has it; nil if it does not
	late     *timer          // gives up a client that does not answer
	answer   []byte          // for the server
	problem  *elicit.Problem // why it cannot be answered
	again    bool            // it is asked again when the server lists it once more
}

// These bound what is remembered about tasks.
const (
	maxTasks       = 256
	maxTaskEntries = 256 // of one task, and keys that the client was given
	maxTaskBytes   = 64 << 20
)

// taskWords are the members of a task that decide.
var taskWords = []string{"taskId", "status"}

func (l *tasks) find(id string) *task {
	if i := slices.IndexFunc(l.list, func(t *task) bool { return t.id == id }); i >= 0 {
		return l.list[i]
	}
	return nil
}

// taskOf returns the task with an id. For a new one, it forgets the oldest task beyond the bound.
func (m *Machine) taskOf(id string) *task {
	t := m.tasks.find(id)
	if t == nil {
		if len(m.tasks.list) >= maxTasks {
			m.forgetTask(m.tasks.list[0])
		}
		t = &task{id: id, given: map[string]*taskEntry{}}
		m.tasks.list = append(m.tasks.list, t)
	}
	return t
}

func (m *Machine) forgetTask(t *task) {
	m.withdrawEntries(t, func(*taskEntry) bool { return true })
	m.tasks.list = slices.DeleteFunc(m.tasks.list, func(one *task) bool { return one == t })
}

// withClient reports whether the client has to answer the entry.
func (e *taskEntry) withClient() bool {
	return e.Foreign() || e.show != nil && e.question != nil && e.question.show != nil
}

// fail records why an entry cannot be answered. again says that the question may be asked once more.
func (e *taskEntry) fail(p elicit.Problem, again bool) { e.problem, e.again = &p, again }

// heardOfTasks records a request of a client that knows tasks, as the server gets it.
func (m *Machine) heardOfTasks(k *call, request []byte) {
	if !k.rounds {
		return
	}
	params, _ := wire.ReadObject(paramsOf(request))
	meta, _ := params.Child("_meta")
	edits := meta.Exchange(nil, nil, "progressToken", "inputResponses", "requestState")
	whole, _ := params.Find("_meta")
	for i := range edits { // from the params to the _meta
		edits[i].Start -= whole.Value
		edits[i].End -= whole.Value
	}
	m.tasks.session, m.tasks.declared = k.session, k.declared
	m.tasks.meta = wire.Apply(nil, params.Raw(whole), edits)
}

// taskTold looks for a result that tells of a task. The task may ask, which the result of its call may not.
func (m *Machine) taskTold(k *call, msg *message) (v verdict, judged bool) {
	kind, _ := wire.Text(msg.resultType)
	switch {
	case k.method == methodTaskCancel:
		if t := m.tasks.find(k.task); t != nil {
			t.over = true
			m.withdrawEntries(t, func(*taskEntry) bool { return true })
		}
		return taken, false
	case k.method == methodTaskGet && (kind == "complete" || msg.resultType == nil):
	case (k.method == methodTaskGet || k.method == methodToolsCall) && kind == "task":
	default:
		return taken, false
	}
	if problem := asksWithin(msg.result, "/result"); problem != nil {
		m.failRead(k, *problem)
		return taken, true
	}
	if msg.inputRequests != nil && (!k.rounds || msg.meta != nil && asksInMeta(msg.meta)) {
		return taken, false
	}
	if m.ending.begun && msg.inputRequests != nil {
		m.failCall(k, serverEnded)
		return taken, true
	}
	if k.method == methodToolsCall {
		m.heardOfTasks(k, k.request)
	}
	told, problems := m.readTask(msg, clone(msg.result), k.declared, "/result")
	if problems == nil && k.task != "" && told.ID != "" && told.ID != k.task {
		problems = []elicit.Problem{{Code: "task_other", Pointer: "/result/taskId",
			Args: []elicit.Arg{elicit.Str("task", clipped(told.ID))}}}
	}
	if problems != nil {
		m.failRead(k, problems...)
		return taken, true
	}
	if k.method == methodToolsCall && told.ID != "" && !told.Over() {
		t := m.taskOf(told.ID)
		t.tool, t.seen = k.tool, true
	}
	k.shared = true
	t, problems := m.taskAsks(told, k.session, len(msg.result))
	switch {
	case msg.inputRequests == nil:
		return taken, false
	case !m.calls.open(k): // the engine failed for good, and the call got an error
		return taken, true
	case problems != nil:
		m.failRead(k, problems...)
		return taken, true
	}
	id := clone(k.id)
	m.calls.remove(k)
	m.callOver(k, true)
	m.decided(Client, splice(t.forClient(msg.raw, "result"), "id", id), func() {
		m.failID(id, elicit.Problem{Code: "journal_failed"})
	})
	return taken, true
}

// taskNotice takes a notification of the server about a task.
func (m *Machine) taskNotice(msg *message) verdict {
	refuse := func(problems ...elicit.Problem) verdict {
		m.refused(Server, problems...)
		return taken
	}
	if problem := asksWithin(msg.params, "/params"); problem != nil {
		return refuse(*problem)
	}
	if msg.asks && m.ending.begun {
		return taken // nobody can be asked
	}
	if msg.asks && m.tasks.session == "" { // nobody has said that the client knows tasks
		return refuse(elicit.Problem{Code: "input_not_in_result", Pointer: "/params/inputRequests"})
	}
	told, problems := m.readTask(msg, clone(msg.params), m.tasks.declared, "/params")
	if problems != nil {
		return refuse(problems...)
	}
	t, problems := m.taskAsks(told, m.tasks.session, len(msg.params))
	switch {
	case !msg.asks:
		return passes
	case problems != nil:
		return refuse(problems...)
	}
	t.notice = clone(msg.raw)
	m.decided(Client, t.forClient(msg.raw, "params"), func() {})
	return taken
}

// readTask reads a task, which is at a place of the message.
func (m *Machine) readTask(msg *message, text []byte, declared mcp.Modes, at string) (mcp.Task, []elicit.Problem) {
	if msg.inputRequests != nil || msg.asks {
		o, _ := wire.ReadObject(text)
		problem := m.gate.distinct(text, at)
		if problem == nil {
			problem = spelled(o, taskWords, at)
		}
		if problem == nil {
			problem = askable(msg.raw)
		}
		if problem == nil {
			problem = m.gate.readEntries(o.Get("inputRequests"))
		}
		if problem != nil {
			return mcp.Task{}, []elicit.Problem{*problem}
		}
	}
	told, problems := rounds.DecodeTask(text, declared)
	for i := range problems {
		problems[i].Pointer = at + problems[i].Pointer
	}
	return told, problems
}

// asksWithin returns the problem with a task whose own result asks. The task is over then, and the client may read that
// result like the one of the call.
func asksWithin(text []byte, at string) *elicit.Problem {
	o, _ := wire.ReadObject(text)
	for _, member := range o.Members {
		inner, ok := wire.ReadObject(o.Raw(member))
		if !ok || member.Name != "result" && !alike([]byte(member.Name), "result") {
			continue
		}
		for _, one := range inner.Members {
			kind, _ := wire.Text(inner.Raw(one))
			asks := one.Name == "inputRequests" || alike([]byte(one.Name), "inputRequests")
			if asks || foldEqual([]byte(one.Name), "resultType") && foldEqual([]byte(kind), "input_required") ||
				one.Name == "_meta" && asksInMeta(inner.Raw(one)) {
				return faulty("input_not_allowed", at+"/result", elicit.Str("method", "tasks/get"))
			}
		}
	}
	return nil
}
