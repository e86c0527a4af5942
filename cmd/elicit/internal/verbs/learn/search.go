package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Bounds of the search. Beyond maxPastAnswers different answers only short texts are compared. Beyond twice as many,
// new ones lose their texts: they still forbid rules, but no rule about texts is made of them.
const (
	maxPastAnswers   = 10_000
	maxLearned       = 100 // rules
	maxLearnedText   = 160 // bytes of a message that are compared
	shortLearnedText = 24  // of these, when there are many answers
	leastText        = 4   // bytes of a beginning of a message
	mostWords        = 12  // beginnings of a message that are tried
)

// pastAnswer is one answer that the person gave, once or many times, to questions that a rule could not tell apart.
type pastAnswer struct {
	server, tool string
	kind         elicit.Kind
	text         string         // the beginning of the message, "" when it is not known
	more         bool           // the message is longer
	severalTools bool           // it is not known which tool asked
	danger       danger         // what the criterion dangerous says of it
	severity     int            // the highest Severity.Rank of its findings
	answer       elicit.Outcome // "" when the person saw it and did not answer
	forbidsYes   bool           // no rule may accept it
}

// learnedRule is a rule that a search made.
type learnedRule struct {
	then    elicit.Outcome
	about   ruleScope
	answers int // that it gives
}

// ruleScope are the criteria of a learned rule. The server always is one.
type ruleScope struct {
	server, tool  string
	ofTool        bool
	kind          elicit.Kind // "" for any
	text          string      // in lower case
	begins, whole bool        // the message begins with text, or is text; false both for any message
	danger        danger
}

// scopes lists the criteria that match an answer. Those with fewer criteria come first, and those that look at a text,
// which the server chooses, come last. With dangers, all come again with the criterion dangerous.
func (a *pastAnswer) scopes(dangers bool) []ruleScope {
	list := []ruleScope{{server: a.server}, {server: a.server, kind: a.kind}}
	if !a.severalTools {
		list = append(list, ruleScope{server: a.server, tool: a.tool, ofTool: true},
			ruleScope{server: a.server, tool: a.tool, ofTool: true, kind: a.kind})
	}
	texts := a.textScopes()
	if !dangers {
		return append(list, texts...)
	}
	return slices.Concat(list, a.withDanger(list), texts, a.withDanger(texts))
}

// withDanger adds the criterion dangerous to each scope.
func (a *pastAnswer) withDanger(list []ruleScope) []ruleScope {
	list = slices.Clone(list)
	for i := range list {
		list[i].danger = a.danger
	}
	return list
}

// textScopes lists the criteria that look at the message.
func (a *pastAnswer) textScopes() (list []ruleScope) {
	if a.severalTools || a.text == "" {
		return nil
	}
	one := ruleScope{server: a.server, tool: a.tool, ofTool: true, kind: a.kind, begins: true}
	text := strings.ToLower(a.text)
	words := 0
	for i, r := range text {
		if r == ' ' && i >= leastText && words < mostWords {
			one.text = text[:i+1]
			list = append(list, one)
			words++
		}
	}
	if !a.more {
		one.text, one.begins, one.whole = text, false, true
		list = append(list, one)
	}
	return list
}

// unknownText is the scope in which an answer without a text forbids rules about texts.
func (a *pastAnswer) unknownText() ruleScope {
	return ruleScope{server: a.server, tool: a.tool, ofTool: true, kind: a.kind, begins: true}
}

// scopeCount is what the person answered to the questions of a scope.
type scopeCount struct {
	answers    map[elicit.Outcome]bool
	forbidsYes bool
	open       int // answers that no rule gives yet
}

func (c *scopeCount) add(a *pastAnswer) {
	if a.answer != "" {
		if c.answers == nil {
			c.answers = map[elicit.Outcome]bool{}
		}
		c.answers[a.answer] = true
	}
	c.forbidsYes = c.forbidsYes || a.forbidsYes
}

// allows reports whether a rule for the scope may give an answer: the person gave it always, and it may accept only
// what a person need not see.
func (c *scopeCount) allows(s ruleScope, answer elicit.Outcome) bool {
	if len(c.answers) != 1 || !c.answers[answer] {
		return false
	}
	if answer != elicit.Accepted {
		return true
	}
	return !c.forbidsYes && (s.begins || s.whole) && (s.kind == elicit.KindConfirm || s.kind == elicit.KindApproval)
}

// learnSearch is one search for rules.
type learnSearch struct {
	past    map[pastAnswer]int
	all     []pastAnswer // the keys of past, in a fixed order
	scopes  [][]ruleScope
	given   []bool // a rule gives the answer
	settled []bool // the threshold gives it, so no rule need look at it

	counts, unknown map[ruleScope]*scopeCount
	order           []ruleScope

	threshold elicit.Severity // of findings that decline; "" for none
	fixed     bool            // the policy has a threshold of its own
}

