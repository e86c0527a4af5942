package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
)

// A deed has several impacts, paths and hosts, and a session fetches from several hosts. What a criterion says of them
// it says of one text, or of every one. So a text matches all patterns that every text matches, and none that no text
// matches.

// noTargets lists clauses that the texts of impacts and of labels break. It keeps texts that break none. Two shapes of
// answers are told apart. "Every impact matches" must hold for each text that a request has. "Some impact matches"
// needs one text of its own, which must also match the patterns that every text matches, and no pattern that no text
// matches. For each "some" a text is searched for, and kept as the target of a command.
func (e *explorer) noTargets() (clauses [][]literal) {
	e.targets = map[string][]string{}
	var every, some []atom // those that hold
	listed := func(on string) bool { return on == "path" || on == "host" && !e.class.url }
	not := map[string][]atom{}
	for _, a := range e.atoms {
		switch {
		case a.sort != free || a.level == policy.MayHold || a.c.On != "fetched_from" && !onImpact(a.c) &&
			!listed(a.c.On):
		case !e.formula.holds(a.of):
			if !a.c.Every && !(listed(a.c.On) && a.level == policy.Holds) {
				not[a.c.On] = append(not[a.c.On], a)
			}
		case a.c.Every || listed(a.c.On) && a.level == policy.Holds:
			every = append(every, a)
		default:
			some = append(some, a)
		}
	}
	// A second search asks for a text with a character beyond ASCII: it gives a host or a path in another spelling,
	// which may show a difference that the first text does not. Its failure is no contradiction, so only the first one
	// makes clauses.
	try := func(on string, want, not []atom, spelled bool) {
		t := &texts{kept: 1}
		for _, a := range want {
			t.add(a, true)
		}
		for _, a := range not {
			if spelled || a.level == policy.Resembles {
				t.add(a, false)
			}
		}
		if clauses = append(clauses, e.noText(t, false)...); spelled {
			e.keep(on, t)
		}
		t.want = append(t.want, []pattern{policy.Beyond})
		e.keep(on, t)
	}
	for i, a := range every {
		if listed(a.c.On) {
			try(a.c.On, every[i:i+1:i+1], not[a.c.On], true)
			try(a.c.On, e.together(every, a.c.On), not[a.c.On], true)
		} else if a.c.Named == nil && a.c.On != "reads" && a.c.On != "executes" { // which match in more than one way
			try(a.c.On, e.together(every[i:], a.c.On), nil, true)
		}
	}
	for _, a := range some {
		on := a.c.On
		var with []atom
		switch on {
		case "runs", "sends", "fetches", "changes", "publishes", "host":
			with = e.together(every, on)
		}
		want, open := append([]atom{a}, with...), len(with) == 0 && on != "fetched_from"
		switch {
		case slices.ContainsFunc(a.c.Globs, everything) && (open || a.level == policy.Holds): // also what is not told
		case a.level == policy.Holds:
			try(on, want, not[on], true)
		case on == "fetched_from":
			try(on, want, not[on], e.onlyPlain(a.c))
		case open:
		case on != "host" && on != "sends" && on != "fetches" || e.onlyPlain(a.c):
			try(on, want, not[on], true)
		case on != "host": // the texts that all match have another spelling, which alone matches
			is := e.named[nameOf(a.c, policy.Holds)]
			if is == 0 || e.formula.holds(is) {
				continue
			}
			t := &texts{}
			for _, w := range with {
				t.add(w, true)
			}
			t.want, t.yes = append(t.want, policy.Respelled), append(t.yes, yes)
			for _, clause := range e.noText(t, false) {
				clauses = append(clauses, append(clause, -a.of, is))
			}
		}
	}
	return clauses
}

// together lists the answers that say something of every impact of a kind, and not of all that there may be. A star
// alone matches also what has no text, such as an open target, so it says nothing about texts.
func (e *explorer) together(every []atom, on string) (list []atom) {
	for _, a := range every {
		if a.c.On == on && !slices.ContainsFunc(a.c.Globs, everything) {
			list = append(list, a)
		}
	}
	return list
}

// keep keeps a text for a request.
func (e *explorer) keep(on string, t *texts) {
	if s := e.solve(t.want, t.not); s.is == some && !slices.Contains(e.targets[on], s.text) {
		e.targets[on] = append(e.targets[on], s.text)
	}
}

// onlyPlain reports whether the patterns of a host match no spelling but the one that is asked of DNS: no Unicode, and
// no IPv6 address of an IPv4 address.
func (e *explorer) onlyPlain(c *policy.Criterion) bool {
	return e.solve([][]pattern{c.Globs, {policy.Beyond, policy.Mapped}}, nil).is == nothing
}

// impossible reports whether a rule that accepts by impacts names too few kinds of them for any deed of the class. A
// rule that accepts must name all kinds of impacts of the deed. A command runs a program, or has a redirection or an
// assignment alone; a patch writes; a permission for paths reads and writes.
func (k *class) impossible(c *policy.Criterion) bool {
	lacks := func(kinds ...impact.Kind) bool {
		return slices.ContainsFunc(kinds, func(kind impact.Kind) bool { return !slices.Contains(c.Named, kind) })
	}
	listed := k.deed != elicit.DeedCommand && (k.paths || k.hosts)
	switch {
	case !c.Every:
		return false
	case !listed && !k.command:
		return true
	case c.Named == nil:
		return false
	case !listed: // redirections and assignments alone run no program
		return lacks(impact.Runs) && lacks(impact.Reads) && lacks(impact.Writes) && lacks(impact.Executes) &&
			lacks(impact.Fetches) // an assignment may name where a program fetches from, and sends nothing
	}
	return k.hosts && lacks(impact.Sends, impact.Fetches) ||
		k.paths && (k.deed != elicit.DeedPatch && lacks(impact.Reads) || k.deed != elicit.DeedTool && lacks(impact.Writes))
}
