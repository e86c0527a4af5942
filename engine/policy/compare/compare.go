// Package compare tells whether a change of policies only tightens. It decides about every kind of request that the
// rules of both stacks tell apart, with policy.Decide itself as the judge. So it gives a proof, or a request that the
// second stack decides more loosely, or says that it cannot tell.
//
// For example, a change from {"when": {"command": "rm *"}, "then": "decline"} to "rm -r*" loosens: the result has a
// command such as "rm x" with both decisions. A change in the other direction tightens.
//
// # How it works
//
// The set of requests is infinite: commands, messages and paths are texts. Three steps make it finite:
//
//   - class.go lists classes: what has few values, such as the server, the deed, and whether there is a command or a
//     list of paths. Within a class, kinds of requests differ in flags, such as haste.
//   - search.go turns the rules of both stacks into a formula. Its variables are answers: "criterion 3 holds",
//     "criterion 3 resembles". formula.go is the solver (CDCL, as in MiniSat).
//   - A solution of the formula may be impossible: no text matches "git *" and not "g*". answer.go, targets.go and
//     text.go find such contradictions and add a clause for each (the loop of an SMT solver).
//
// A set of answers that some request may give is a leaf. leaf.go lets both stacks decide by these
// answers. If the second one is looser, confirm.go makes a real request and decides again, without any assumption.
//
// # What a verdict promises
//
// Tightens is a proof, if the formula says the same as policy.Decide (ranksOf checks that at each leaf) and if
// answer.go ties no two answers that some request gives. More answers are assumed than requests can give, and never
// fewer. So a proof holds, and the price is a verdict Undecided for some changes. Loosens always comes with a request
// that anybody can decide again, or with the name of a setting. Undecided says nothing about the change.
//
// # Reading order
//
// compare.go, class.go, search.go, leaf.go, confirm.go; then answer.go with targets.go, and text.go; formula.go last.
package compare

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
)

// Verdict is what a comparison found. The zero value is no verdict.
type Verdict string

// These are the verdicts.
const (
	Tightens  Verdict = "tightens"  // the second stack decides no request more loosely
	Loosens   Verdict = "loosens"   // Facts or Setting shows where it does
	Undecided Verdict = "undecided" // Why says what could not be followed
)

// Result is the result of a comparison. Facts, Before and After belong together: the decisions are those about Facts
// after a finding of the severity Finding.
type Result struct {
	Verdict Verdict
	Why     string          // for Undecided
	Setting string          // for Loosens by a setting alone: the key
	Facts   *policy.Facts   // for Loosens by a request
	Finding elicit.Severity // that the inspection found in it, or ""
	Before  policy.Decision // of the request
	After   policy.Decision
	Runs    int // how many times both stacks decided
}

// maxRuns bounds the work of a comparison. Above the bound the verdict is Undecided, because the classes that are left
// were not looked at.
const maxRuns = 400_000

// Stacks compares the stack after a change with the stack before it. A decision is looser if its outcome is, or if it
// asks where the other declines when nobody can be asked. The order goes from cheap to dear: settings, withheld fields,
// then requests. The first difference that loosens ends the comparison, so Result names one, and there may be more.
func Stacks(before, after policy.Stack) Result {
	if key := looserSetting(before, after); key != "" {
		return Result{Verdict: Loosens, Setting: key}
	}
	e := &explorer{a: before, b: after, alike: policy.AlikeButRules(before, after), as: policy.Assume(before, after),
		numbers: map[string]int{}, solved: map[string]solution{}, ties: map[[2]int]bool{}, ranks: map[rankOf][]int8{},
		reports: map[reported]*impact.Report{}, tried: map[uint64]bool{},
		patterns: map[*policy.Step]int{}, lengths: map[int]int{}}
	leaves, unsure := e.leavesOut(before, after)
	switch {
	case leaves:
		return Result{Verdict: Loosens, Setting: "withhold"}
	case unsure:
		return Result{Verdict: Undecided, Why: "patterns of withhold"}
	}
	for i := range e.as.Criteria {
		c := &e.as.Criteria[i]
		e.uses(c.On)
		if c.Wide {
			return Result{Verdict: Undecided, Why: "a host pattern with wildcards and letters beyond ASCII"}
		}
	}
	e.findings = []elicit.Severity{""}
	// A finding matters only if the first stack declines by it and the second one does not: then the decision before it
	// may be the looser one. One such severity is enough, because all of them have that effect.
	for _, s := range []elicit.Severity{elicit.Low, elicit.Medium, elicit.High, elicit.Critical} {
		if declines(before, s) && !declines(after, s) {
			e.findings = append(e.findings, s)
		}
	}
	e.times()
	e.differ = map[int]bool{}
	var keys [2]map[int]string
	for n, rules := range e.as.Rules {
		keys[n] = map[int]string{}
		for _, r := range rules {
			keys[n][r.Place] += r.Key + "\x00"
			e.differ[r.Place] = false
		}
	}
	// If the stacks have the same layers, a layer whose rules are equal says the same in both.
	for place := range e.differ {
		e.differ[place] = keys[0][place] != keys[1][place]
	}
	e.classes()
	r := Result{Verdict: Tightens, Runs: e.runs}
	switch {
	case e.witness != nil:
		r = *e.witness
		r.Runs = e.runs
	case e.why != "":
		r.Verdict, r.Why = Undecided, e.why
	}
	return r
}

