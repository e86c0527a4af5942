package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// The rules of both stacks become a formula: what each layer's rules say of a request follows from the answers of their
// criteria. A search finds answers that lead to something new that the rules say. Both stacks then decide. So the
// search ends when the formula and what is known of texts leave nothing new.

// event is something that the rules of a layer may say. Requests with equal events differ only in their kinds. A layer
// has at most one event that holds and is not loose, because its first matching rule decides.
type event struct {
	place int    // of the policy in its stack
	text  string // "" if no rule of the layer matches
	of    literal
	loose bool // it only tightens
	then  policy.Outcome
}

// atom is an answer that the search chooses. kinds has "+" or "-" for each kind of request of the class, and is nil for
// other answers. c is nil where kinds is not.
type atom struct {
	c     *policy.Criterion
	level policy.Level
	sort  sort
	of    literal
	kinds []byte // for an answer that the kind of request tells: that of each
}

// encode makes the formula of the class, of all layers or of those whose rules differ. With all false, only layers
// whose rules differ are in the formula: if these can say nothing new, the class is done.
func (e *explorer) encode(all bool) {
	e.formula, e.atoms, e.named = newFormula(), nil, map[string]literal{}
	e.literals = make([][3]literal, len(e.as.Criteria))
	for n, rules := range e.as.Rules {
		e.events[n] = nil
		for len(rules) > 0 {
			end := slices.IndexFunc(rules, func(r policy.Rule) bool { return r.Place != rules[0].Place })
			if end < 0 {
				end = len(rules)
			}
			if all || e.differ[rules[0].Place] {
				layer := e.encodeLayer(rules[:end])
				e.events[n] = append(e.events[n], layer...)
			}
			rules = rules[end:]
		}
	}
	for _, v := range e.events[0] { // the most that the first stack says, and the least that the second one does
		// A solution in which the first stack says as much as possible, and the second one as little, is the likeliest
		// difference.
		e.formula.likes[variableOf(v.of)] = v.loose == (v.of > 0)
	}
	for _, v := range e.events[1] {
		e.formula.likes[variableOf(v.of)] = v.of < 0
		// If the second stack declines by a rule, it cannot be looser. These solutions are left out from the start.
		if v.then == policy.Decline { // nothing takes a decline back
			e.formula.add(-v.of)
		}
	}
	if e.alike { // stacks that say the same decide alike, and more that matches loosely only tightens
		var differ []literal
		for _, v := range e.events[0] {
			after := -yes
			if i := slices.IndexFunc(e.events[1], v.same); i >= 0 {
				after = e.events[1][i].of
			}
			differ = append(differ, e.formula.and(v.of, -after))
		}
		for _, v := range e.events[1] {
			if !v.loose && !slices.ContainsFunc(e.events[0], v.same) {
				differ = append(differ, v.of)
			}
		}
		e.formula.add(differ...)
	}
}

func (v event) same(o event) bool { return v.place == o.place && v.text == o.text }

// unsure stands beside the outcomes: a rule that declines or cancels only may match.
const unsureOutcome = policy.Decline + 1

