package main

import (
	"cmp"
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
}

// scopes lists the criteria that match an answer. Those with fewer criteria come first.
func (a *pastAnswer) scopes() []ruleScope {
	list := []ruleScope{{server: a.server}, {server: a.server, kind: a.kind}}
	if a.severalTools {
		return list
	}
	list = append(list, ruleScope{server: a.server, tool: a.tool, ofTool: true},
		ruleScope{server: a.server, tool: a.tool, ofTool: true, kind: a.kind})
	if a.text == "" {
		return list
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

// learnRules searches greedily for the fewest rules that give as many of the answers as possible. Each rule gives at
// least `least` answers, and none that differs from one in the past.
func learnRules(past map[pastAnswer]int, least int) (rules []learnedRule) {
	all := make([]pastAnswer, 0, len(past))
	for a := range past {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b pastAnswer) int {
		return cmp.Or(cmp.Compare(a.server, b.server), cmp.Compare(a.tool, b.tool), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.text, b.text), cmp.Compare(a.answer, b.answer))
	})
	counts, unknown := map[ruleScope]*scopeCount{}, map[ruleScope]*scopeCount{}
	var order []ruleScope
	for i := range all {
		for _, s := range all[i].scopes() {
			if counts[s] == nil {
				counts[s] = &scopeCount{}
				order = append(order, s)
			}
			counts[s].add(&all[i])
		}
		if s := all[i].unknownText(); all[i].text == "" {
			if unknown[s] == nil {
				unknown[s] = &scopeCount{}
			}
			unknown[s].add(&all[i])
		}
	}
	given := make([]bool, len(all))
	for len(rules) < maxLearned {
		for _, s := range order {
			counts[s].open = 0
		}
		for i := range all {
			for _, s := range all[i].scopes() {
				if !given[i] && all[i].answer != "" && counts[s].allows(s, all[i].answer) &&
					unknown[s.anyText()].agrees(s, all[i].answer) {
					counts[s].open += past[all[i]]
				}
			}
		}
		best := -1
		for i, s := range order {
			if best < 0 || counts[s].open > counts[order[best]].open {
				best = i
			}
		}
		if best < 0 || counts[order[best]].open < max(least, 1) {
			break
		}
		rule := learnedRule{about: order[best], answers: counts[order[best]].open}
		var covered []*pastAnswer
		for i := range all {
			if !given[i] && all[i].answer != "" && slices.Contains(all[i].scopes(), rule.about) {
				given[i], rule.then = true, all[i].answer
				covered = append(covered, &all[i])
			}
		}
		rule.narrow(covered)
		rules = append(rules, rule)
	}
	return rules
}

// anyText is the scope of all texts, for a scope of some.
func (s ruleScope) anyText() ruleScope {
	s.text, s.begins, s.whole = "", true, false
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