func newLearnSearch(past map[pastAnswer]int) *learnSearch {
	s := &learnSearch{past: past}
	s.all = slices.SortedFunc(maps.Keys(past), func(a, b pastAnswer) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.tool, b.tool), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.text, b.text), cmp.Compare(a.answer, b.answer), cmp.Compare(a.danger, b.danger),
			cmp.Compare(a.severity, b.severity))
	})
	dangers := tellDangers(s.all)
	for i := range s.all {
		s.scopes = append(s.scopes, s.all[i].scopes(dangers[s.all[i].server]))
	}
	s.given, s.settled = make([]bool, len(s.all)), make([]bool, len(s.all))
	s.count()
	return s
}

// count counts the answers that a rule could give or contradict.
func (s *learnSearch) count() {
	s.counts, s.unknown, s.order = map[ruleScope]*scopeCount{}, map[ruleScope]*scopeCount{}, nil
	for i := range s.all {
		if s.settled[i] {
			continue
		}
		for _, scope := range s.scopes[i] {
			if s.counts[scope] == nil {
				s.counts[scope] = &scopeCount{}
				s.order = append(s.order, scope)
			}
			s.counts[scope].add(&s.all[i])
		}
		if scope := s.all[i].unknownText(); s.all[i].text == "" {
			if s.unknown[scope] == nil {
				s.unknown[scope] = &scopeCount{}
			}
			s.unknown[scope].add(&s.all[i])
		}
	}
}

// best returns the scope whose rule gives the most open answers, and their number.
func (s *learnSearch) best() (best ruleScope, answers int) {
	for _, scope := range s.order {
		s.counts[scope].open = 0
	}
	for i := range s.all {
		if s.given[i] || s.settled[i] || s.all[i].answer == "" {
			continue
		}
		for _, scope := range s.scopes[i] {
			if s.counts[scope].allows(scope, s.all[i].answer) &&
				s.unknown[scope.anyText()].agrees(scope, s.all[i].answer) {
				s.counts[scope].open += s.past[s.all[i]]
			}
		}
	}
	for _, scope := range s.order {
		if n := s.counts[scope].open; n > answers {
			best, answers = scope, n
		}
	}
	return best, answers
}

// rules searches greedily for the fewest rules that give as many of the answers as possible. Each rule gives at least
// `least` answers, and none that differs from one in the past. A threshold for findings counts like a rule, and is
// taken where it gives more answers than every rule.
func (s *learnSearch) rules(least int) (rules []learnedRule) {
	for len(rules) < maxLearned {
		scope, answers := s.best()
		if word, n := s.learnThreshold(); n > answers && n >= max(least, 1) {
			s.takeThreshold(word)
			continue
		}
		if answers < max(least, 1) {
			break
		}
		rule := learnedRule{about: scope, answers: answers}
		var covered []*pastAnswer
		for i := range s.all {
			if !s.given[i] && !s.settled[i] && s.all[i].answer != "" && slices.Contains(s.scopes[i], scope) {
				s.given[i], rule.then = true, s.all[i].answer
				covered = append(covered, &s.all[i])
			}
		}
		rule.narrow(covered)
		rules = append(rules, rule)
	}
	return rules
}

// anyText is the scope of all texts, for a scope of some.
func (s ruleScope) anyText() ruleScope {
	s.text, s.begins, s.whole, s.danger = "", true, false, anyDanger
	return s
}

// agrees reports whether answers of unknown texts permit a rule about texts.
func (c *scopeCount) agrees(s ruleScope, answer elicit.Outcome) bool {
	return c == nil || !s.begins && !s.whole || len(c.answers) == 0 && !c.forbidsYes || c.allows(s, answer)
}

// narrow makes a rule that accepts as narrow as what it accepted: a server chooses its texts, and the person said yes
// to these only.
func (r *learnedRule) narrow(covered []*pastAnswer) {
	if r.then != elicit.Accepted {
		return
	}
	common, whole := strings.ToLower(covered[0].text), !covered[0].more
	for _, a := range covered[1:] {
		text := strings.ToLower(a.text)
		n := 0
		for n < min(len(common), len(text)) && common[n] == text[n] {
			n++
		}
		whole = whole && !a.more && n == len(common) && n == len(text)
		common = common[:n]
	}
	if whole && common != "" {
		r.about.text, r.about.begins, r.about.whole = common, false, true
		return
	}
	for !utf8.ValidString(common) {
		common = common[:len(common)-1]
	}
	if end := strings.LastIndexByte(common, ' '); end >= leastText {
		r.about.text, r.about.begins, r.about.whole = common[:end+1], true, false
	}
}
