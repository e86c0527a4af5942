package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// taskAsks takes what the server says of a task. It asks what is new, and withdraws what the task no longer waits for.
// A question that the server lists again is one question. size is that of the server's text.
func (m *Machine) taskAsks(told mcp.Task, session string, size int) (*task, []elicit.Problem) {
	t := m.tasks.find(told.ID)
	if t == nil && len(told.Entries) > 0 {
		t = m.taskOf(told.ID)
	}
	if t == nil || !told.Lists {
		return t, nil
	}
	listed := map[string]bool{}
	for i := range told.Entries {
		listed[told.Entries[i].Key] = true
	}
	m.withdrawEntries(t, func(e *taskEntry) bool { return !listed[e.Key] })
	if told.Over() {
		m.forgetTask(t)
	}
	var problems []elicit.Problem
	t.reading = true
	for i := range told.Entries {
		if problem := m.list(t, &told.Entries[i], session, size); problem != nil && !t.over {
			problems = append(problems, *problem)
		}
	}
	t.reading, t.news = false, false
	m.sendAnswers(t)
	return t, problems
}

// list takes one entry that the server lists.
func (m *Machine) list(t *task, listed *mcp.Entry, session string, size int) *elicit.Problem {
	var e *taskEntry
	if i := slices.IndexFunc(t.entries, func(e *taskEntry) bool { return e.Key == listed.Key }); i >= 0 {
		e = t.entries[i]
	}
	sum := entryDigest(listed)
	switch {
	case t.over:
		return nil
	case e != nil && e.digest != sum: // an answer to the one would pass for an answer to the other
		m.withdrawEntry(e)
		e.fail(elicit.Problem{Code: "task_input_altered", Args: []elicit.Arg{elicit.Str("key", clipped(e.Key))}}, false)
	case e == nil && (max(len(t.entries), len(t.given)) >= maxTaskEntries || m.tasks.kept+size > maxTaskBytes):
		return &tooManyCalls
	case e == nil && m.ownID(quote(listed.Key)): // keys of ours go to the client
		return faulty("ref_in_use", "", elicit.Str("ref", clipped(listed.Key)))
	case e == nil:
		e = &taskEntry{Entry: *listed, digest: sum, size: size}
		m.tasks.kept += size
		t.entries = append(t.entries, e)
		if e.Foreign() {
			t.give(e, e.Key)
		} else {
			m.askTask(t, e, session)
		}
	}
	if e.listed = true; e.problem == nil {
		return nil
	}
	if e.again {
		m.dropEntry(t, e)
	}
	return e.problem
}

// entryDigest identifies what an entry asks.
func entryDigest(e *mcp.Entry) string {
	o, _ := wire.ReadObject(e.Params)
	params := wire.Apply(nil, e.Params, o.Exchange(nil, nil, "_meta"))
	if e.Params == nil {
		params = []byte("null")
	}
	sum := digest.Sum256([]byte(e.Method + " " + sortedDigest(params)))
	return string(sum[:])
}

// askTask asks the engine a question of a task. The client gets what it is to be shown in place of the server's entry.
func (m *Machine) askTask(t *task, e *taskEntry, session string) {
	req := e.Request
	req.Session, req.Parent, req.Tool = session, "task "+string(quote(t.id)), t.tool
	req.Ref = req.Parent + "/" + e.Key
	req.CandidatesCut = !t.seen // it may belong to a call of any tool
	q := &question{request: req}
	if m.clientDraws() {
		q.show = func(s effect.Show) { m.giveEntry(t, e, s) }
	}
	q.settle = func(r effect.Reply) {
		m.closed(e)
		switch {
		case r.Outcome == elicit.Failed && len(r.Problems) > 0:
			e.fail(r.Problems[0], true)
			return
		case r.Cause == elicit.ByShutdown || r.Cause == elicit.BySessionClosed:
			return // nobody has answered, and the task may outlive the connection
		}
		body, ok := rounds.AppendAnswer(nil, nil, mcp.Answer{Action: elicit.Action(r.Outcome), Mode: req.Mode,
			Content: r.Content})
		if !ok {
			e.fail(elicit.Problem{Code: "answer_unfit"}, true)
			return
		}
		e.answer = body
		m.sendAnswers(t)
	}
	e.question = q
	m.ask(q)
}