// It is applyRules of package policy as a formula. ruled is "a rule before this one has matched". For a rule with an
// exception, off is "the exception holds", and excepted is "it may hold".
func (e *explorer) encodeLayer(rules []policy.Rule) (list []event) {
	f, ruled := e.formula, -yes
	var fires, loosely [unsureOutcome + 1][]literal
	for i := range rules {
		r := &rules[i]
		if slices.ContainsFunc(r.When, e.never) {
			continue
		}
		accepts := r.Then == policy.Accept
		surely, alike, maybe := e.levels(r.When, !accepts, !accepts)
		_, off, excepted := -yes, -yes, -yes
		if r.Unless != nil {
			_, off, excepted = e.levels(r.Unless, accepts, true)
		}
		// A broken rule only tightens, and hides no rule behind it.
		if r.Broken {
			loosely[r.Then] = append(loosely[r.Then], f.and(maybe, -off))
			continue
		}
		then := r.Then
		// A rule that declines or cancels and only may match becomes an ask, or a decline by the setting unknown.
		if then > policy.Ask {
			then = unsureOutcome
		}
		loosely[then] = append(loosely[then], f.and(-ruled, -off, maybe, -alike))
		loosely[r.Then] = append(loosely[r.Then], f.and(-ruled, -off, alike, f.or(-surely, excepted)))
		fires[r.Then] = append(fires[r.Then], f.and(-ruled, surely, -excepted))
		ruled = f.or(ruled, f.and(surely, -excepted))
	}
	layer := rules[0].Layer.String()
	for then := policy.Accept; then <= unsureOutcome; then++ {
		name := "unknown"
		if then < unsureOutcome {
			name = then.String()
		}
		for _, one := range []event{{rules[0].Place, layer + " " + name, f.or(fires[then]...), false, then},
			{rules[0].Place, layer + " loosely " + name, f.or(loosely[then]...), true, then}} {
			if one.of != -yes {
				list = append(list, one)
			}
		}
	}
	return append(list, event{place: rules[0].Place, of: -ruled})
}

// never reports whether no request of the class matches a criterion.
func (e *explorer) never(id int) bool {
	if e.as.Unknown && e.as.OnTool(id, e.class.server) {
		return false
	}
	return e.answer(id, policy.Holds) == -yes && e.answer(id, policy.Resembles) == -yes &&
		e.answer(id, policy.MayHold) == -yes
}

// levels are literals for all criteria of a list: they hold, they hold or resemble, or they may at least hold. surely
// implies alike, and alike implies maybe. If loosely is false, alike equals surely; if possibly is false, maybe equals
// alike.
func (e *explorer) levels(list []int, loosely, possibly bool) (surely, alike, maybe literal) {
	f := e.formula
	var all [3][]literal
	for _, id := range list {
		// The tool may be any, so the criterion may hold and never surely does.
		if e.as.Unknown && e.as.OnTool(id, e.class.server) {
			all[0], all[1] = append(all[0], -yes), append(all[1], -yes)
			continue
		}
		is := e.answer(id, policy.Holds)
		all[0] = append(all[0], is)
		if loosely {
			is = f.or(is, e.answer(id, policy.Resembles))
		}
		all[1] = append(all[1], is)
		if possibly {
			is = f.or(is, e.answer(id, policy.MayHold))
		}
		all[2] = append(all[2], is)
	}
	return f.and(all[0]...), f.and(all[1]...), f.and(all[2]...)
}

// answer is the literal of an answer. The literal is made once for each criterion and level, and is one of four: a
// constant, an answer of the kinds, an atom, or a formula of atoms.
func (e *explorer) answer(id int, l policy.Level) (of literal) {
	c := &e.as.Criteria[id]
	if of = e.literals[id][l]; of != 0 {
		return of
	}
	switch s := e.sortOf(c, l); {
	case s == known:
		of = e.ofKind(id, l)
	// Such a rule never accepts in this class, whatever the command does.
	case onImpact(c) && l == policy.Holds && e.class.impossible(c):
		of = -yes
	case s == free && c.On == "unknown":
		if of = -e.atomOf(c, policy.MayHold, s); c.Want {
			of = -of
		}
		if c.Want && c.Every {
			of = -yes
		}
	case s == free && onImpact(c) && c.Every && l == policy.Holds: // not if a part of the deed cannot be read
		of = e.formula.and(e.atomOf(c, l, s), -e.answer(id, policy.MayHold))
	case s == free && len(c.Globs) > 1 && anyPattern(c, l):
		var each []literal
		for i := range c.Globs {
			each = append(each, e.atomOf(c.Single(i), l, s))
		}
		of = e.formula.or(each...)
	default:
		of = e.atomOf(c, l, s)
	}
	e.literals[id][l] = of
	return of
}

