package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// The rules of both stacks become a formula: what each layer's rules say of a request follows from the answers of their
// criteria. A search finds answers that lead to something new that the rules say. Both stacks then decide. So the
// search ends when the formula and what is known of texts leave nothing new.

// event is something that the rules of a layer may say. Requests with equal events differ only in their kinds.
type event struct {
	place int    // of the policy in its stack
	text  string // "" if no rule of the layer matches
	of    literal
	loose bool // it only tightens
	then  policy.Outcome
}

// atom is an answer that the search chooses.
type atom struct {
	c     *policy.Criterion
	level policy.Level
	sort  sort
	of    literal
	kinds []byte // for an answer that the kind of request tells: that of each
}

// encode makes the formula of the class.
func (e *explorer) encode() {
	e.formula, e.atoms, e.named = newFormula(), nil, map[string]literal{}
	e.literals = make([][3]literal, len(e.as.Criteria))
	for n, rules := range e.as.Rules {
		e.events[n] = nil
		for len(rules) > 0 {
			end := slices.IndexFunc(rules, func(r policy.Rule) bool { return r.Place != rules[0].Place })
			if end < 0 {
				end = len(rules)
			}
			e.events[n] = append(e.events[n], e.encodeLayer(rules[:end])...)
			rules = rules[end:]
		}
	}
	for _, v := range e.events[0] { // the most that the first stack says, and the least that the second one does
		e.formula.likes[variableOf(v.of)] = v.loose == (v.of > 0)
	}
	for _, v := range e.events[1] {
		e.formula.likes[variableOf(v.of)] = v.of < 0
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

func (e *explorer) encodeLayer(rules []policy.Rule) (list []event) {
	f, ruled := e.formula, -yes
	var fires, loosely [unsureOutcome + 1][]literal
	for i := range rules {
		r := &rules[i]
		accepts := r.Then == policy.Accept
		surely, alike, maybe := e.levels(r.When, !accepts, !accepts)
		_, off, excepted := -yes, -yes, -yes
		if r.Unless != nil {
			_, off, excepted = e.levels(r.Unless, accepts, true)
		}
		if r.Broken {
			loosely[r.Then] = append(loosely[r.Then], f.and(maybe, -off))
			continue
		}
		then := r.Then
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

// levels are literals for all criteria of a list: they hold, they hold or resemble, or they may at least hold.
func (e *explorer) levels(list []int, loosely, possibly bool) (surely, alike, maybe literal) {
	f := e.formula
	var all [3][]literal
	for _, id := range list {
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

// answer is the literal of an answer.
func (e *explorer) answer(id int, l policy.Level) (of literal) {
	c := &e.as.Criteria[id]
	if of = e.literals[id][l]; of != 0 {
		return of
	}
	switch s := e.sortOf(c, l); {
	case s == known:
		of = e.ofKind(id, l)
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

func (e *explorer) atomOf(c *policy.Criterion, l policy.Level, s sort) literal {
	name := nameOf(c, l)
	of, known := e.named[name]
	if !known {
		of = e.formula.variable()
		e.named[name], e.atoms = of, append(e.atoms, atom{c: c, level: l, sort: s, of: of})
	}
	return of
}

// ofKind is the literal of an answer that the kind of request tells.
func (e *explorer) ofKind(id int, l policy.Level) literal {
	kinds := make([]byte, len(e.facts))
	for i := range e.facts {
		kinds[i] = sign(e.as.Evaluate(&e.facts[i], id, l))
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

func sign(is bool) byte {
	if is {
		return '+'
	}
	return '-'
}

// explore goes through all that the rules can say of one class of requests.
func (e *explorer) explore() {
	if e.encode(); e.alike && slices.Equal(e.events[0], e.events[1]) {
		return
	}
	e.as.Answer = func(id int, l policy.Level) (holds, assumed bool) {
		return e.formula.holds(e.literals[id][l]), e.literals[id][l] != 0
	}
	e.variants()
	marks := map[string]int{}
	for i, m := range e.marks {
		if _, known := marks[m]; !known {
			marks[m] = i
		}
	}
	for !e.stop() {
		found, sure := e.formula.satisfy()
		if !sure {
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

// leaf decides about the requests that the answers leave. It returns a clause that rules out what it has decided: also
// what the first stack says less of, and the second one more of, because what matches loosely only tightens.
func (e *explorer) leaf(marks map[string]int) (clause []literal) {
	var said [2]string
	for n, list := range e.events {
		for _, v := range list {
			is := e.formula.holds(v.of)
			if is {
				said[n] += v.text + ";"
			}
			switch {
			case v.loose && n == 0 && !is:
				clause = append(clause, v.of)
			case is && (n == 1 || !v.loose):
				clause = append(clause, -v.of)
			}
		}
	}
	bad := map[string][]variant{}
	for m, i := range marks {
		if list := e.looser(m, i, said); list != nil {
			bad[m] = list
		}
	}
	if len(bad) == 0 {
		return clause
	}
	tried := false
	for i := range e.facts {
		list := bad[e.marks[i]]
		if list == nil || !e.consistent(i) {
			continue
		}
		tried = true
		for _, v := range list {
			f, finding := e.facts[i], elicit.Severity("")
			if e.apply(&f, v); len(e.findings) > 1 && v.found {
				finding = e.findings[1]
			}
			if e.confirm(f, finding) {
				return clause
			}
		}
		break
	}
	if tried {
		e.spurious++
		e.why = "no request could be made of what the rules look at"
	}
	for _, a := range e.atoms {
		if a.sort == free && e.formula.holds(a.of) {
			clause = append(clause, -a.of)
		}
		if a.sort == known {
			clause = append(clause, map[bool]literal{true: -a.of, false: a.of}[e.formula.holds(a.of)])
		}
	}
	return clause
}

// consistent reports whether a kind of request gives the answers.
func (e *explorer) consistent(i int) bool {
	return !slices.ContainsFunc(e.atoms, func(a atom) bool {
		return a.sort == known && a.kinds[i] != sign(e.formula.holds(a.of))
	})
}

// variant is what no criterion looks at.
type variant struct {
	strict, granted bool
	touch           string
	at              int64
	found           bool // with a finding
}

func (e *explorer) variants() {
	touches := []string{""}
	if e.class.deed != elicit.DeedNone {
		touches = []string{"", "settings", "unread"}
	}
	reviews := []bool{false, true}
	if e.class.deed != elicit.DeedNone && (e.class.url || e.class.fields) {
		reviews = reviews[:1] // no peer asks for a strict review of a deed that comes with a form or a page
	}
	e.around = nil
	for _, touch := range touches {
		for _, strict := range reviews {
			for _, granted := range []bool{false, true} {
				for _, at := range e.at {
					e.around = append(e.around, variant{strict: strict, granted: granted, touch: touch, at: at})
				}
			}
		}
	}
}

func (e *explorer) apply(f *policy.Facts, v variant) {
	f.StrictReview, f.AutoReviewAllowed, f.Granted, f.At, e.as.Touch = v.strict, v.strict, "", v.at, v.touch
	if v.granted {
		f.Granted = "g"
	}
}

// looser lists variants of a request that the second stack decides more loosely: one for each touch.
func (e *explorer) looser(mark string, i int, said [2]string) (list []variant) {
	var ranks [2][]int8
	for n, s := range []policy.Stack{e.a, e.b} {
		key := e.class.key + "\x00" + mark + "\x00" + said[n] + string('0'+byte(n)) + string(rune(len(e.around)))
		if ranks[n] = e.ranks[key]; ranks[n] != nil {
			continue
		}
		f := e.facts[i]
		for _, v := range e.around {
			e.apply(&f, v)
			e.runs++
			d := s.DecideAssuming(&f, e.as)
			if ranks[n] = append(ranks[n], int8(rank(d))); !sameWords(summary(d), said[n]) {
				e.runs = maxRuns + 1 // the formula is another reading of the rules
			}
		}
		e.ranks[key] = ranks[n]
	}
	touch := "none"
	for k, v := range e.around {
		before, after := ranks[0][k], ranks[1][k]
		if v.touch == touch || after >= before && (len(e.findings) == 1 || after == 2*int8(policy.Decline)) {
			continue
		}
		v.found = after >= before
		list, touch = append(list, v), v.touch
	}
	return list
}
