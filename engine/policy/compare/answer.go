package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// How what a criterion says is assumed. A subject with one text has all answers that some text gives. Of a subject with
// many readings, such as a command, more is assumed than can be: then a proof holds all the same, and a request that
// cannot be made leaves the comparison undecided.

// sort is how the answers of a criterion hang together. The choice is a trade: known and text are exact, free is an
// approximation from above. An answer that is free may be assumed in ways that no request gives.
type sort uint8

const (
	known sort = iota // the kind of request tells
	text              // one text, with or without pattern
	any               // any of several texts
	free              // only equal and wider criteria are tied
)

// It repeats, for each subject, what policy.tally.holds, resembles and mayHold look at. A change there needs a change
// here; the tests with drawn policies find a difference.
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
	// The text and its reading by a person are two subjects: only the first one is searched for.
	case "message":
		if l == policy.Holds {
			return text
		}
		return only(l == policy.Resembles, free)
	case "host":
		if k.url && l == policy.Holds {
			return text
		}
		return only(k.url && l == policy.Resembles || k.hosts && k.listed(c, l, k.paths), free)
	case "path":
		return only(k.paths && k.listed(c, l, k.hosts), free)
	case "command":
		if k.command && slices.ContainsFunc(c.Globs, everything) {
			// {"command": "*"} holds for every request with a command.
			return known // every line matches it
		}
		return only(k.command || k.deed == "command" && l == policy.Resembles, free)
	case "cwd":
		if k.cwd == "/" && l == policy.Holds {
			return text
		}
		return only(k.cwd != "" && l == policy.Resembles, free)
	case "label":
		return only(l != policy.Resembles, free)
	case "fetched_from":
		return free
	// An unread part of a deed depends on its line alone.
	case "unknown":
		return only(k.command && l == policy.Holds, free)
	}
	if onImpact(c) {
		return only(e.impactFree(c, l), free)
	}
	return known
}

// listed reports whether a list of paths or hosts tells. No rule surely matches a command by what the peer says of it.
// also says that the deed has a list of the other kind.
func (k *class) listed(c *policy.Criterion, l policy.Level, also bool) bool {
	return l == policy.Resembles || l == policy.Holds && k.deed != elicit.DeedCommand && !(also && c.Alone)
}

// everything reports whether a pattern is a star alone.
func everything(p pattern) bool { return len(p) == 1 && p[0].Star }

// impactFree reports whether the answer depends on the command, its candidate, or the places and hosts of another deed.
func (e *explorer) impactFree(c *policy.Criterion, l policy.Level) bool {
	k := &e.class
	switch {
	// With a command, all of its impacts may be anything. Without a deed there are none.
	case k.deed == elicit.DeedNone || k.command:
		return k.command
	case l == policy.MayHold:
		return false
	case k.deed == elicit.DeedCommand:
		return !c.Every
	case c.Every:
		return true
	case c.On == "sends" || c.On == "fetches":
		return k.hosts
	}
	return k.paths && (c.On == "writes" || c.On == "reads" && k.deed != elicit.DeedPatch)
}

// nameOf names an answer. Equal answers have equal names. Two criteria with one name share a variable of the formula,
// in both stacks. That is what makes the rules comparable.
func nameOf(c *policy.Criterion, l policy.Level) string {
	switch {
	case l != policy.MayHold || c.On == "command":
	// So all criteria on impacts share one answer for MayHold.
	case onImpact(c) || c.On == "unknown": // what is not known may match any pattern
		return "unknown"
	default:
		return c.On
	}
	return string('0'+byte(l)) + c.Key
}

// anyPattern reports whether an answer is yes if it is so for any one of the patterns. Then ["a*", "b*"] is the
// disjunction of two answers, and each pattern shares its variable with other rules that have it.
func anyPattern(c *policy.Criterion, l policy.Level) bool {
	switch c.On {
	case "label", "fetched_from":
		return l != policy.MayHold
	case "command":
		return l == policy.Resembles
	}
	return l == policy.Resembles || l == policy.Holds && onImpact(c) && !c.Every
}

