package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// Two stacks are compared by deciding about requests of which little is known. What a criterion says of such a request
// is assumed, and the rest is decided as usual.

// Level is how far a criterion is asked to match.
type Level uint8

// These are the levels, in the order in which a decision asks for them.
const (
	Holds     Level = iota // it surely matches
	Resembles              // another reading of a known fact matches
	MayHold                // it may match, because a fact is not known
)

// Assumptions answer in place of facts. Package compare makes them.
type Assumptions struct {
	Criteria []Criterion // of the stacks, by their number
	Rules    [][]Rule    // of each stack, from the top
	Answer   func(criterion int, l Level) (holds, assumed bool)
	Touch    string // what self-protection sees in a deed: "" for nothing, "settings" or "unread"
	Unknown  bool   // the tool may be any

	ids     map[*criterion]int
	places  []ownedCriterion
	touches map[*impact.Report]guarded.Touch // of deeds that no inspection sees
}

type ownedCriterion struct {
	*criterion
	layer *ranked
}

// Rule is a rule in a comparison. Rules with equal keys in one layer do the same.
type Rule struct {
	Layer  Layer
	Place  int // of its policy in the stack
	Key    string
	When   []int // the numbers of its criteria
	Unless []int
	Then   Outcome
	Broken bool
}

// Criterion is one condition of a rule. Equal keys are equal conditions.
type Criterion struct {
	On       string   // its key in a policy file
	Key      string   // the subject, the patterns, and what its rule asks of them
	Same     string   // the key without the patterns
	Patterns []string // one key for each pattern
	Globs    [][]Step
	Looks    [][]Step      // the same for a message as a person reads it
	Exact    []bool        // the pattern has no wildcard
	Wide     bool          // a pattern of hosts is compared with the Unicode spelling
	Unless   bool          // it is part of an exception
	Flag     bool          // it is true or false, and has no patterns
	Want     bool          // the wanted value, for a flag
	Alone    bool          // a path without a host, or a host without a path: it holds for no deed with both
	Every    bool          // all impacts of the kind must match
	Named    []impact.Kind // for impacts: the kinds that its rule names, if the deed may have no other
}

// Single is the criterion with one of its patterns.
func (c Criterion) Single(i int) *Criterion {
	one := c
	one.Patterns, one.Globs, one.Exact = []string{KeyOf(c.Globs[i])}, c.Globs[i:i+1], c.Exact[i:i+1]
	if c.Looks != nil {
		one.Looks = c.Looks[i : i+1]
	}
	one.Key = c.Same + one.Patterns[0]
	return &one
}

// Step is one element of a pattern: a star, or what matches one character.
type Step struct {
	Star bool
	e    element
	fold bool
}

// Match reports whether a step that is no star matches the character.
func (s Step) Match(r rune) bool { return s.e.match(r, s.fold) }

// Runes lists characters at which the step may begin or end to match.
func (s Step) Runes() []rune {
	list := []rune{s.e.lo}
	for _, in := range s.e.set {
		list = append(list, in.lo, in.hi, in.hi+1, max(in.lo-1, 1), unicode.ToLower(in.lo), unicode.ToLower(in.hi))
	}
	return list
}

// Assume lists the criteria of stacks. A policy that stands in both stacks gives its criteria once, so their answers
// are shared. Equal criteria of different policies keep two numbers; package compare joins them by their keys.
func Assume(stacks ...Stack) *Assumptions {
	a := &Assumptions{ids: map[*criterion]int{}, touches: map[*impact.Report]guarded.Touch{}}
	for n, s := range stacks {
		a.Rules = append(a.Rules, nil)
		for i := range s.layers {
			for j := range s.layers[i].rules {
				r := &s.layers[i].rules[j]
				one := Rule{Layer: s.layers[i].layer, Place: i, Then: r.then, Broken: r.broken,
					Key: r.then.String() + sign(r.broken, r.unless != nil)}
				one.When = a.add(&s.layers[i], r.when, false)
				one.Unless = a.add(&s.layers[i], r.unless, true)
				for _, id := range append(slices.Clone(one.When), one.Unless...) {
					one.Key += sign(a.Criteria[id].Unless) + a.Criteria[id].Key + "\x00"
				}
				a.Rules[n] = append(a.Rules[n], one)
			}
		}
	}
	return a
}

func (a *Assumptions) add(layer *ranked, list []criterion, unless bool) (ids []int) {
	for k := range list {
		ids = append(ids, len(a.Criteria))
		if id, known := a.ids[&list[k]]; known { // one policy in both stacks
			ids[k] = id
			continue
		}
		a.ids[&list[k]] = len(a.Criteria)
		c := list[k].export()
		c.Unless = unless
		a.Criteria, a.places = append(a.Criteria, c), append(a.places, ownedCriterion{&list[k], layer})
	}
	return ids
}

