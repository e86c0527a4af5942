package mcp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// A task of 2026-07-28 asks by what the server says of it: in the result of tasks/get, or in notifications/tasks. The
// machine takes such questions out and answers them by tasks/update. The client reads only of the entries that it has
// to answer. Without any, it reads that the task is working.

// tasks is what a connection knows of the server's tasks.
//
// The server may send a task's questions at any time, without a request of the client. The declarations of the client's
// latest request about tasks count for them.
type tasks struct {
	link *conn
	gate gate.Gate

	list    []*task                   // the oldest first
	updates map[gate.Key][]*taskEntry // requests of the machine without an answer, and what they answer
	kept    int                       // bytes of the open entries

	// Of the client's latest request about tasks; session is "" before the first.
	session  string
	declared mcp.Modes
	meta     []byte // for the requests of the machine
}

func newTasks(to *conn) tasks { return tasks{link: to, gate: gate.New(&mcpWords)} }

// task is one task with everything that it has asked.
//
// A task begins with the first result that names it or the first entry, and is forgotten when the server says that it
// is over. Beyond maxTasks the oldest is forgotten. given never shrinks, so that a key never names two things for a
// client.
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
//
// It goes through these states, and each field says one of them:
//
//	question != nil                  the engine has it
//	show != nil                      the client has it too
//	answer != nil                    it waits for flush
//	size == 0                        its answer was sent, and its texts are forgotten
//	problem != nil                   it cannot be answered
type taskEntry struct {
	mcp.Entry
	digest   string
	size     int
	listed   bool            // in what the server said last
	question *link.Question  // nil before it is asked, and after its reply
	key      string          // under which the client had it last; "" for never
	show     *effect.Show    // as the client has it; nil if it does not
	late     *link.Timer     // gives up a client that does not answer
	answer   []byte          // for the server
	problem  *elicit.Problem // why it cannot be answered
	again    bool            // it is asked again when the server lists it once more
}

// These bound what is remembered about tasks.
const (
	// A task may live for days, and a server may begin one for every call.
	maxTasks       = 256
	maxTaskEntries = 256 // of one task, and keys that the client was given
	maxTaskBytes   = 64 << 20
)

func (l *tasks) find(id string) *task {
	if i := slices.IndexFunc(l.list, func(t *task) bool { return t.id == id }); i >= 0 {
		return l.list[i]
	}
	return nil
}

// made makes a task of a call, or of a call that the machine has not seen if k is no tool call.
func (l *tasks) made(id string, k *call) *task {
	t := &task{id: id, given: map[string]*taskEntry{}}
	if k != nil && k.method == methodToolsCall {
		t.tool, t.seen = k.tool, true
	}
	l.list = append(l.list, t)
	return t
}

func (l *tasks) forget(t *task) {
	for _, e := range t.entries {
		l.spare(e)
	}
	l.list = slices.DeleteFunc(l.list, func(one *task) bool { return one == t })
}

// spare forgets the texts of an entry that needs no answer any more.
func (l *tasks) spare(e *taskEntry) {
	l.kept -= e.size
	e.size, e.Entry, e.answer = 0, mcp.Entry{Key: e.Key, Method: e.Method}, nil
}

// drop forgets an entry. If the server lists it once more, it is a new question.
func (l *tasks) drop(t *task, e *taskEntry) {
	l.spare(e)
	if e.key != "" {
		t.given[e.key] = nil
	}
	t.entries = slices.DeleteFunc(t.entries, func(one *taskEntry) bool { return one == e })
}

// add adds an entry to a task. It returns nil beyond the bounds.
//
// size is that of the whole text of the server, because a span of the entry keeps that text in memory.
func (l *tasks) add(t *task, listed *mcp.Entry, size int) *taskEntry {
	if max(len(t.entries), len(t.given)) >= maxTaskEntries || l.kept+size > maxTaskBytes {
		return nil
	}
	e := &taskEntry{Entry: *listed, digest: entryDigest(listed), size: size}
	l.kept += size
	t.entries = append(t.entries, e)
	if e.Foreign() {
		t.give(e, e.Key)
	}
	return e
}

// entryDigest identifies what an entry asks.
//
// _meta does not count: servers put tokens and times there that differ between two listings.
func entryDigest(e *mcp.Entry) string {
	o, _ := wire.ReadObject(e.Params)
	params := wire.Apply(nil, e.Params, o.Exchange(nil, nil, "_meta"))
	sum := digest.Sum256([]byte(e.Method + " " + sortedDigest(params)))
	return string(sum[:])
}

