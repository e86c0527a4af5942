package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// What the rules say of a request is a leaf of the search. The rest of a decision follows from it, and from what no
// rule looks at.

// leaf decides about the requests that the answers leave. It returns a clause that rules out what it has decided: also
// what the first stack says less of, and the second one more of, because what matches loosely only tightens. If the
// decisions of a leaf are fine, so are those of each leaf in which the first stack says less or the second one more of
// what only tightens. The clause rules all of these out at once, which makes the search short.
func (e *explorer) leaf(marks map[uint16]int) (clause []literal) {
	var said [2]string
	for n, list := range e.events {
		for _, v := range list {
			is := e.formula.holds(v.of)
			if is {
				said[n] += v.text + ";"
			}
			switch {
			// The clause says: the first stack says something more, or the second one something less, than here.
			case v.loose && n == 0 && !is:
				clause = append(clause, v.of)
			case is && (n == 1 || !v.loose):
				clause = append(clause, -v.of)
			}
		}
	}
	bad := map[uint16][]variant{}
	// One kind for each mark is enough to decide, because the rest of a decision depends on nothing else (policy,
	// Facts.Mark). The order of a map does not matter here: all of them are decided.
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
		// One kind of the mark was tried with all variants. Further ones would only have other features that no rule
		// looks at.
		break
	}
	if tried {
		e.spurious++
		e.why = "no request could be made of what the rules look at"
	}
	// No request could be made, so only this set of answers is ruled out, and its neighbours are still looked at.
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

// consistent reports whether a kind of request gives the answers. Answers that the kind tells were chosen by the search
// as well, so the kind must agree with each of them.
func (e *explorer) consistent(i int) bool {
	return !slices.ContainsFunc(e.atoms, func(a atom) bool {
		return a.sort == known && a.kinds[i] != sign(e.formula.holds(a.of))
	})
}

// variant is what no criterion looks at. A variant changes the decision behind the rules: a strict review, a grant,
// quiet hours, self-protection, a finding.
type variant struct {
	strict, granted bool
	touch           string
	at              int64
	found           bool // with a finding
}

// variants lists those of the class. Touch is the outermost loop, so variants of one touch stand together (looser).
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

// apply puts a variant into facts. A strict review needs a host that allows one, so both are set together.
func (e *explorer) apply(f *policy.Facts, v variant) {
	f.StrictReview, f.AutoReviewAllowed, f.Granted, f.At, e.as.Touch = v.strict, v.strict, "", v.at, v.touch
	if v.granted {
		f.Granted = "g"
	}
}

// rankOf is what the ranks of decisions about all variants of a request follow from.
type rankOf struct {
	class    string
	mark     uint16
	said     string
	stack    int
	variants int
}

// looser lists variants of a request that the second stack decides more loosely: one for each touch. The ranks are
// cached by what they follow from, so most leaves cost no decision at all. One variant for each touch is listed,
// because confirm needs another command for another touch.
func (e *explorer) looser(mark uint16, i int, said [2]string) (list []variant) {
	var ranks [2][]int8
	for n, s := range []policy.Stack{e.a, e.b} {
		key := rankOf{e.class.key, mark, said[n], n, len(e.around)}
		if ranks[n] = e.ranks[key]; ranks[n] == nil {
			ranks[n] = e.ranksOf(s, i, said[n])
			e.ranks[key] = ranks[n]
		}
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

// ranksOf ranks the decisions of a stack about all variants of a request. A grant and the time of day come last in a
// decision, and change neither an accept nor a decline.
func (e *explorer) ranksOf(s policy.Stack, i int, said string) (ranks []int8) {
	f, base, settled := e.facts[i], variant{}, false
	for k, v := range e.around {
		first := k == 0 || v.touch != base.touch || v.strict != base.strict
		// Neither a grant nor quiet hours change an accept or a decline, so the rank is that of the variant before.
		if !first && settled {
			ranks = append(ranks, ranks[k-1])
			continue
		}
		e.apply(&f, v)
		e.runs++
		d := s.DecideAssuming(&f, e.as)
		if first {
			base, settled = v, d.Outcome == policy.Accept || d.Outcome == policy.Decline
		}
		if ranks = append(ranks, int8(rank(d))); k == 0 && !sameWords(summary(d), said) {
			// That is the check of the formula against policy: the reasons of the decision must say what the events
			// say. A difference is a fault of this package, and must never give a proof.
			e.runs = maxRuns + 1 // the formula is another reading of the rules
		}
	}
	return ranks
}
