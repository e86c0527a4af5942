package learn

import (
	"github.com/elicit-engine/elicit/engine/elicit"
)

// danger is what the criterion dangerous says of a question, or what a rule wants of it.
type danger uint8

const (
	anyDanger danger = iota // of a rule: it does not look at it
	dangerous
	harmless
)

// json returns the criterion, if the rule has it.
func (d danger) json() (criterion []elicit.Arg) {
	if d == anyDanger {
		return nil
	}
	return []elicit.Arg{elicit.Bool("dangerous", d == dangerous)}
}

// tellDangers lists the servers that have asked both dangerous and harmless things. For no other server can the
// criterion dangerous tell answers apart.
func tellDangers(all []pastAnswer) map[string]bool {
	seen := map[string][harmless + 1]bool{}
	for i := range all {
		both := seen[all[i].server]
		both[all[i].danger] = true
		seen[all[i].server] = both
	}
	servers := map[string]bool{}
	for server, both := range seen {
		servers[server] = both[dangerous] && both[harmless]
	}
	return servers
}

// thresholds are the words of findings.decline that can be learned, the strictest first. Critical is the default.
var thresholds = []elicit.Severity{elicit.Medium, elicit.High}

// learnThreshold looks for a threshold of findings that would have declined only what the person declined. It returns
// the strictest of those that give the most open answers, and their number.
func (s *learnSearch) learnThreshold() (word elicit.Severity, answers int) {
	if s.threshold != "" || s.fixed {
		return "", 0
	}
	for _, t := range thresholds {
		n, agrees := 0, true
		for i := range s.all {
			switch a := &s.all[i]; {
			case a.severity < t.Rank() || a.answer == "":
			case a.answer != elicit.Declined:
				agrees = false
			case !s.given[i] && !s.settled[i]:
				n += s.past[*a]
			}
		}
		if agrees && n > answers {
			word, answers = t, n
		}
	}
	return word, answers
}

// takeThreshold makes a threshold part of the policy. No rule needs to look at what it declines.
func (s *learnSearch) takeThreshold(word elicit.Severity) {
	s.threshold = word
	for i := range s.all {
		if s.all[i].severity >= word.Rank() {
			s.settled[i] = true
		}
	}
	s.count()
}