// onImpact reports a criterion on an impact. "unknown" is none of these: it looks at all impacts at once.
func onImpact(c *policy.Criterion) bool {
	switch c.On {
	case "runs", "reads", "writes", "deletes", "sends", "fetches", "executes", "changes", "publishes":
		return true
	}
	return false
}

// contradictions lists clauses that the answers break: what no request can be. It gets a full assignment and returns
// nil if a request may give it. Each clause is a fact about all requests (a lemma), so it stays for the rest of the
// class. Four kinds of reasons are looked at: the kinds of the class, implications between criteria, subjects with one
// text, and impacts.
func (e *explorer) contradictions() (clauses [][]literal) {
	e.texts, e.truths = map[string]*texts{}, nil
	var kinds []literal
	// left says which kinds of requests an answer has excluded.
	left := make([]bool, len(e.facts))
	var commands []atom
	for _, a := range e.atoms {
		holds, excludes := e.formula.holds(a.of), false
		switch a.sort {
		case known:
			for i, is := range a.kinds {
				if !left[i] && is != sign(holds) {
					left[i], excludes = true, true
				}
			}
			if excludes && holds {
				kinds = append(kinds, -a.of)
			} else if excludes {
				kinds = append(kinds, a.of)
			}
		case free:
			e.truths = append(e.truths, truth{a.c, a.level, holds})
			// Some answers that are free still say something of a text: a page has one host, and a pattern that
			// resembles no spelling of it does not match it either.
			if is := a.c.On; is == "host" && e.class.url && (!holds || e.onlyPlain(a.c)) ||
				is == "cwd" && e.class.cwd == "/" && !holds {
				e.textOf(is).add(a, holds) // for a host, the spelling that is asked of DNS
			}
			// All commands of a plain line must match, so one line must match all of these patterns at once.
			if holds && a.c.On == "command" && a.level == policy.Holds && !slices.ContainsFunc(a.c.Globs, notPlain) {
				commands = append(commands, a)
			}
		default:
			e.textOf(a.c.On).add(a, holds)
		}
		// a holds and o does not: if o follows from a, no request gives both.
		for _, o := range e.atoms {
			if holds && a.sort != known && o.sort != known && o.c.On == a.c.On && !e.formula.holds(o.of) && e.follows(a, o) {
				clauses = append(clauses, []literal{-a.of, o.of})
			}
		}
	}
	// No kind of request gives these answers. kinds has the answers that excluded at least one kind that was left.
	if !slices.Contains(left, false) {
		clauses = append(clauses, kinds)
	}
	for _, on := range []string{"server", "tool", "message", "host", "scheme", "field", "cwd"} {
		if t := e.texts[on]; t != nil {
			clauses = append(clauses, e.noText(t, on == "field")...)
		}
	}
	clauses = append(clauses, e.noTargets()...)
	if t := (&texts{}); len(commands) > 0 { // a pattern that is no plain command matches only as a whole line
		for _, a := range commands {
			t.add(a, true)
		}
		clauses = append(clauses, e.noText(t, false)...)
	}
	return clauses
}

func notPlain(p pattern) bool { return !plain(p) }

// follows is implies, asked once.
func (e *explorer) follows(a, b atom) bool {
	key := [2]int{e.number(nameOf(a.c, a.level)), e.number(nameOf(b.c, b.level))}
	is, known := e.ties[key]
	if !known {
		is = e.implies(a.c, a.level, b.c, b.level)
		e.ties[key] = is
	}
	return is
}

// plain reports whether a pattern has a wildcard, or is one command that a shell reads as it stands. policy accepts a
// command line by a pattern only if the line is plain, or if the pattern is the whole line.
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

