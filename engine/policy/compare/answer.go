package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// How what a criterion says is assumed. A subject with one text has all answers that some text gives. Of a subject with
// many readings, such as a command, more is assumed than can be: then a proof holds all the same, and a request that
// cannot be made leaves the comparison undecided.

// sort is how the answers of a criterion hang together.
type sort uint8

const (
	known sort = iota // the kind of request tells
	text              // one text, with or without pattern
	any               // any of several texts
	free              // only equal and wider criteria are tied
)

func (e *explorer) sortOf(c *policy.Criterion, l policy.Level) sort {
	k := &e.class
	only := func(is bool, s sort) sort {
		if is {
			return s
		}
		return known
	}
	switch c.On {
	case "server":
		return only(l == policy.Holds && k.server == other, text)
	case "tool":
		return only(l == policy.Holds && k.tool == other, text)
	case "scheme":
		return only(l == policy.Holds && k.url, text)
	case "field":
		return only(l == policy.Holds && k.fields, any)
	case "message":
		if l == policy.Holds {
			return text
		}
		return only(l == policy.Resembles, free)
	case "host":
		if k.url && l == policy.Holds {
			return text
		}
		return only((k.url || k.hosts) && l != policy.MayHold, free)
	case "path":
		return only(k.paths && l != policy.MayHold, free)
	case "command":
		return only(k.command || k.deed == "command" && l == policy.Resembles, free)
	case "cwd":
		if k.cwd == "/" && l == policy.Holds {
			return text
		}
		return only(k.cwd != "" && l == policy.Resembles, free)
	case "label", "fetched_from":
		return free
	case "runs", "reads", "writes", "deletes", "sends", "fetches", "executes", "changes", "publishes", "unknown":
		return only(k.deed != "", free)
	}
	return known
}

func (e *explorer) assumed(c *policy.Criterion, l policy.Level) bool { return e.sortOf(c, l) != known }

func nameOf(c *policy.Criterion, l policy.Level) string { return string('0'+byte(l)) + c.Key }

// answer gives the answer of the way that is followed now.
func (e *explorer) answer(id int, l policy.Level) (holds, assumed bool) {
	c := &e.as.Criteria[id]
	sort := e.sortOf(c, l)
	if sort == known {
		return e.ofKind(id, l), true
	}
	name := nameOf(c, l)
	if holds, said := e.answers[name]; said {
		return holds, true
	}
	yes, no, preferred := true, true, false
	switch sort {
	case text, any:
		yes, no = e.textMay(c, sort, true), e.textMay(c, sort, false)
	case free:
		yes, no, preferred = e.mayBe(c, l)
	}
	holds = e.choose(yes, no)
	e.answers[name] = holds
	switch {
	case preferred: // nothing follows from it
	case sort == free:
		e.truths = append(e.truths, truth{c, l, holds})
		e.follow(c, l, holds)
		if holds && l != policy.Holds && !c.Unless && !e.second {
			e.loose = c.Rule
		}
	default:
		e.textOf(c.On).add(c, holds)
	}
	return holds, true
}

// choose takes the next turn: yes first, if both can be.
func (e *explorer) choose(yes, no bool) bool {
	if !yes || !no {
		return yes
	}
	if e.next == len(e.path) {
		e.path = append(e.path, choice{value: true, both: true})
	}
	e.next++
	return e.path[e.next-1].value
}

// ofKind asks the kinds of requests that are left, and keeps those with the answer.
func (e *explorer) ofKind(id int, l policy.Level) bool {
	if uniform, is := e.uniform[[2]int{id, int(l)}]; is {
		return uniform
	}
	var with, without []int
	for _, i := range e.left {
		if e.as.Evaluate(&e.facts[i], id, l) {
			with = append(with, i)
		} else {
			without = append(without, i)
		}
	}
	if len(e.left) == len(e.facts) && (with == nil || without == nil) {
		e.uniform[[2]int{id, int(l)}] = without == nil
	}
	holds := e.choose(len(with) > 0, len(without) > 0)
	if e.left = without; holds {
		e.left = with
	}
	return holds
}

// mayBe says which answers the earlier ones allow. A loose match only tightens. So one rule of the first stack is
// enough to show what it declines, and the second stack has only the loose matches that follow.
func (e *explorer) mayBe(c *policy.Criterion, l policy.Level) (yes, no, preferred bool) {
	at := e.number(nameOf(c, l))
	yes, no = !e.forced[at][0], !e.forced[at][1]
	if l == policy.Holds {
		if yes && c.On == "command" && !e.commandMay(c) {
			yes = false
		}
		return yes || !no, no, false
	}
	loosens := c.Unless && c.Then != policy.Accept // an exception that may hold lets later rules speak
	switch {
	case loosens || !no || !yes:
	case !c.Unless && !e.second && e.shared[c.Rule] && !e.looseShared:
		return false, true, true
	case e.second || !c.Unless && e.loose >= 0 && e.loose != c.Rule:
		return false, true, true
	}
	return yes || !no, no, false
}

