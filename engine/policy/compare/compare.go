// Package compare tells whether a change of policies only tightens. It decides about every kind of request that the
// rules of both stacks tell apart, with policy.Decide itself as the judge. So it gives a proof, or a request that the
// second stack decides more loosely, or says that it cannot tell.
package compare

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// Verdict is what a comparison found.
type Verdict string

// These are the verdicts.
const (
	Tightens  Verdict = "tightens"  // the second stack decides no request more loosely
	Loosens   Verdict = "loosens"   // Facts or Setting shows where it does
	Undecided Verdict = "undecided" // Why says what could not be followed
)

// Result is the result of a comparison.
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

// maxRuns bounds the work of a comparison.
const maxRuns = 20_000

// Stacks compares the stack after a change with the stack before it. A decision is looser if its outcome is, or if it
// asks where the other declines when nobody can be asked.
func Stacks(before, after policy.Stack) Result {
	if key := looserSetting(before, after); key != "" {
		return Result{Verdict: Loosens, Setting: key}
	}
	e := &explorer{a: before, b: after, as: policy.Assume(before, after), done: map[string]bool{},
		numbers: map[string]int{}, solved: map[string]solution{}, ties: map[string][2][]int{}}
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
	for _, s := range []elicit.Severity{elicit.Low, elicit.Medium, elicit.High, elicit.Critical} {
		if declines(before, s) && !declines(after, s) {
			e.findings = append(e.findings, s)
		}
	}
	e.differ, e.all = e.differing()
	e.times()
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

// rank orders decisions by strictness.
func rank(d policy.Decision) int {
	r := 2 * int(d.Outcome)
	if d.Outcome == policy.Ask && policy.DeclinesUnasked(d.Reasons) {
		r++
	}
	return r
}

// explorer goes through the kinds of requests.
type explorer struct {
	a, b     policy.Stack
	as       *policy.Assumptions
	used     map[string]bool
	findings []elicit.Severity
	at       []int64
	runs     int
	spurious int
	why      string
	witness  *Result
	done     map[string]bool // summaries of matches that were decided in full

	differ  []policy.Rule // the rules that the stacks do not share
	own     []bool        // which of them are of the second stack
	shared  map[int]bool  // the rules of the first stack that are in both
	all     bool          // the stacks differ in more than rules
	servers []string
	numbers map[string]int      // of patterns and answers
	solved  map[string]solution // texts that were looked for
	ties    map[string][2][]int // the answers that follow from an answer: from no, and from yes
	forced  map[int][2]bool     // the answers that cannot be yes, or no

	class   class
	facts   []policy.Facts  // the kinds of requests of the class
	marks   []string        // what the tables of approval policies tell apart in each of them
	uniform map[[2]int]bool // answers that all of them give
	left    []int           // those that the answers so far leave
	path    []choice
	next    int
	answers map[string]bool
	texts   map[string]*texts
	loose   int // the rule of the first stack that matches loosely, or -1
	truths  []truth
	second  bool

	looseShared bool // a rule of both stacks may match loosely in the first one alone
}

type choice struct{ value, both bool }

// truth is an answer about what has no single text.
type truth struct {
	c     *policy.Criterion
	level policy.Level
	holds bool
}

func (e *explorer) uses(key string) {
	if e.used == nil {
		e.used = map[string]bool{}
	}
	e.used[key] = true
}

func (e *explorer) stop() bool {
	return e.witness != nil || e.why != "" && e.runs > maxRuns || e.spurious > 40
}

// times lists a time in each stretch of the day that quiet hours tell apart.
func (e *explorer) times() {
	e.at = []int64{0}
	for _, m := range append(e.a.Minutes(), e.b.Minutes()...) {
		e.at = append(e.at, int64(20_000*1440+m)*60_000)
	}
	slices.Sort(e.at)
	e.at = slices.Compact(e.at)
}

// explore follows every way to answer what the decisions ask about one class of requests.
func (e *explorer) explore() {
	e.path, e.forced, e.uniform = nil, map[int][2]bool{}, map[[2]int]bool{}
	for !e.stop() {
		if e.runs++; e.runs > maxRuns {
			e.why = cmp.Or(e.why, "the rules tell too many kinds of requests apart")
			return
		}
		e.next, e.answers, e.texts, e.loose, e.truths = 0, map[string]bool{}, map[string]*texts{}, -1, nil
		clear(e.forced)
		e.left = e.left[:0]
		for i := range e.facts {
			e.left = append(e.left, i)
		}
		e.as.Answer = e.answer
		e.second = false
		if e.touched() {
			before := e.a.DecideAssuming(&e.facts[0], e.as)
			e.second = true
			after := e.b.DecideAssuming(&e.facts[0], e.as)
			e.leaf(summary(before) + "|" + summary(after))
		}
		for len(e.path) > 0 && !e.path[len(e.path)-1].both {
			e.path = e.path[:len(e.path)-1]
		}
		if len(e.path) == 0 {
			return
		}
		e.path[len(e.path)-1] = choice{value: !e.path[len(e.path)-1].value}
	}
}

// summary is what the rules say of a request: all that the rest of a decision needs of it.
func summary(d policy.Decision) (text string) {
	for _, r := range d.Reasons {
		switch r.Code {
		case "rule_matched", "rule_resembled", "rule_possible", "rule_broken", "unknown_asks", "unknown_declines":
			text += r.Layer + r.Code
			for _, a := range r.Args {
				if a.Name == "then" {
					text += a.Raw
				}
			}
		}
	}
	return text
}

// leaf decides about the requests that the answers leave, in all that rules do not look at.
func (e *explorer) leaf(summary string) {
	answer := func(id int, l policy.Level) (bool, bool) {
		if !e.assumed(&e.as.Criteria[id], l) {
			return false, false
		}
		return e.answers[nameOf(&e.as.Criteria[id], l)], true
	}
	for _, i := range e.left {
		key := e.class.key + "\x00" + e.marks[i] + "\x00" + summary
		if e.done[key] {
			continue
		}
		e.done[key] = true
		e.as.Answer = answer
		f := e.facts[i]
		e.around(&f, func(f *policy.Facts, finding elicit.Severity) bool {
			e.runs++
			before, after := e.decide(e.a, f, finding), e.decide(e.b, f, finding)
			if rank(after) >= rank(before) {
				return true
			}
			if !e.confirm(*f, finding) {
				e.spurious++
				e.why = "no request could be made of what the rules look at"
				delete(e.done, key)
			}
			return false
		})
		if e.stop() {
			return
		}
	}
}

func (e *explorer) decide(s policy.Stack, f *policy.Facts, finding elicit.Severity) policy.Decision {
	return tightened(s, s.DecideAssuming(f, e.as), finding)
}

// tightened is a decision after the inspection found something, or nothing.
func tightened(s policy.Stack, d policy.Decision, finding elicit.Severity) policy.Decision {
	if finding == "" {
		return d
	}
	return s.Tighten(d, []elicit.Finding{{Severity: finding}})
}

// around tries a request with all that no criterion looks at, until try returns false.
func (e *explorer) around(f *policy.Facts, try func(*policy.Facts, elicit.Severity) bool) {
	touches := []string{""}
	if e.class.deed != elicit.DeedNone {
		touches = []string{"", "settings", "unread"}
	}
	for _, strict := range []bool{false, true} {
		f.StrictReview, f.AutoReviewAllowed = strict, strict
		e.as.Touch, f.Granted, f.At = "", "", 0
		e.runs++
		if e.b.DecideAssuming(f, e.as).Outcome == policy.Decline {
			continue // whatever else is so: nothing takes a decline back
		}
		for _, e.as.Touch = range touches {
			for _, f.Granted = range []string{"", "g"} {
				for _, f.At = range e.at {
					for _, finding := range e.findings {
						if !try(f, finding) {
							return
						}
					}
				}
			}
		}
	}
}
