package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// Two stacks that differ in a few rules decide alike about a request that none of these rules matches. So only requests
// that may match one of them are followed.

// differing lists the rules that are not at the same place of both stacks. all says that the stacks differ in more.
func (e *explorer) differing() (list []policy.Rule, all bool) {
	e.shared = map[int]bool{}
	if !policy.AlikeButRules(e.a, e.b) {
		return nil, true
	}
	from := 0
	for _, l := range policy.Layers() {
		a, b := ofLayer(e.as.Rules[0], l), ofLayer(e.as.Rules[1], l)
		for i := range a {
			e.shared[from+i] = true
		}
		end := from + len(a)
		for len(a) > 0 && len(b) > 0 && a[0].Key == b[0].Key {
			a, b, from = a[1:], b[1:], from+1
		}
		for len(a) > 0 && len(b) > 0 && a[len(a)-1].Key == b[len(b)-1].Key {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		for i := range a {
			e.shared[from+i] = false
		}
		e.own = append(e.own, make([]bool, len(a))...)
		for range b {
			e.own = append(e.own, true)
		}
		list, from = append(list, append(slices.Clone(a), b...)...), end
	}
	return list, false
}

func ofLayer(rules []policy.Rule, l policy.Layer) []policy.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r policy.Rule) bool { return r.Layer != l })
}

// touched reports whether one of the rules may match on the way that is followed. It takes the first turns of the way.
func (e *explorer) touched() bool {
	if e.looseShared = e.all; e.all {
		return true
	}
	is := false
	for i := range e.differ {
		if e.mayMatch(&e.differ[i]) {
			is = true
			// A rule of both stacks that matches loosely does the same in both, unless a rule of the second one hides it.
			e.looseShared = e.looseShared || e.own[i] && e.differ[i].Then != policy.Decline
		}
	}
	return is
}

// mayMatch reports whether the rule may match, also loosely.
func (e *explorer) mayMatch(r *policy.Rule) bool {
	for _, id := range r.When {
		c := &e.as.Criteria[id]
		if e.as.Unknown && (c.On == "tool" || c.Flag) {
			continue
		}
		switch holds, _ := e.answer(id, policy.Holds); {
		case holds:
		case r.Then == policy.Accept, c.On == "server", c.On == "tool", c.On == "scheme", c.On == "field":
			return false
		case e.sortOf(c, policy.Resembles) == known && e.sortOf(c, policy.MayHold) == known:
			if like, _ := e.answer(id, policy.Resembles); like {
				continue
			}
			if may, _ := e.answer(id, policy.MayHold); !may {
				return false
			}
		}
	}
	return true
}