func (c *criterion) export() Criterion {
	e := Criterion{On: subjects[c.on].key, Flag: c.on.flag(), Want: c.want, Alone: c.alone, Every: c.every, Named: c.named,
		Same: subjects[c.on].key + sign(c.alone, c.want, c.every, c.named != nil)}
	for _, kind := range c.named {
		e.Same += " " + string(kind)
	}
	for i := range c.globs {
		g := &c.globs[i]
		steps := stepsIn(g, subjects[c.on].as != exactCase)
		e.Globs, e.Exact, e.Wide = append(e.Globs, steps), append(e.Exact, g.sort == globExact), e.Wide || g.wide
		e.Patterns = append(e.Patterns, KeyOf(steps))
		if c.on == onMessage {
			e.Looks = append(e.Looks, stepsIn(&c.looks[i], true))
		}
	}
	slices.Sort(e.Patterns)
	e.Key = e.Same + strings.Join(e.Patterns, "\x00")
	return e
}

func sign(flags ...bool) (text string) {
	for _, is := range flags {
		text += map[bool]string{true: "+", false: "-"}[is]
	}
	return text
}

// KeyOf spells a pattern, so that equal patterns have equal keys. Negative numbers stand for what is no character, so
// no pattern can spell the key of another one.
func KeyOf(steps []Step) string {
	var key []rune
	for _, s := range steps {
		switch {
		case s.Star:
			key = append(key, -2)
		case s.e.any:
			key = append(key, -3)
		case s.e.set == nil:
			key = append(key, s.e.lo)
		default:
			key = append(key, -4, map[bool]rune{true: -5, false: -6}[s.e.negate])
			for _, in := range s.e.set {
				key = append(key, in.lo, in.hi)
			}
		}
	}
	var text []byte
	for _, r := range key {
		text = append(text, byte(r>>24), byte(r>>16), byte(r>>8), byte(r))
	}
	return string(text)
}

func stepsIn(g *glob, fold bool) (list []Step) {
	elements, loop := g.elements()
	for i := range len(elements) + 1 {
		if loop(i) {
			list = append(list, Step{Star: true})
		}
		if i < len(elements) {
			list = append(list, Step{e: elements[i], fold: fold})
		}
	}
	return list
}

// Mark numbers all that deciding about a request of one tool looks at beside its rules, the tool and what is not known
// when it comes. Package compare decides once for requests with equal marks that the rules say the same of.
func (f *Facts) Mark() uint16 {
	row := f.row()
	mark := uint16(row) << 8
	for i, is := range [...]bool{f.dataless(), f.uninspected(), f.deed() != elicit.DeedNone} {
		if is {
			mark += 1 << i
		}
	}
	if row.approval() {
		for i, a := range [...]approvals{approvalsAuto, approvalsWrites} {
			if a.gives(f.Annotations.Traits()) {
				mark += 8 << i
			}
		}
	}
	return mark
}

// DecideAssuming decides as Decide does for one tool, and asks for what is assumed. Rules that no longer count are not
// looked at. a.Answer must not be nil. Candidates of f are not looked at.
func (s Stack) DecideAssuming(f *Facts, a *Assumptions) Decision {
	return s.decide(f, a.Unknown, &texts{assumed: a})
}

// DecideBoth decides about the same facts by two stacks, and reads the facts once. It names no layer beside those that
// speak.
func DecideBoth(a, b Stack, f *Facts) (Decision, Decision) {
	x := &texts{}
	return a.decideAll(f, x), b.decideAll(f, x)
}

// Evaluate reports whether a criterion matches facts.
func (a *Assumptions) Evaluate(f *Facts, number int, l Level) bool {
	c := a.places[number]
	t := tally{facts: f, unknown: a.Unknown, traits: c.layer.traits(f)}
	return t.at(c.criterion, l)
}

// OnTool reports whether a criterion looks at the tool of a server.
func (a *Assumptions) OnTool(number int, server string) bool {
	c := a.places[number]
	at := c.layer.servers[server]
	return c.on == onTool || c.on.trait() && at != nil && at.trusted
}

func (t *tally) at(c *criterion, l Level) bool {
	switch l {
	case Holds:
		return t.holds(c)
	case Resembles:
		return t.resembles(c)
	}
	return t.mayHold(c)
}

// ask is at, unless the answer is assumed.
func (t *tally) ask(c *criterion, l Level) bool {
	if t.assumes() {
		a := t.known.assumed
		if holds, assumed := a.Answer(a.ids[c], l); assumed {
			return holds
		}
	}
	return t.at(c, l)
}