// declines reports whether a finding of that severity declines a request that is accepted otherwise.
func declines(s policy.Stack, severity elicit.Severity) bool {
	return tightened(s, policy.Decision{Outcome: policy.Accept}, severity).Outcome == policy.Decline
}

// looserSetting names a setting that decides no request and that the change loosens.
func looserSetting(a, b policy.Stack) string {
	switch {
	case b.Grants() > a.Grants():
		return "grants"
	case b.Suggestions() > a.Suggestions():
		return "suggestions"
	case b.Secrets() > a.Secrets():
		return "secrets"
	case b.GuardianFailure() > a.GuardianFailure():
		return "on_guardian_failure"
	case a.AssumesLate() && !b.AssumesLate():
		return "late_questions"
	}
	for _, s := range []elicit.Severity{elicit.Medium, elicit.High, elicit.Critical} {
		found := []elicit.Finding{{Severity: s}}
		if a.OwnSurface(found) != "" && b.OwnSurface(found) == "" {
			return "own_surface"
		}
	}
	return ""
}

// rank orders decisions by strictness. Ranks are even, but for an ask that declines where nobody can be asked: it lies
// between ask and cancel.
func rank(d policy.Decision) int {
	r := 2 * int(d.Outcome)
	if d.Outcome == policy.Ask && policy.DeclinesUnasked(d.Reasons) {
		r++
	}
	return r
}

// explorer goes through the kinds of requests. One value serves one call of Stacks. The first group of fields belongs
// to the stacks and grows: what was solved once is kept for all classes. The second group, from class on, belongs to
// the class that is explored and is made again for each.
type explorer struct {
	a, b     policy.Stack
	alike    bool         // the stacks differ in rules alone
	differ   map[int]bool // places of policies whose rules differ, if the stacks are alike
	as       *policy.Assumptions
	used     map[string]bool
	looked   features          // at which some rule looks
	findings []elicit.Severity // those that only the first stack declines, after ""
	at       []int64
	runs     int
	// spurious counts leaves for which no request could be made. Many of them show that the assumptions are too loose
	// here, so the comparison ends early, as undecided.
	spurious int
	why      string
	witness  *Result
	servers  []string
	numbers  map[string]int // of patterns and answers
	patterns map[*policy.Step]int
	lengths  map[int]int         // of patterns
	solved   map[string]solution // texts that were looked for
	ties     map[[2]int]bool     // whether an answer follows from another
	ranks    map[rankOf][]int8   // of decisions
	reports  map[reported]*impact.Report
	tried    map[uint64]bool // requests that show nothing

	class    class
	facts    []policy.Facts // the kinds of requests of the class
	features []features     // of each
	first    map[features][]int
	marks    []uint16 // what the tables of approval policies tell apart in each of them
	around   []variant
	formula  *formula
	atoms    []atom
	named    map[string]literal // the literals of the answers
	literals [][3]literal       // the same, of each criterion
	events   [2][]event
	texts    map[string]*texts
	truths   []truth
	targets  map[string][]string // texts of impacts and labels
}

// truth is an answer about what has no single text.
type truth struct {
	c     *policy.Criterion
	level policy.Level
	holds bool
}

// uses notes a subject of some rule, and the features that it looks at.
func (e *explorer) uses(key string) {
	if e.used == nil {
		e.used = map[string]bool{}
	}
	e.used[key] = true
	e.looked |= reads(key)
}

// stop ends all loops: with a witness, or when the work is beyond its bounds. In the second case why is set, so the
// verdict is Undecided.
func (e *explorer) stop() bool {
	return e.witness != nil || e.runs > maxRuns || e.spurious > 40 || len(e.tried) > e.tries()
}

// times lists a time in each stretch of the day that quiet hours tell apart. 0 stands for a time that is not known, in
// which no hour is quiet. The day 20,000 is any day: only the minute counts.
func (e *explorer) times() {
	e.at = []int64{0}
	for _, m := range append(e.a.Minutes(), e.b.Minutes()...) {
		e.at = append(e.at, int64(20_000*1440+m)*60_000)
	}
	slices.Sort(e.at)
	e.at = slices.Compact(e.at)
}

// tightened is a decision after the inspection found something, or nothing.
func tightened(s policy.Stack, d policy.Decision, finding elicit.Severity) policy.Decision {
	if finding == "" {
		return d
	}
	return s.Tighten(d, []elicit.Finding{{Severity: finding}})
}

// summary is what the rules say of a request: all that the rest of a decision needs of it. Two decisions with equal
// summaries are equal in the eyes of all that comes behind the rules. The words are those of event.text, so that
// ranksOf can compare both.
func summary(d policy.Decision) (list []string) {
	for _, r := range d.Reasons {
		switch r.Code {
		case "rule_matched", "rule_resembled", "rule_possible", "rule_broken":
			how := r.Layer + " loosely "
			if r.Code == "rule_matched" {
				how = r.Layer + " "
			}
			for _, a := range r.Args {
				if a.Name == "then" {
					list = append(list, how+strings.Trim(a.Raw, `"`))
				}
			}
		// The reason follows the one of its rule, and says what became of it.
		case "unknown_asks", "unknown_declines":
			layer, _, _ := strings.Cut(list[len(list)-1], " ")
			list[len(list)-1] = layer + " loosely unknown"
		}
	}
	return list
}

func sameWords(list []string, text string) bool {
	said := slices.DeleteFunc(strings.Split(text, ";"), func(s string) bool { return s == "" })
	slices.Sort(list)
	slices.Sort(said)
	return slices.Equal(slices.Compact(list), slices.Compact(said))
}