// closed records that nobody has the question of an entry any more.
func (m *Machine) closed(e *taskEntry) {
	m.stop(e.late)
	e.question, e.show, e.late = nil, nil, nil
}

// giveEntry gives the client a question, in the words that were inspected. Clients ignore a key that they have
// answered, so a question that is asked once more has another key.
func (m *Machine) giveEntry(t *task, e *taskEntry, s effect.Show) {
	switch {
	case e.show != nil && e.show.Message == s.Message: // a new engine shows again what the client has
	case !has(t.given, e.Key):
		t.give(e, e.Key)
	default:
		key, _ := wire.Text(m.newID())
		t.give(e, key)
	}
	e.show, e.Request.Message = &s, s.Message
	if s.Form != nil {
		e.Request.Schema = s.Form.AppendSchema(nil, rounds.Modes)
	}
	if m.stop(e.late); m.config.AnswerWithin >= 0 {
		e.late = m.after(m.config.AnswerWithin, func() {
			e.show, e.late = nil, nil
			m.unansweredQuestion(s.Session, s.ID)
		})
	}
	t.news = true
	m.tellClient(t)
}

// tellClient tells a client that listens what it has to answer now.
func (m *Machine) tellClient(t *task) {
	if t.news && !t.reading && t.notice != nil {
		m.decided(Client, t.forClient(t.notice, "params"), func() {})
	}
	t.news = t.news && t.reading
}

// give names an entry to the client.
func (t *task) give(e *taskEntry, key string) { e.key, t.given[key] = key, e }

// forClient writes the server's text anew, with the entries that the client has to answer.
func (t *task) forClient(text []byte, at string) []byte {
	var list []byte
	for _, e := range t.entries {
		if e.listed && e.withClient() && !t.over {
			list = append(append(list, ','), quote(e.key)...)
			list = append(append(list, ':'), entryText(&e.Entry)...)
		}
	}
	status, members := "working", []byte(nil)
	if list != nil {
		list[0] = '{'
		status, members = "input_required", append(append([]byte(`"inputRequests":`), list...), '}')
	}
	text, _ = wire.Set(nil, text, quote(status), true, at, "status")
	o, _ := wire.ReadObject(text)
	o, _ = o.Child(at)
	return wire.Apply(nil, text, o.Exchange(nil, members, "inputRequests", "requestState"))
}

// sendAnswers sends the server every answer that it has not got.
func (m *Machine) sendAnswers(t *task) {
	if t.reading {
		return
	}
	var responses []mcp.Response
	var entries []*taskEntry
	for _, e := range t.entries {
		if e.answer != nil {
			responses = append(responses, mcp.Response{Key: e.Key, Value: e.answer})
			entries = append(entries, e)
			m.spare(e)
		}
	}
	if responses == nil {
		return
	}
	id := m.newID()
	if m.tasks.updates == nil {
		m.tasks.updates = map[idKey][]*taskEntry{}
	}
	m.tasks.updates[keyOf(id)] = entries
	params := mcp.AppendUpdate(nil, t.id, responses, m.tasks.meta)
	m.decided(Server, wire.AppendRequest(nil, id, mcp.MethodTaskUpdate, params), func() {
		delete(m.tasks.updates, keyOf(id))
		for _, e := range entries {
			e.fail(elicit.Problem{Code: "journal_failed"}, false)
		}
	})
}

// taskAnswered takes the server's answer to a tasks/update of the machine.
func (m *Machine) taskAnswered(msg *message) bool {
	key, open := find(m.tasks.updates, msg.id)
	if !open {
		return false
	}
	entries := m.tasks.updates[key]
	delete(m.tasks.updates, key)
	if msg.kind == failure {
		problem := elicit.Problem{Code: "task_answer_refused", Args: []elicit.Arg{elicit.Str("why", errorText(msg))}}
		m.note(Server, problem)
		for _, e := range entries {
			e.fail(problem, false) // the client reads it at the next tasks/get that lists the entry
		}
	}
	return true
}

// withdrawEntries withdraws the open questions of a task that are chosen, and forgets them.
func (m *Machine) withdrawEntries(t *task, chosen func(*taskEntry) bool) {
	for _, e := range slices.Clone(t.entries) {
		if !chosen(e) {
			continue
		}
		if e.listed = false; e.question != nil {
			m.withdrawEntry(e)
			m.dropEntry(t, e)
		}
	}
}

