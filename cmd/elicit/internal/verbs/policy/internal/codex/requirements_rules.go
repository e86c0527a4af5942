package codex

import (
	"fmt"
	"slices"
)

// prefixRules translates [rules] prefix_rules. Requirements can only restrict, so a rule that allows is wrong.
func (m *managed) prefixRules(s setting) {
	list, ok := s.value.([]any)
	if !ok || len(s.path) > 2 {
		m.enter(s, Wrong, "", "this must be one list of rules")
		return
	}
	for i, v := range list {
		at := Entry{Line: s.line, Column: s.column, Key: s.key(), Status: Translated}
		members, _ := v.([]setting)
		tokens, decision, why, fault := readPrefixRule(members)
		if fault != "" {
			at.Status, at.Why = Wrong, fmt.Sprintf("rule %d: %s", i+1, fault)
			m.entries = append(m.entries, at)
			continue
		}
		at.Value = spellTokens(tokens) + " " + decision
		if decision == "prompt-user" {
			decision, at.Why = "prompt", "the person is asked, not the reviewer"
		}
		// The rules of one list stand on one line, so their numbers name them.
		m.rules.add(fmt.Sprintf("prefix_rules %d", i+1), tokens, decision, why, &at)
		m.entries = append(m.entries, at)
	}
}

// readPrefixRule reads {pattern = [{token = "ls"}, {any_of = ["a", "b"]}], decision = …, justification = …}.
func readPrefixRule(members []setting) (tokens [][]string, decision, why, fault string) {
	var pattern []any
	for _, s := range members {
		switch s.key() {
		case "pattern":
			pattern, _ = s.value.([]any)
		case "decision":
			decision, _ = s.value.(string)
		case "justification":
			why, _ = s.value.(string)
		default:
			return nil, "", "", s.key() + " is not known"
		}
	}
	words := make([]any, len(pattern))
	for i, one := range pattern {
		words[i] = one // a bare text is read too
		if parts, ok := one.([]setting); ok && len(parts) == 1 && (parts[0].key() == "token" || parts[0].key() == "any_of") {
			words[i] = parts[0].value
		}
	}
	if tokens, fault = tokensOf(words); fault != "" {
		return nil, "", "", fault
	}
	if !slices.Contains([]string{"prompt", "prompt-user", "forbidden"}, decision) {
		return nil, "", "", `known decisions are "prompt", "prompt-user" and "forbidden"; requirements cannot allow`
	}
	return tokens, decision, why, ""
}
