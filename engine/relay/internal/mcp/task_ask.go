package mcp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// take takes what the server says of a task. It asks what is new, and withdraws what the task no longer waits for.
// A question that the server lists again is one question. k is the call whose result says so, or nil. size is that of
// the server's text.
//
// It returns the task, or nil if the text tells of none that asks, and the problems with its entries. The caller then
// refuses the whole text: a client must not read entries of which one was refused.
func (l *tasks) take(told mcp.Task, k *call, session string, size int) (*task, []elicit.Problem) {
	// The result of a tools/call with a task id says which tool the task came from. Later questions belong to that tool.
	becomes := k != nil && k.method == methodToolsCall && told.ID != "" && !told.Over()
	t := l.find(told.ID)
	switch {
	case t != nil && becomes && t.tool != k.tool:
		t.tool, t.seen = "", false // two calls are one task, and its questions may belong to either
	case t == nil && (becomes || len(told.Entries) > 0):
		if len(l.list) >= maxTasks {
			l.withdrawAll(l.list[0], nil)
			l.forget(l.list[0])
		}
		t = l.made(told.ID, k)
	}
	if t == nil || !told.Lists {
		return t, nil
	}
	// Entries that the server no longer lists were answered or withdrawn there. Asking on would be for nobody.
	listed := map[string]bool{}
	for i := range told.Entries {
		listed[told.Entries[i].Key] = !t.over
	}
	l.withdrawAll(t, listed)
	if told.Over() {
		l.forget(t)
	}
	var problems []elicit.Problem
	t.reading = true
	for i := range told.Entries {
		if problem := l.listEntry(t, &told.Entries[i], session, size); problem != nil {
			problems = append(problems, *problem)
		}
	}
	t.reading, t.news = false, false
	l.flush(t)
	return t, problems
}

// listEntry takes one entry that the server lists.
//
//	first time                       a question for the engine, or a foreign entry for the client
//	again, unchanged                 nothing: it is the same question
//	again, with another text         an error for the life of the task
//	after a failure that may pass    forgotten, so the next listing asks again
func (l *tasks) listEntry(t *task, listed *mcp.Entry, session string, size int) *elicit.Problem {
	e := t.named(listed.Key)
	switch {
	case t.over:
		return nil
	// Example: "Delete /tmp?" becomes "Delete /home?" under the same key while a person reads the first.
	case e != nil && e.digest != entryDigest(listed): // an answer to the one would pass for an answer to the other
		l.withdraw(e)
		e.fail(gate.Problem("task_input_altered", elicit.Str("key", gate.Clipped(e.Key))), false)
	case e != nil:
	case l.link.IDs.Own(gate.Quote(listed.Key)): // the client gets such keys from the machine alone
		return gate.Faulty("ref_in_use", "", elicit.Str("ref", gate.Clipped(listed.Key)))
	default:
		if e = l.add(t, listed, size); e == nil {
			return gate.Faulty("too_many_calls", "", elicit.Num("limit", maxTaskEntries))
		}
		if !e.Foreign() {
			l.ask(t, e, session)
		}
	}
	if e.listed = true; e.problem == nil {
		return nil
	}
	if e.again {
		l.drop(t, e)
	}
	return e.problem
}

// ask asks the engine a question of a task. The client gets what it is to be shown in place of the server's entry.
//
// The parent has the quoted id, so no id can look like another parent. CandidatesCut says that more tools are possible.
func (l *tasks) ask(t *task, e *taskEntry, session string) {
	req := e.Request
	req.Session, req.Parent, req.Tool = session, "task "+string(gate.Quote(t.id)), t.tool
	req.Ref = req.Parent + "/" + e.Key
	req.CandidatesCut = !t.seen // it may belong to a call of any tool
	q := &link.Question{Request: req}
	if l.link.Who.MaybeClient() {
		q.Show = func(s *effect.Show) { l.giveEntry(t, e, s) }
	}
	q.Settle = func(r effect.Reply) {
		l.link.Clock.Stop(e.closed())
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
		l.flush(t)
	}
	e.question = q
	l.link.ask(q)
}

// giveEntry gives the client a question, in the words that were inspected. Clients ignore a key that they have
// answered, so a question that is asked once more has another key.
//
// The client hears of it at its next tasks/get, or by the notification that flush repeats.
func (l *tasks) giveEntry(t *task, e *taskEntry, s *effect.Show) {
	switch {
	case e.show != nil && e.show.Message == s.Message: // a new engine shows again what the client has
	case !gate.Has(t.given, e.Key):
		t.give(e, e.Key)
	default:
		key, _ := wire.Text(l.link.IDs.Next())
		t.give(e, key)
	}
	e.show, e.Request.Message = s, s.Message
	if s.Form != nil {
		e.Request.Schema = s.Form.AppendSchema(nil, rounds.Modes)
	}
	if l.link.Clock.Stop(e.late); l.link.config.AnswerWithin >= 0 {
		e.late = l.link.Clock.After(l.link.config.AnswerWithin, func() {
			l.link.Note(link.Client, link.NoAnswer(l.link.config.AnswerWithin))
			l.link.answer(s, elicit.Decline, nil, event.ViaNoAnswer)
		})
	}
	t.news = true
	l.flush(t)
}