// implies reports whether one answer follows from another about the same subject. Every case needs a proof from the
// code of policy: if c at level l says yes, d at level m does too. A tie that is missing costs precision, and one that
// is wrong makes a false proof. For example, {"path": "/a/*"} implies {"path": "/*"}, both at Holds.
func (e *explorer) implies(c *policy.Criterion, l policy.Level, d *policy.Criterion, m policy.Level) bool {
	same := c.Same == d.Same && !c.Flag
	listed := c.On == "path" || c.On == "host"
	switch {
	case c.Key == d.Key && l == m:
		return true
	// More patterns match more texts.
	case (same || listed && (c.Alone || !d.Alone)) && l == m && subset(c.Patterns, d.Patterns):
		return true
	case l == policy.MayHold || m == policy.MayHold || c.Flag:
		return false
	case m == policy.Resembles && (c.On == "command" || c.On == "message" && l == policy.Resembles || c.On == "path" &&
		l == policy.Holds || c.On == "host" || c.On == "cwd"):
		return e.covers(lookOf(d, m), lookOf(c, l))
	// Resembling is about trees and open paths as well, where one pattern within another proves little.
	case m == policy.Resembles && l == m && same && (c.On == "path" || onImpact(c)):
		return begin(d.Globs, c.Globs)
	case l == policy.Holds && onImpact(c) && same:
		return e.covers(d.Globs, c.Globs)
	case l == policy.Holds && m == policy.Holds && c.On == "path" && (c.Alone || !d.Alone):
		return e.coversPaths(d, c)
	case l == policy.Holds && m == policy.Holds && c.On == "host" && (c.Alone || !d.Alone):
		return e.covers(d.Globs, c.Globs)
	case l == policy.Holds && m == policy.Holds && (c.On == "label" || c.On == "fetched_from"):
		return e.covers(d.Globs, c.Globs)
	// Lines are matched command by command, so patterns are compared as those of single commands.
	case l == policy.Holds && m == policy.Holds && c.On == "command":
		return e.coversCommands(d, c)
	}
	return false
}

// lookOf lists the patterns that a level compares: for a message that resembles, those with letters as a person reads
// them.
func lookOf(c *policy.Criterion, l policy.Level) []pattern {
	if c.On == "message" && l == policy.Resembles {
		return c.Looks
	}
	return c.Globs
}

// covers reports whether each of the patterns is within one of the wider ones. The union of wide may cover a pattern
// that none of them covers alone. That is not looked for.
func (e *explorer) covers(wide, narrow []pattern) bool {
	for _, p := range narrow {
		if !slices.ContainsFunc(wide, func(w pattern) bool { return e.within(p, w) }) {
			return false
		}
	}
	return true
}

// p is within w if no text matches p and not w. unsure counts as no.
func (e *explorer) within(p, w pattern) bool {
	if text, ok := fixed(p); ok {
		return matches(w, text)
	}
	s := e.solve([][]pattern{{p}}, []pattern{w})
	return s.is == nothing
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

// coversCommands is covers for lines. An exact pattern of c matches a line that is not plain, which only "*" of d does
// too.
func (e *explorer) coversCommands(d, c *policy.Criterion) bool {
	for i, p := range c.Globs {
		if !slices.ContainsFunc(d.Globs, func(w pattern) bool {
			return everything(w) || e.within(p, w) && (!c.Exact[i] || plain(p))
		}) {
			return false
		}
	}
	return true
}

// coversPaths is covers. A permission opens all that is below a directory, and only a star at the end has all of that.
func (e *explorer) coversPaths(d, c *policy.Criterion) bool {
	for i, p := range c.Globs {
		if !slices.ContainsFunc(d.Globs, func(w pattern) bool {
			_, exact := fixed(w)
			return e.within(p, w) && (!c.Exact[i] || exact || w[len(w)-1].Star)
		}) {
			return false
		}
	}
	return true
}

// begin reports whether each pattern equals a wider one, or begins with the text before its only star. Resembling paths
// are compared by their beginnings up to the first wildcard (policy, rootBelow), so the wider pattern must be a text
// with one star behind it.
func begin(wide, narrow []pattern) bool {
	for _, p := range narrow {
		if !slices.ContainsFunc(wide, func(w pattern) bool {
			if policy.KeyOf(p) == policy.KeyOf(w) {
				return true
			}
			end := len(w) - 1
			if end < 0 || !w[end].Star || len(p) < end {
				return false
			}
			text, plain := fixed(w[:end])
			begins, ok := fixed(p[:end])
			return plain && ok && text == begins
		}) {
			return false
		}
	}
	return true
}

// subset reports whether all of a are in b. An empty a is a subset of everything.
func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