// named returns the entry that the server calls so, or nil.
func (t *task) named(key string) *taskEntry {
	if i := slices.IndexFunc(t.entries, func(e *taskEntry) bool { return e.Key == key }); i >= 0 {
		return t.entries[i]
	}
	return nil
}

// give names an entry to the client.
func (t *task) give(e *taskEntry, key string) { e.key, t.given[key] = key, e }

// withClient reports whether the client has to answer the entry.
func (e *taskEntry) withClient() bool {
	return e.Foreign() || e.show != nil && e.question != nil && e.question.Show != nil
}

// fail records why an entry cannot be answered. again says that the question may be asked once more.
func (e *taskEntry) fail(p elicit.Problem, again bool) { e.problem, e.again = &p, again }

// readUpdate reads the client's answers for a task, and returns the keys of questions among them. Any other key must
// be of an entry that the client was given: nobody has inspected what the answer would be to.
//
// The checks are for all keys before any answer is used, so a refused request has no effect.
func (t *task) readUpdate(list wire.Object) (questions []string, problem *elicit.Problem, code int) {
	for _, one := range list.Members {
		var e *taskEntry
		known := false
		if t != nil {
			e, known = t.given[one.Name]
		}
		switch {
		case !known:
			problem = gate.Faulty("unknown_input_key", "/params/inputResponses", elicit.Str("key", gate.Clipped(one.Name)))
			return nil, problem, wire.InvalidParams
		case e != nil && e.problem != nil:
			return nil, e.problem, wire.InternalError
		case e == nil || !e.Foreign():
			questions = append(questions, one.Name)
		}
	}
	return questions, nil, 0
}

// closed records that nobody has the question of an entry any more. It returns the timer to stop.
func (e *taskEntry) closed() *link.Timer {
	late := e.late
	e.question, e.show, e.late = nil, nil, nil
	return late
}

// heard records a request of a client that knows tasks, as the server gets it.
//
// The machine's own requests about tasks repeat that _meta, because the server reads the declared version there. Tokens
// and answers in it belong to the one request.
func (l *tasks) heard(k *call, request []byte) {
	if !k.rounds {
		return
	}
	params, _ := wire.ReadObject(paramsOf(request))
	l.session, l.declared = k.session, k.declared
	meta := gate.Clone(params.Get("_meta"))
	o, _ := wire.ReadObject(meta)
	l.meta = wire.Apply(nil, meta, o.Exchange(nil, nil, "progressToken", "inputResponses", "requestState"))
}

// answered takes the server's answer to a tasks/update of the machine. The problem is that the server did not take it.
func (l *tasks) answered(msg *gate.Message) (refused *elicit.Problem) {
	key, open := gate.Find(l.updates, msg.ID)
	if !open {
		return nil
	}
	entries := l.updates[key]
	delete(l.updates, key)
	if msg.Kind == gate.Failure {
		refused = &elicit.Problem{Code: "task_answer_refused", Args: []elicit.Arg{elicit.Str("why", msg.Why())}}
		for _, e := range entries {
			e.fail(*refused, false) // the client reads it at the next tasks/get that lists the entry
		}
	}
	return refused
}

