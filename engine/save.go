package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/schema"
)

// maxState bounds what Resumed reads; a journal record must be able to hold it.
const maxState = 4 << 20

// stateVersion is the number of the format Save writes.
const stateVersion = 1

// Save writes a session's whole state: what any engine with the same configuration needs, in a Resumed event, to go on
// as if nothing had happened. It holds the peer's questions but never an answer. It reports false for a session that is
// not open.
func (e *Engine) Save(session string) ([]byte, bool) {
	opened, ok := e.sessions[session]
	if !ok {
		return nil, false
	}
	o := jsontext.Begin(nil)
	o.Int("state", stateVersion)
	o.Name("opened", opened.AppendJSON)
	items := e.table.Open(func(it *pending.Item) bool { return it.Session == session })
	saved := make([]savedItem, len(items))
	for i, it := range items {
		saved[i] = savedItem{it, e.held[it.ID]}
	}
	list(&o, "open", saved)
	list(&o, "ended", savedEnds(e.table.EndedOf(session)))
	level, at := e.table.Allowance(opened.Server)
	o.Int("allowance", level)
	o.Int("allowance_at", at)
	return o.End(), true
}

type savedItem struct {
	pending.Item
	held *held
}

// AppendJSON appends {"id","state","deadline"?,"finished"?,"findings"?,"reasons"?,"asked":{…}}.
func (s savedItem) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("id", string(s.ID))
	o.Str("state", s.State.String())
	o.OptInt("deadline", s.Deadline)
	o.OptTrue("finished", s.Finished)
	optList(&o, "reasons", s.held.reasons)
	o.Name("asked", Asked{Request: s.held.request}.AppendJSON)
	return o.End()
}

type savedEnd pending.Ended

func savedEnds(ends []pending.Ended) []savedEnd {
	out := make([]savedEnd, len(ends))
	for i, e := range ends {
		out[i] = savedEnd(e)
	}
	return out
}

// AppendJSON appends {"id","outcome","cause"}.
func (s savedEnd) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("id", string(s.ID))
	o.Str("outcome", string(s.Outcome))
	o.Str("cause", string(s.Cause))
	return o.End()
}

// resumed rebuilds a saved session. State may come from anywhere, so every part is checked as if it were new, and a
// state with anything wrong in it changes nothing.
func (s *step) resumed(ev Resumed) {
	fail := func(p ...elicit.Problem) { s.problem("", "", p...) }
	if f := jsontext.Check(ev.State, jsontext.Limits{Bytes: maxState, Depth: documentLimits.Depth}); f != nil {
		fail(elicit.FromFault(f))
		return
	}
	root := gjson.ParseBytes(ev.State)
	if root.Get("state").Raw != "1" {
		fail(elicit.Problem{Code: "state_version", Pointer: "/state"})
		return
	}
	event, problems := ReadEvent([]byte(root.Get("opened").Raw))
	opened, ok := event.(Opened)
	if !ok {
		fail(append(problems, elicit.Problem{Code: "state_unreadable", Pointer: "/opened"})...)
		return
	}
	items, ok := s.readItems(root.Get("open"), opened)
	if !ok {
		fail(elicit.Problem{Code: "state_unreadable", Pointer: "/open"})
		return
	}
	s.opened(opened)
	if len(s.effects) > 0 {
		return // opened has said why
	}
	for _, item := range items {
		s.held[item.ID] = item.held
		s.table.Restore(item.Item)
	}
	root.Get("ended").ForEach(func(_, v gjson.Result) bool {
		s.table.Remember(pending.Ended{ID: elicit.ID(v.Get("id").String()), Session: opened.Session,
			Outcome: elicit.Outcome(v.Get("outcome").String()), Cause: elicit.Cause(v.Get("cause").String())})
		return true
	})
	s.table.SetAllowance(opened.Server, root.Get("allowance").Int(), root.Get("allowance_at").Int())
	for _, item := range items {
		if item.State == pending.Shown {
			s.show(item.Item)
		}
	}
}

func (s *step) readItems(list gjson.Result, opened Opened) (items []savedItem, ok bool) {
	ok = true
	seen := map[elicit.ID]bool{}
	list.ForEach(func(_, v gjson.Result) bool {
		item, fits := s.readItem(v, opened)
		if fits = fits && !seen[item.ID] && len(items) < s.config.limits.queue; !fits {
			ok = false
			return false
		}
		seen[item.ID] = true
		items = append(items, item)
		return true
	})
	return items, ok
}

func (s *step) readItem(v gjson.Result, opened Opened) (item savedItem, ok bool) {
	event, _ := ReadEvent([]byte(v.Get("asked").Raw))
	asked, ok := event.(Asked)
	state, known := pending.ParseState(v.Get("state").String())
	id := elicit.ID(v.Get("id").String())
	_, open := s.table.Find(id)
	if !ok || !known || open || len(id) != 32 || asked.Session != opened.Session || !asked.Mode.Valid() {
		return item, false
	}
	h := &held{request: asked.Request}
	h.request.ID, h.request.Server, h.request.Side = id, opened.Server, opened.Side
	if h.request.Mode == elicit.Form {
		if h.form, _ = schema.Compile(h.request.Schema, s.config.schemaOptions()); h.form == nil {
			return item, false
		}
	}
	h.kind = kindOf(h.request, h.form)
	h.findings = inspect(h)
	v.Get("reasons").ForEach(func(_, r gjson.Result) bool {
		h.reasons = append(h.reasons, readReason(r))
		return true
	})
	r := h.request
	return savedItem{pending.Item{ID: id, Session: r.Session, Server: r.Server, Ref: r.Ref, Parent: r.Parent, Link: r.Link,
		State: state, Deadline: v.Get("deadline").Int(), Finished: v.Get("finished").Bool()}, h}, true
}

func readReason(v gjson.Result) elicit.Reason {
	out := elicit.Reason{Code: v.Get("code").String(), Layer: v.Get("layer").String(), Rule: v.Get("rule").String()}
	out.Args = readArgs(v)
	return out
}

func readArgs(v gjson.Result) (args []elicit.Arg) {
	v.Get("args").ForEach(func(k, a gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return args
}