// forClient writes the server's text anew, with the entries that the client has to answer.
//
// text is a whole message of the server. at is where the task is in it: "result" or "params". Everything that the
// machine does not know stays, except the state and the server's entries.
func (t *task) forClient(text []byte, at string) []byte {
	list, listed := jsontext.Begin(nil), false
	for _, e := range t.entries {
		if e.listed && e.withClient() && !t.over {
			list.Raw(e.key, entryText(&e.Entry))
			listed = true
		}
	}
	status, members := "working", []byte(nil)
	if listed {
		status, members = "input_required", append([]byte(`"inputRequests":`), list.End()...)
	}
	text, _ = wire.Set(nil, text, gate.Quote(status), true, at, "status")
	o, _ := wire.ReadObject(text)
	o, _ = o.Child(at)
	return wire.Apply(nil, text, o.Exchange(nil, members, "inputRequests", "requestState"))
}

// flush sends the server every answer that it has not got, and a client that listens what it has to answer now.
//
// Answers go out together in one tasks/update. Their texts are then forgotten. Only the digests stay, to recognise the
// same entry in a later listing.
func (l *tasks) flush(t *task) {
	if t.reading {
		return
	}
	var responses []mcp.Response
	var entries []*taskEntry
	for _, e := range t.entries {
		if e.answer != nil {
			responses = append(responses, mcp.Response{Key: e.Key, Value: e.answer})
			entries = append(entries, e)
			l.spare(e)
		}
	}
	if responses != nil {
		id := l.link.IDs.Next()
		if l.updates == nil {
			l.updates = map[gate.Key][]*taskEntry{}
		}
		l.updates[gate.KeyOf(id)] = entries
		params := mcp.AppendUpdate(nil, t.id, responses, l.meta)
		l.link.Send(link.Server, wire.AppendRequest(nil, id, mcp.MethodTaskUpdate, params), func() {
			delete(l.updates, gate.KeyOf(id))
			for _, e := range entries {
				e.fail(elicit.Problem{Code: "journal_failed"}, false)
			}
		})
	}
	if t.news && t.notice != nil {
		l.link.Send(link.Client, t.forClient(t.notice, "params"), func() {})
	}
	t.news = false
}

// withdrawAll withdraws and forgets the open questions of a task, but not those that the server lists.
func (l *tasks) withdrawAll(t *task, listed map[string]bool) {
	for _, e := range slices.Clone(t.entries) {
		if listed[e.Key] {
			continue
		}
		if e.listed = false; e.question != nil {
			l.withdraw(e)
			l.drop(t, e)
		}
	}
}

func (l *tasks) withdraw(e *taskEntry) {
	q := e.question
	if q == nil {
		return
	}
	l.link.Clock.Stop(e.closed())
	l.link.Withdraw(func(one *link.Question) link.How {
		if one == q {
			return link.Cancel
		}
		return link.Keep
	})
}

// updated takes the client's answers for a task. Those to questions go through the engine. It returns the request
// with the other answers, or nil if nothing is left for the server.
//
// The client's request may answer questions and foreign entries at once. The server gets the rest of it, or nothing. It
// never gets the client's answer to a question, because the engine's reply goes there by flush.
func (l *tasks) updated(msg *gate.Message) []byte {
	root, _ := wire.ReadObject(msg.Raw)
	params, _ := root.Child("params")
	list, ok := params.Child("inputResponses")
	id, named := wire.Text(params.Get("taskId"))
	t := l.find(id)
	questions, problem, code := t.readUpdate(list)
	switch {
	case params.Get("inputResponses") == nil:
		return l.link.withoutResponses(msg.Raw)
	case !ok:
		problem = gate.Faulty("wrong_type", "/params/inputResponses", elicit.Str("expected", "object"))
		code = wire.InvalidParams
	case !named:
		problem, code = gate.Faulty("wrong_type", "/params/taskId", elicit.Str("expected", "string")), wire.InvalidParams
	}
	if problem != nil {
		l.link.refuse(msg.ID, code, *problem)
		return nil
	}
	// A task has no state, and no answers in the places of the drafts.
	body := withoutDraftResponses(wire.Apply(nil, msg.Raw, params.Exchange(nil, nil, "requestState")))
	if len(body) < len(msg.Raw) {
		l.link.Note(link.Client, elicit.Problem{Code: "responses_removed"})
	}
	if len(questions) == 0 {
		return body
	}
	t.reading = true
	for _, key := range questions {
		e := t.given[key]
		if e == nil || !e.withClient() || key != e.key {
			l.link.Note(link.Client, gate.Problem("answer_again", elicit.Str("key", gate.Clipped(key))))
			continue
		}
		s := e.show
		l.link.Clock.Stop(e.late)
		e.show, e.late = nil, nil
		if a, problems := rounds.DecodeAnswer(gate.Clone(list.Get(key)), e.Request.Mode); problems != nil {
			l.link.Note(link.Client, problems...)
			l.link.answer(s, elicit.Cancel, nil, event.ViaNoUI)
		} else {
			l.link.answer(s, a.Action, a.Content, event.ViaClient)
		}
	}
	t.reading = false
	l.flush(t)
	if len(questions) < len(list.Members) {
		root, _ = wire.ReadObject(body)
		params, _ = root.Child("params")
		rest, _ := params.Child("inputResponses")
		return wire.Apply(nil, body, rest.Exchange(nil, nil, questions...))
	}
	// Every answer was for the engine. The client still waits for the empty result of its tasks/update.
	own := gate.Clone(msg.Given)
	l.link.answerCall(own, wire.AppendResult(nil, own, []byte(`{"resultType":"complete"}`)))
	return nil
}