// follow notes what follows from an answer.
func (e *explorer) follow(c *policy.Criterion, l policy.Level, holds bool) {
	name := nameOf(c, l)
	ties, known := e.ties[name]
	if !known {
		seen := map[string]bool{}
		for i := range e.as.Criteria {
			for _, m := range []policy.Level{policy.Holds, policy.Resembles, policy.MayHold} {
				d := &e.as.Criteria[i]
				other := nameOf(d, m)
				if d.On != c.On || seen[other] {
					continue
				}
				seen[other] = true
				if e.implies(c, l, d, m) {
					ties[1] = append(ties[1], e.number(other))
				}
				if e.implies(d, m, c, l) {
					ties[0] = append(ties[0], e.number(other))
				}
			}
		}
		e.ties[name] = ties
	}
	if holds {
		for _, at := range ties[1] {
			e.forced[at] = [2]bool{e.forced[at][0], true}
		}
		return
	}
	for _, at := range ties[0] {
		e.forced[at] = [2]bool{true, e.forced[at][1]}
	}
}

// commandMay reports whether one command may match the criterion and all that hold so far.
func (e *explorer) commandMay(c *policy.Criterion) bool {
	want := [][]pattern{c.Globs}
	for _, t := range e.truths {
		if t.c.On == "command" && t.level == policy.Holds && t.holds {
			want = append(want, t.c.Globs)
		}
	}
	for _, group := range want {
		for _, p := range group {
			if !plain(p) {
				return true
			}
		}
	}
	_, is := e.solve(want, nil)
	return is != nothing
}

// plain reports whether a pattern has a wildcard, or is one command that a shell reads as it stands.
func plain(p pattern) bool {
	for _, s := range p {
		if s.Star {
			return true
		}
	}
	for _, r := range " ;|&\n$<>(){}`\\\"'*?[]#~!=" {
		if r != ' ' && slices.ContainsFunc(p, func(s policy.Step) bool { return s.Match(r) }) {
			return false
		}
	}
	return true
}

// implies reports whether one answer follows from another about the same subject.
func (e *explorer) implies(c *policy.Criterion, l policy.Level, d *policy.Criterion, m policy.Level) bool {
	same := c.Same == d.Same && !c.Flag
	switch {
	case c.Key == d.Key && l == m:
		return true
	case same && l == m && subset(c.Patterns, d.Patterns):
		return true
	case l == policy.MayHold || m == policy.MayHold || c.Flag:
		return false
	case m == policy.Resembles && (c.On == "command" || c.On == "message" && l == policy.Resembles || c.On == "path" &&
		l == policy.Holds || c.On == "host"):
		return e.covers(lookOf(d, m), lookOf(c, l))
	case l == policy.Holds && m == policy.Holds && (c.On == "label" || c.On == "fetched_from"):
		return e.covers(d.Globs, c.Globs)
	case l == policy.Holds && m == policy.Holds && c.On == "command":
		return e.coversCommands(d, c)
	}
	return false
}

func lookOf(c *policy.Criterion, l policy.Level) []pattern {
	if c.On == "message" && l == policy.Resembles {
		return c.Looks
	}
	return c.Globs
}

// covers reports whether each of the patterns is within one of the wider ones.
func (e *explorer) covers(wide, narrow []pattern) bool {
	for _, p := range narrow {
		if !slices.ContainsFunc(wide, func(w pattern) bool { return e.within(p, w) }) {
			return false
		}
	}
	return true
}

func (e *explorer) within(p, w pattern) bool {
	if text, ok := fixed(p); ok {
		return matches(w, text)
	}
	text, is := e.solve([][]pattern{{p}}, nil)
	if is == some && !matches(w, text) {
		return false
	}
	_, is = e.solve([][]pattern{{p}}, []pattern{w})
	return is == nothing
}

// fixed is the one text of a pattern without wildcards and sets.
func fixed(p pattern) (string, bool) {
	text := make([]rune, 0, len(p))
	for _, s := range p {
		if s.Star || len(s.Runes()) != 1 || s.Runes()[0] == 0 {
			return "", false
		}
		text = append(text, s.Runes()[0])
	}
	return string(text), true
}

func (e *explorer) coversCommands(d, c *policy.Criterion) bool {
	for i, p := range c.Globs {
		if !slices.ContainsFunc(d.Globs, func(w pattern) bool {
			return len(w) == 1 && w[0].Star || e.within(p, w) && (!c.Exact[i] || plain(p))
		}) {
			return false
		}
	}
	return true
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