func (m *Machine) withdrawEntry(e *taskEntry) {
	q := e.question
	if q == nil {
		return
	}
	m.closed(e)
	m.cancelQuestion(q)
	r := takenBack(q.request)
	if m.broken { // no record says that it was withdrawn
		r = lostReply(q.request, m.why)
	}
	m.forget(q, r)
}

// dropEntry forgets an entry. If the server lists it once more, it is a new question.
func (m *Machine) dropEntry(t *task, e *taskEntry) {
	m.spare(e)
	if e.key != "" {
		t.given[e.key] = nil
	}
	t.entries = slices.DeleteFunc(t.entries, func(one *taskEntry) bool { return one == e })
}

// spare forgets the texts of an entry that needs no answer any more.
func (m *Machine) spare(e *taskEntry) {
	m.tasks.kept -= e.size
	e.size, e.Entry, e.answer = 0, mcp.Entry{Key: e.Key, Method: e.Method}, nil
}

// taskUpdated takes the client's answers for a task. Those to questions go through the engine. It returns the request
// with the other answers, or nil if nothing is left for the server.
func (m *Machine) taskUpdated(msg *message) []byte {
	root, _ := wire.ReadObject(msg.raw)
	params, _ := root.Child("params")
	list, ok := params.Child("inputResponses")
	id, named := wire.Text(params.Get("taskId"))
	t := m.tasks.find(id)
	var problem *elicit.Problem
	code := wire.InvalidParams
	switch {
	case params.Get("inputResponses") == nil:
		return m.withoutResponses(msg.raw)
	case !ok:
		problem = faulty("wrong_type", "/params/inputResponses", elicit.Str("expected", "object"))
	case !named:
		problem = faulty("wrong_type", "/params/taskId", elicit.Str("expected", "string"))
	}
	var given map[string]*taskEntry
	if t != nil {
		given = t.given
	}
	var questions []string
	for _, one := range list.Members {
		switch e, known := given[one.Name]; {
		case problem != nil:
		case !known: // the client was not asked, and nobody has inspected what this would answer
			problem = faulty("unknown_input_key", "/params/inputResponses", elicit.Str("key", clipped(one.Name)))
		case e != nil && e.problem != nil:
			problem, code = e.problem, wire.InternalError
		case e == nil || !e.Foreign():
			questions = append(questions, one.Name)
		}
	}
	if problem != nil {
		m.refused(Client, *problem)
		m.refuseID(msg.id, code, *problem)
		return nil
	}
	// A task has no state, and no answers in the places of the drafts.
	body := withoutDraftResponses(wire.Apply(nil, msg.raw, params.Exchange(nil, nil, "requestState")))
	if len(body) < len(msg.raw) {
		m.note(Client, elicit.Problem{Code: "responses_removed"})
	}
	if len(questions) == 0 {
		return body
	}
	t.reading = true
	for _, key := range questions {
		m.takeEntry(given[key], key, clone(list.Get(key)))
	}
	t.reading = false
	m.sendAnswers(t)
	m.tellClient(t)
	if len(questions) < len(list.Members) {
		root, _ = wire.ReadObject(body)
		params, _ = root.Child("params")
		rest, _ := params.Child("inputResponses")
		return wire.Apply(nil, body, rest.Exchange(nil, nil, questions...))
	}
	own := clone(msg.given)
	m.decided(Client, wire.AppendResult(nil, own, []byte(`{"resultType":"complete"}`)), func() {
		m.failID(own, elicit.Problem{Code: "journal_failed"})
	})
	return nil
}

// takeEntry gives the engine the client's answer to a question of a task.
func (m *Machine) takeEntry(e *taskEntry, key string, raw []byte) {
	if e == nil || !e.withClient() || key != e.key {
		m.note(Client, elicit.Problem{Code: "answer_again", Args: []elicit.Arg{elicit.Str("key", clipped(key))}})
		return
	}
	s := *e.show
	m.stop(e.late)
	e.show, e.late = nil, nil
	a, problems := rounds.DecodeAnswer(raw, e.Request.Mode)
	if problems != nil {
		m.unseen(s, problems...)
		return
	}
	m.answer(s, a.Action, a.Content, event.ViaClient)
}
