package engine

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

// resumed rebuilds a saved session. State may come from anywhere, so every part is checked as if it were new, policy
// decides again, and a state with anything wrong in it changes nothing.
func (s *step) resumed(ev Resumed) {
	saved, problems := s.readState(ev.State)
	if len(problems) > 0 {
		s.problem(AboutSession, "", "", problems...)
		return
	}
	opened, items := saved.opened, saved.items
	session := s.opened(opened)
	if session == nil {
		return
	}
	root := gjson.ParseBytes(ev.State)
	root.Get("ended").ForEach(func(_, v gjson.Result) bool {
		s.table.Remember(pending.Ended{ID: elicit.ID(v.Get("id").String()), Session: opened.Session,
			Outcome: elicit.Outcome(v.Get("outcome").String()), Cause: elicit.Cause(v.Get("cause").String())})
		return true
	})
	s.table.SetAllowance(opened.Server, root.Get("allowance").Int(), root.Get("allowance_at").Int(), s.at)
	if level := root.Get("session_allowance"); level.Exists() {
		s.table.SetSessionAllowance(opened.Session, level.Int(), root.Get("session_allowance_at").Int(), s.at)
	}
	session.grants = saved.grants
	if s.config.stack.Suggestions() > policy.SuggestionsNone {
		session.typed = saved.typed
	}
	s.recall(opened, root)
	session.reviews, session.muted = readReviews(root.Get("reviews").String()), root.Get("muted").Bool()
	for _, item := range items {
		item.held.session = session
		s.held[item.ID] = item.held
		s.table.Restore(item.Item)
	}
	s.expire() // what fell due while nobody held the session is over before anybody sees it
	for _, item := range items {
		s.takeUp(item.ID)
	}
}

// recall restores what a session's principal knew where it was saved.
func (s *step) recall(opened Opened, root gjson.Result) {
	s.visited.restore(opened.Principal, root.Get("visited"))
	s.familiar.restore(opened.Principal, root.Get("servers"))
	s.familiar.meet(opened.Principal, opened.Server)
}

// takeUp lets policy, which may have changed since, decide again on a restored request, and shows it again if it was
// shown. An accept it would give now is not taken, and grants are not asked: the person has the question already.
func (s *step) takeUp(id elicit.ID) {
	it, open := s.table.Find(id)
	if !open || it.State == pending.Awaiting {
		return
	}
	h := s.held[id]
	if s.reviewAgain(it, h) {
		return
	}
	if r, settled := s.settlement(h, s.weigh(h, false)); settled && r.Outcome != elicit.Accepted {
		s.withdraw(h, r.Outcome, r.Cause)
		return
	}
	if it.State == pending.Shown {
		s.show(h, it.Deadline)
	}
}

// reviewAgain puts a restored request before guardians that may be others than those who passed it. What nobody has
// seen yet is decided as if it had just come, grants included.
func (s *step) reviewAgain(it pending.Item, h *held) bool {
	unseen := it.State == pending.Reviewing
	d := s.weigh(h, unseen)
	grants := s.due(guardian.BeforeShow, d.Outcome == policy.Review)
	if len(grants) == 0 && !unseen {
		return false
	}
	r, settled := s.settlement(h, d)
	s.table.Recall(it.ID)
	switch {
	case settled && r.Outcome != elicit.Accepted:
		s.finish(h, r)
	case len(grants) > 0:
		s.consult(h, &consulting{phase: guardian.BeforeShow, stands: d, deadline: it.Deadline}, grants)
	case settled:
		r.Findings = h.facts.defaults
		s.send(h, sending{reply: r})
	default:
		s.table.Release(it.ID, s.at)
	}
	return true
}

// savedSession is what Save wrote, read and checked.
type savedSession struct {
	opened Opened
	items  []savedItem
	grants []Grant
	typed  []typed
}

// readState reads and checks what Save wrote, changing nothing.
func (s *step) readState(state []byte) (saved savedSession, problems []elicit.Problem) {
	if f := jsontext.Check(state, documentLimits); f != nil {
		return saved, []elicit.Problem{elicit.FromFault(f)}
	}
	unreadable := func(pointer string) []elicit.Problem {
		return []elicit.Problem{{Code: "state_unreadable", Pointer: pointer}}
	}
	root := gjson.ParseBytes(state)
	if root.Get("state").Raw != "1" {
		return saved, []elicit.Problem{{Code: "state_version", Pointer: "/state"}}
	}
	event, problems := ReadEvent([]byte(root.Get("opened").Raw))
	opened, ok := event.(Opened)
	if !ok || unfit(opened) != "" {
		return saved, append(problems, unreadable("/opened")...)
	}
	saved.opened = opened
	if saved.items, ok = s.readItems(root.Get("open"), opened); !ok {
		return saved, unreadable("/open")
	}
	r := reader{root: root}
	if saved.grants = r.grants("grants", ForTheSession, maxSessionGrants, opened); len(r.problems) > 0 {
		return saved, unreadable("/grants")
	}
	if saved.typed = r.typed("typed"); len(r.problems) > 0 {
		return saved, unreadable("/typed")
	}
	return saved, nil
}