// atomOf is the variable of an answer. Answers with one name share it, in both stacks.
func (e *explorer) atomOf(c *policy.Criterion, l policy.Level, s sort) literal {
	name := nameOf(c, l)
	of, known := e.named[name]
	if !known {
		of = e.formula.variable()
		e.named[name], e.atoms = of, append(e.atoms, atom{c: c, level: l, sort: s, of: of})
	}
	return of
}

// ofKind is the literal of an answer that the kind of request tells. Equal criteria have one, if no layer's trust tells
// them apart.
func (e *explorer) ofKind(id int, l policy.Level) literal {
	c := &e.as.Criteria[id]
	key := "\x01" + string('0'+byte(l)) + c.Key
	if c.Flag {
		key += map[bool]string{true: "+", false: "-"}[e.as.OnTool(id, e.class.server)]
	}
	of, known := e.named[key]
	if !known {
		of = e.fromKinds(id, l)
		e.named[key] = of
	}
	return of
}

// Criteria with the same answers for all kinds share a variable: "kind": "form" and "sensitive": true may be one in a
// class.
func (e *explorer) fromKinds(id int, l policy.Level) literal {
	kinds := make([]byte, len(e.facts))
	first := e.firsts(reads(e.as.Criteria[id].On))
	for i := range e.facts {
		if kinds[i] = kinds[first[i]]; first[i] == i {
			kinds[i] = sign(e.as.Evaluate(&e.facts[i], id, l))
		}
	}
	switch {
	case !slices.Contains(kinds, '-'):
		return yes
	case !slices.Contains(kinds, '+'):
		return -yes
	}
	of, same := e.named["\x00"+string(kinds)]
	if !same {
		of = e.formula.variable()
		e.named["\x00"+string(kinds)], e.atoms = of, append(e.atoms, atom{of: of, kinds: kinds})
	}
	return of
}

// firsts lists for each kind of request the first one with the same features.
func (e *explorer) firsts(of features) []int {
	list := e.first[of]
	if list == nil {
		at := map[features]int{}
		for i, f := range e.features {
			k, known := at[f&of]
			if !known {
				k, at[f&of] = i, i
			}
			list = append(list, k)
		}
		e.first[of] = list
	}
	return list
}

func sign(is bool) byte {
	if is {
		return '+'
	}
	return '-'
}

// mayDiffer reports whether the layers whose rules differ may say of a request what they did not say before. It stops
// at the first solution without contradiction, before any decision. Unsure counts as yes.
func (e *explorer) mayDiffer() bool {
	if e.encode(false); slices.Equal(e.events[0], e.events[1]) {
		return false
	}
	for {
		found, sure := e.formula.satisfy()
		if !found || !sure {
			return !sure
		}
		lemmas := e.contradictions()
		if lemmas == nil {
			return true
		}
		for _, clause := range lemmas {
			e.formula.add(clause...)
		}
	}
}

// explore goes through all that the rules can say of one class of requests. Each round adds at least one clause that
// the current solution breaks, so the loop ends: a formula has finitely many solutions.
func (e *explorer) explore() {
	if e.alike && !e.mayDiffer() {
		return
	}
	e.encode(true)
	e.as.Answer = func(id int, l policy.Level) (holds, assumed bool) {
		return e.formula.holds(e.literals[id][l]), e.literals[id][l] != 0
	}
	e.variants()
	marks := map[uint16]int{}
	for i, m := range e.marks {
		if _, known := marks[m]; !known {
			marks[m] = i
		}
	}
	for !e.stop() {
		found, sure := e.formula.satisfy()
		if !sure {
			// The solver gave up, so the classes are not explored to their end.
			e.runs = maxRuns + 1
		}
		if !found {
			break
		}
		if lemmas := e.contradictions(); lemmas != nil {
			for _, clause := range lemmas {
				e.formula.add(clause...)
			}
			continue
		}
		e.formula.add(e.leaf(marks)...)
	}
	if e.runs > maxRuns {
		e.why = "the rules tell too many kinds of requests apart"
	}
}