func (t *tally) assumes() bool { return t.known != nil && t.known.assumed != nil }

// touch is what self-protection sees. Requests with one report differ in nothing that it looks at.
func (a *Assumptions) touch(t *tally) guarded.Touch {
	if !t.facts.uninspected() {
		return guarded.Touch{What: a.Touch, Name: a.Touch}
	}
	touch, known := a.touches[t.facts.Impacts]
	if !known {
		touch = t.realTouch()
		a.touches[t.facts.Impacts] = touch
	}
	return touch
}

// Names lists the servers that the stack names, and the tools of each.
func (s Stack) Names() map[string][]string {
	names := map[string][]string{}
	for i := range s.layers {
		for name, server := range s.layers[i].servers {
			names[name] = append(names[name], "")
			for tool := range server.tools {
				names[name] = append(names[name], tool)
			}
		}
	}
	return names
}

// Trusts reports whether some layer believes what the server says of its tools.
func (s Stack) Trusts(server string) bool {
	return slices.ContainsFunc(s.layers, func(p ranked) bool { at := p.servers[server]; return at != nil && at.trusted })
}

// Minutes lists the minutes of a day of UTC at which quiet hours of the stack begin or end.
func (s Stack) Minutes() (list []int) {
	for i := range s.layers {
		if q := s.layers[i].quiet; q != nil {
			for _, at := range []int{q.from, q.to} {
				list = append(list, ((at-q.offset)%day+day)%day)
			}
		}
	}
	return list
}

// Literal lists the steps of a pattern that matches one text.
func Literal(text string) (list []Step) {
	for _, r := range text {
		list = append(list, Step{e: element{lo: r}})
	}
	return list
}

// Beyond matches a text with a character beyond ASCII, and Mapped what an IPv4 address is in IPv6. Respelled match the
// hosts that have such another spelling.
var (
	Beyond = []Step{{Star: true}, {e: element{set: []span{{utf8.RuneSelf, utf8.MaxRune}}}}, {Star: true}}
	Mapped = append(Literal("::ffff:"), Step{Star: true})

	Respelled = [][]Step{append(Literal("xn--"), Step{Star: true}),
		append(append([]Step{{Star: true}}, Literal(".xn--")...), Step{Star: true}),
		{{e: digit}, {Star: true}, {e: element{lo: '.'}}, {Star: true}, {e: digit}}}

	Upward = append(append([]Step{{Star: true}}, Literal("..")...), Step{Star: true}) // matches a path with ".."

	digit = element{set: []span{{'0', '9'}}}
)

// Withheld lists the patterns of fields that the stack withholds. server says that a pattern is for a server's name, a
// slash and a field's name.
func (s Stack) Withheld() (list []Criterion, server []bool) {
	for i := range s.withhold {
		steps := stepsIn(&s.withhold[i].pattern.glob, true)
		list = append(list, Criterion{Key: KeyOf(steps), Globs: [][]Step{steps}})
		server = append(server, s.withhold[i].server)
	}
	return list, server
}

// AlikeButRules reports whether two stacks have the same layers, which differ in rules alone.
func AlikeButRules(a, b Stack) bool {
	same := len(a.layers) == len(b.layers) && a.decline == b.decline && a.declineLayer == b.declineLayer &&
		a.unknown == b.unknown && a.unknownLayer == b.unknownLayer
	for i := 0; same && i < len(a.layers); i++ {
		p, q := a.layers[i].Policy, b.layers[i].Policy
		same = p.layer == q.layer && p.unreadable == q.unreadable && a.layers[i].settings == b.layers[i].settings &&
			p.reviewer == q.reviewer && p.place().compare(q.place()) == 0 && len(p.servers) == len(q.servers) &&
			(p.quiet == nil) == (q.quiet == nil)
		if same && p.quiet != nil {
			same = p.quiet.from == q.quiet.from && p.quiet.to == q.quiet.to && p.quiet.offset == q.quiet.offset &&
				p.quiet.then == q.quiet.then
		}
		for name, s := range p.servers {
			t := q.servers[name]
			same = same && t != nil && s.trusted == t.trusted && s.alike(t.place) && len(s.tools) == len(t.tools)
			for tool, at := range s.tools {
				same = same && at.alike(t.tools[tool])
			}
		}
	}
	return same
}

func (p *Policy) place() place {
	return place{approvalPolicy: p.approvalPolicy, approvalArgs: p.approvalArgs}
}

func (at place) alike(o place) bool { return at.approvals == o.approvals && at.compare(o) == 0 }
