package policy

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/tidwall/gjson"
)

// rule reads one rule. number is its name if it has none of its own. A part that cannot be read makes the rule broken,
// and a broken rule never accepts: its "accept" becomes "ask". So with a misspelt criterion, {"when": {"toool": "rm"},
// "then": "decline"} declines every request rather than none. That is loud, and the problem says where.
func (p *parser) rule(v gjson.Result, number string) {
	if !v.IsObject() {
		p.wrongType(v, "object")
		p.addBroken(number)
		return
	}
	r, why, when, then := rule{name: number}, "", false, false
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		if !slices.Contains(ruleKeys, k.String()) {
			p.unknownKey(v)
			r.broken = true // the missing part may have narrowed the rule
			return true
		}
		switch k.String() {
		case "name":
			r.name = p.name(v, number)
		case "why":
			why = p.text(v)
		case "when":
			when = true
			var whole bool
			r.when, whole = p.criteria(v)
			r.broken = !whole || r.broken
		case "unless":
			var whole bool
			if r.unless, whole = p.unless(v); !whole {
				r.broken = true
			}
		case "then":
			then = true
			s, _ := p.word(v, outcomeWords...)
			r.then, _ = parseOutcome(s)
		}
		return true
	})
	p.requireKey(v, "when", when)
	p.requireKey(v, "then", then)
	r.broken = r.broken || !when || r.then == 0
	// An outcome that cannot be read could have been any. Asking leaves the decision to a person.
	if r.broken && (r.then == 0 || r.then == Accept) {
		r.then = Ask
	}
	// The exception is read the other way round. An exception that holds a decline off must hold for all impacts, and
	// one that holds an accept off for any of them.
	quantify(r.when, r.then == Accept, r.then == Accept)
	quantify(r.unless, r.then != Accept, false)
	r.seal(p.policy.layer, why)
	p.policy.rules = append(p.policy.rules, r)
}

func (p *parser) requireKey(v gjson.Result, key string, found bool) {
	if !found {
		p.missing(v, key)
	}
}

func (p *parser) text(v gjson.Result) string {
	if v.Type != gjson.String {
		p.wrongType(v, "string")
		return ""
	}
	return v.String()
}

// name reads a name, which must tell the rule apart in reasons.
func (p *parser) name(v gjson.Result, number string) string {
	s := p.text(v)
	if s == "" {
		return number
	}
	// Tests and reasons name rules, so two of one name would make a reason ambiguous. The number is still unique.
	if slices.ContainsFunc(p.policy.rules, func(r rule) bool { return r.name == s }) {
		p.report("policy_duplicate_name", v, elicit.Str("name", s))
		return number
	}
	return s
}

// unless reads the exception of a rule. An exception that cannot be read completely would except more than was meant,
// so it is dropped. An exception without criteria would except everything. The rule itself becomes broken too, so it
// does not accept without its exception.
func (p *parser) unless(v gjson.Result) (list []criterion, whole bool) {
	list, whole = p.criteria(v)
	if whole && len(list) == 0 {
		p.report("policy_empty_unless", v)
		whole = false
	}
	if !whole {
		return nil, false
	}
	return list, true
}

// criteria reads the criteria that it can, and reports whether it could read all of them.
func (p *parser) criteria(v gjson.Result) (list []criterion, whole bool) {
	if !v.IsObject() {
		p.wrongType(v, "object")
		return nil, false
	}
	whole = true
	v.ForEach(func(k, v gjson.Result) bool {
		defer p.into(k.String())()
		on, known := subjectOf(k.String())
		// A criterion that this engine does not know may narrow the rule in a way that it cannot follow.
		if !known {
			p.unknownKey(v)
			whole = false
			return true
		}
		c := criterion{on: on}
		if on.flag() {
			known = p.boolean(v, &c.want)
		} else {
			known = p.patterns(v, &c)
		}
		if known {
			list = append(list, c)
		}
		whole = whole && known
		return true
	})
	for i := range list {
		// A permission can open paths and hosts at once. A rule that accepts and names one of them says nothing about
		// the other.
		other := map[subject]subject{onPath: onHost, onHost: onPath}[list[i].on]
		list[i].alone = other != 0 && !slices.ContainsFunc(list, func(c criterion) bool { return c.on == other })
	}
	return list, whole
}

func (p *parser) boolean(v gjson.Result, into *bool) bool {
	if !v.IsBool() {
		p.wrongType(v, "boolean")
		return false
	}
	*into = v.Bool()
	return true
}

// patterns reads one glob or a list of them. One bad glob spoils the list, because a criterion with fewer patterns
// would match less.
func (p *parser) patterns(v gjson.Result, c *criterion) bool {
	if !v.IsArray() {
		return p.pattern(v, c)
	}
	good, n := true, 0
	v.ForEach(func(_, v gjson.Result) bool {
		defer p.into(strconv.Itoa(n))()
		n++
		good = p.pattern(v, c) && good
		return p.globs <= MaxGlobs
	})
	if n == 0 {
		p.report("policy_empty_list", v)
	}
	return good && n > 0
}

// pattern compiles one pattern and adds it to all lists of the criterion that its subject needs. false breaks the rule.
func (p *parser) pattern(v gjson.Result, c *criterion) bool {
	if v.Type != gjson.String {
		p.wrongType(v, "string or list of strings")
		return false
	}
	// A pattern over the limit makes its criterion incomplete, and so its rule broken.
	if p.globs++; p.globs > MaxGlobs {
		return p.tooMany(v, p.globs, MaxGlobs)
	}
	if c.on == onHost || c.on == onFetchedFrom || c.on.address() {
		return p.host(v, c)
	}
	text := v.String()
	// "src/*" means "./src/*". For executes a plain word names where a text comes from, such as fetched.
	if c.on.place() && c.on != onExecutes {
		text = relative(text)
	}
	g, fault := c.on.compile(text)
	if fault != "" {
		return p.badGlob(v, fault)
	}
	if !c.on.knows(g) {
		p.unknownValue(v, subjects[c.on].known...)
		return false
	}
	// A pattern with inner wildcards runs over texts of the peer, so few of them are allowed.
	if (c.on == onMessage || c.on == onCommand || c.on == onPath || c.on.kindOf() != "") && g.sort == globProgram {
		if p.scanning++; p.scanning > MaxMessageGlobs {
			return p.tooMany(v, p.scanning, MaxMessageGlobs)
		}
	}
	if c.on == onMessage {
		look, _ := compileGlob(v.String(), asRead)
		c.looks = append(c.looks, look)
	}
	if c.on == onPath || c.on.place() {
		c.addRoot(text)
	}
	if c.on.place() {
		c.steps = append(c.steps, stepsOf(fold(text), true))
	}
	c.globs = append(c.globs, g)
	return true
}

// host reads a pattern of hosts.
func (p *parser) host(v gjson.Result, c *criterion) bool {
	g, fault, dead := compileHost(v.String())
	switch {
	case fault != "":
		return p.badGlob(v, fault)
	case dead != "":
		p.report("policy_dead_host", v, elicit.Str("glob", v.String()), elicit.Str("fault", dead))
		return false
	}
	c.globs = append(c.globs, g)
	return true
}

func (p *parser) badGlob(v gjson.Result, fault string) bool {
	p.report("bad_glob", v, elicit.Str("glob", v.String()), elicit.Str("fault", fault))
	return false
}

// tooMany reports the first pattern over a limit, once. It always returns false, for its caller to return.
func (p *parser) tooMany(v gjson.Result, n, limit int) bool {
	if n == limit+1 {
		p.report("policy_too_many_globs", v, elicit.Num("limit", limit))
	}
	return false
}