// mostQueued is the highest limit a queue may have; the present one may have been lowered since.
const mostQueued = 1024

// readItems reads the open requests.
func (s *step) readItems(list gjson.Result, opened Opened) (items []savedItem, ok bool) {
	ok = list.IsArray()
	ids, refs := map[elicit.ID]bool{}, map[string]bool{}
	list.ForEach(func(_, v gjson.Result) bool {
		item, fits := s.readItem(v, opened)
		if fits && item.State != pending.Awaiting {
			ref := item.held.request.Ref
			fits = !refs[ref] && len(refs) < mostQueued
			refs[ref] = true
			for _, j := range item.held.joined {
				fits = fits && !refs[j.ref] && !ids[j.id] && len(refs) < mostQueued
				refs[j.ref], ids[j.id] = true, true
			}
		}
		if ok = ok && fits && !ids[item.ID]; ok {
			ids[item.ID] = true
			items = append(items, item)
		}
		return ok
	})
	return items, ok
}

func (s *step) readItem(v gjson.Result, opened Opened) (item savedItem, ok bool) {
	event, _ := ReadEvent([]byte(v.Get("asked").Raw))
	asked, ok := event.(Asked)
	state, known := pending.ParseState(v.Get("state").String())
	id := elicit.ID(v.Get("id").String())
	_, open := s.table.Find(id)
	deadline := v.Get("deadline").Int()
	if !ok || !known || open || !pending.WellFormed(id) || deadline < 0 || deadline > 2*lastMoment || !s.fitsAgain(asked, opened, state) {
		return item, false
	}
	h := &held{request: asked.Request, charged: true}
	h.request.ID, h.request.Server, h.request.Side = id, opened.Server, opened.Side
	if h.request.Mode == elicit.Form {
		if h.form, _ = s.forms.Compile(h.request.Schema, s.config.schemaOptions()); h.form == nil {
			return item, false
		}
	}
	h.kind, h.facts = kindOf(h.request, h.form), s.known(h.form, h.request.Schema)
	if h.joined, ok = readJoined(v.Get("joined")); !ok || len(h.joined) > 0 && h.form == nil {
		return item, false
	}
	v.Get("receipts").ForEach(func(_, one gjson.Result) bool {
		if r := Receipt(one.String()); r.known() && !slices.Contains(h.receipts, r) {
			h.receipts = append(h.receipts, r)
		}
		return true
	})
	h.rounds = int(min(max(v.Get("rounds").Int(), 0), lastMoment))
	v.Get("told").ForEach(func(_, one gjson.Result) bool {
		if h.form != nil && len(h.told) < len(h.form.Fields) {
			h.told = append(h.told, one.String())
		}
		return true
	})
	if draft := v.Get("draft"); draft.IsObject() && h.form != nil {
		h.draft = without(jsontext.AppendValue(nil, []byte(draft.Raw)), s.private(h))
	}
	if state == pending.Awaiting && v.Get("by").String() == string(elicit.ByPolicy) {
		h.by = elicit.ByPolicy
	}
	r := h.request
	return savedItem{pending.Item{ID: id, Session: r.Session, Server: r.Server, State: state, Deadline: deadline,
		Finished: v.Get("finished").Bool()}, h}, true
}

// fitsAgain reports whether a saved question would be admitted now.
func (s *step) fitsAgain(asked Asked, opened Opened, state pending.State) bool {
	limits := s.config.limits
	if asked.Session != opened.Session || unfit(asked) != "" || !opened.Declared.Has(asked.Mode) ||
		len(asked.Message) > limits.message || len(asked.Schema) > limits.schema || len(asked.URL) > limits.url {
		return false
	}
	if asked.Mode == elicit.URL {
		return asked.URL != "" && (state != pending.Awaiting || asked.Link != "")
	}
	return state != pending.Awaiting
}

func readArgs(v gjson.Result) (args []elicit.Arg) {
	v.Get("args").ForEach(func(k, a gjson.Result) bool {
		args = append(args, elicit.Raw(k.String(), a.Raw))
		return true
	})
	return args
}