// told looks for a result that tells of a task. The task may ask, which the result of its call may not.
//
// Only the result of a tasks/get or of a tools/call tells of a task. That of a tasks/cancel ends it.
func (l *tasks) told(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	kind, _ := wire.Text(msg.ResultType)
	switch {
	case k.method == methodTaskCancel:
		if t := l.find(k.task); t != nil {
			t.over = true
			l.withdrawAll(t, nil)
		}
		return gate.Taken, false
	case k.method == methodTaskGet && (kind == "complete" || msg.ResultType == nil):
	case (k.method == methodTaskGet || k.method == methodToolsCall) && kind == "task":
	default:
		return gate.Taken, false
	}
	if problem := asksWithin(msg.Result, "/result"); problem != nil {
		l.link.failRead(k, *problem)
		return gate.Taken, true
	}
	// These entries are not those of a task. roundAsked judges them next, and refuses them.
	if msg.InputRequests != nil && (!k.rounds || msg.Meta != nil && asksInMeta(msg.Meta)) {
		return gate.Taken, false
	}
	if !l.link.Takes(nil) && msg.InputRequests != nil {
		l.link.Fail(k.Call, link.ServerEnded)
		return gate.Taken, true
	}
	if k.method == methodToolsCall {
		l.heard(k, k.Request)
	}
	told, problems := readTask(&l.gate, msg, gate.Clone(msg.Result), k.declared, "/result")
	if problems == nil && k.task != "" && told.ID != "" && told.ID != k.task {
		problems = []elicit.Problem{{Code: "task_other", Pointer: "/result/taskId",
			Args: []elicit.Arg{elicit.Str("task", gate.Clipped(told.ID))}}}
	}
	if problems != nil {
		l.link.failRead(k, problems...)
		return gate.Taken, true
	}
	t, problems := l.take(told, k, k.session, len(msg.Result))
	switch {
	case msg.InputRequests == nil:
		return gate.Taken, false
	case !k.Open: // the engine failed for good, and the call got an error
		return gate.Taken, true
	case problems != nil:
		l.link.failRead(k, problems...)
		return gate.Taken, true
	}
	id := gate.Clone(k.ID)
	l.link.Calls.Remove(k.Call)
	l.link.calls.End(k.Call, true)
	l.link.answerCall(id, gate.Splice(t.forClient(msg.Raw, "result"), "id", id))
	return gate.Taken, true
}

// notice takes a notification of the server about a task.
//
// A notification with entries never passes as it is. The client gets its own version, with the entries for it.
func (l *tasks) notice(msg *gate.Message) gate.Passage {
	refuse := func(problems ...elicit.Problem) gate.Passage {
		l.link.refused(link.Server, problems...)
		return gate.Taken
	}
	if problem := asksWithin(msg.Params, "/params"); problem != nil {
		return refuse(*problem)
	}
	if msg.Asks && !l.link.Takes(nil) {
		return gate.Taken // nobody can be asked
	}
	if msg.Asks && l.session == "" { // nobody has said that the client knows tasks
		return refuse(elicit.Problem{Code: "input_not_in_result", Pointer: "/params/inputRequests"})
	}
	told, problems := readTask(&l.gate, msg, gate.Clone(msg.Params), l.declared, "/params")
	if problems != nil {
		return refuse(problems...)
	}
	t, problems := l.take(told, nil, l.session, len(msg.Params))
	switch {
	case !msg.Asks:
		return gate.Passes
	case problems != nil:
		return refuse(problems...)
	}
	t.notice = gate.Clone(msg.Raw)
	l.link.Send(link.Client, t.forClient(msg.Raw, "params"), func() {})
	return gate.Taken
}

// readTask reads a task, which is at a place of the message.
//
// Without entries, the text is only looked at for the id and the state. It may have what JSON allows.
func readTask(
	g *gate.Gate, msg *gate.Message, text []byte, declared mcp.Modes, at string,
) (mcp.Task, []elicit.Problem) {
	if msg.InputRequests != nil || msg.Asks {
		o, _ := wire.ReadObject(text)
		problem := g.Distinct(text, at)
		if problem == nil {
			problem = gate.Spelled(o, taskWords, at)
		}
		if problem == nil {
			problem = gate.Askable(msg.Raw)
		}
		if problem == nil {
			problem = g.ReadEntries(o.Get("inputRequests"))
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

// asksWithin returns the problem with a task whose own result asks. The task is over then, and the client may read
// that result like the one of the call.
func asksWithin(text []byte, at string) *elicit.Problem {
	o, _ := wire.ReadObject(text)
	for _, member := range o.Members {
		inner, ok := wire.ReadObject(o.Raw(member))
		if !ok || member.Name != "result" && !gate.Alike([]byte(member.Name), "result") {
			continue
		}
		for _, one := range inner.Members {
			kind, _ := wire.Text(inner.Raw(one))
			asks := one.Name == "inputRequests" || gate.Alike([]byte(one.Name), "inputRequests")
			if asks || gate.FoldEqual([]byte(one.Name), "resultType") && gate.FoldEqual([]byte(kind), "input_required") ||
				one.Name == "_meta" && asksInMeta(inner.Raw(one)) {
				return gate.Faulty("input_not_allowed", at+"/result", elicit.Str("method", "tasks/get"))
			}
		}
	}
	return nil
}
