package codex

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/policy"
)

// ruleSet collects the rules of rules files and of requirements. All rules of a file count: the strictest of those
// that match a command holds. In a policy the first one holds, so rules that decline come first and those that accept
// last.
type ruleSet struct {
	decline, ask []rule
	accept       []string // patterns; one rule has them all, because every command of a line must match it
	review       bool     // prompts go to the reviewer
}

// list returns the rules in the order of a policy.
func (s *ruleSet) list() []rule {
	rules := append(slices.Clone(s.decline), s.ask...)
	if len(s.accept) > 0 {
		rules = append(rules, rule{Name: "allowed commands", When: criteria{"command": oneOrMany(s.accept)}, Then: "accept"})
	}
	return rules
}

func same(s string) string { return s }

// importRules translates one rules file.
func (s *ruleSet) importRules(source *Source) Report {
	f := file{source: source, layer: policy.User}
	calls, faults := readCalls(string(source.Text))
	for _, bad := range faults {
		at := Entry{Line: bad.line, Column: bad.column, Status: Wrong, Why: bad.text + "; "}
		s.salvage(&f, bad.salvaged, at)
	}
	for i := range calls {
		c := &calls[i]
		at := Entry{Line: c.line, Column: c.column, Key: c.name}
		switch c.name {
		case "prefix_rule":
			s.prefixRule(&f, c, at)
		case "network_rule":
			s.networkRule(&f, c, at)
		case "host_executable":
			at.Status, at.Why = NoEquivalent, "a pattern compares the program as it is written; name its path in a rule"
			f.entries = append(f.entries, at)
		default:
			at.Status, at.Why = Wrong, "known are prefix_rule, network_rule and host_executable; it may forbid a command; "
			s.salvage(&f, c, at)
		}
	}
	slices.SortStableFunc(f.entries, func(a, b Entry) int { return a.Line - b.Line })
	return Report{Source: source.Name, Layer: policy.User, Entries: f.entries}
}

// salvage makes a rule that asks in place of a statement that cannot be read: about the commands that it names, or
// about every command if it names none. It may have forbidden them.
func (s *ruleSet) salvage(f *file, c *call, at Entry) {
	r := rule{Name: s.name(f.source, at.Line), Then: "ask", Why: "a rule of Codex could not be read",
		When: criteria{"does": "command"}}
	what := "every command"
	if c != nil {
		at.Key = c.name
		if tokens, fault := tokensOf(c.get("pattern", 0)); fault == "" {
			r.When = criteria{"command": oneOrMany(tightening(tokens))}
			what = "such a command"
		}
	}
	at.Why += what + " is asked until you correct it"
	at.To = "rule " + r.Name
	s.ask = append(s.ask, r)
	f.entries = append(f.entries, at)
}

func (s *ruleSet) name(source *Source, line int) string {
	return fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(source.Name, `\`, "/")), line)
}

func (c *call) get(name string, position int) any {
	for i, a := range c.args {
		if a.name == name || a.name == "" && i == position {
			return a.value
		}
	}
	return nil
}

// unknown names an argument that is not among the known ones; it is "" if there is none.
func (c *call) unknown(known ...string) string {
	for _, a := range c.args {
		if a.name != "" && !slices.Contains(known, a.name) {
			return a.name
		}
	}
	return ""
}

func (s *ruleSet) prefixRule(f *file, c *call, at Entry) {
	tokens, fault := tokensOf(c.get("pattern", 0))
	decision, isText := c.get("decision", 1).(string)
	if c.get("decision", 1) == nil {
		decision, isText = "allow", true // the default of Codex
	}
	why, _ := c.get("justification", -1).(string)
	if name := c.unknown("pattern", "decision", "match", "not_match", "justification"); name != "" && fault == "" {
		fault = name + " is not known"
	}
	if fault == "" && (!isText || !slices.Contains([]string{"allow", "prompt", "forbidden"}, decision)) {
		fault = `known decisions are "allow", "prompt" and "forbidden"`
	}
	if fault == "" {
		fault = wrongExample(c, tokens)
	}
	if fault != "" {
		at.Status, at.Why = Wrong, fault+"; "
		s.salvage(f, c, at)
		return
	}
	at.Value, at.Status = spellTokens(tokens)+" "+decision, Translated
	s.add(s.name(f.source, at.Line), tokens, decision, why, &at)
	f.entries = append(f.entries, at)
}

// add adds a rule for commands with a prefix.
func (s *ruleSet) add(name string, tokens [][]string, decision, why string, at *Entry) {
	r := rule{Name: name, Why: why, When: criteria{"command": oneOrMany(tightening(tokens))}}
	switch decision {
	case "allow":
		s.accept = append(s.accept, accepting(tokens)...)
		at.To = "rule allowed commands"
		if tooBroad(tokens) {
			at.Status, at.Why = Broad, "this lets nearly everything run; allow single subcommands"
		}
		return
	case "prompt":
		if r.Then = "ask"; s.review {
			r.Then = "review"
		}
		s.ask = append(s.ask, r)
	case "forbidden":
		r.Then = "decline"
		s.decline = append(s.decline, r)
	}
	at.To = "rule " + name
}

func (s *ruleSet) networkRule(f *file, c *call, at Entry) {
	host, _ := c.get("host", 0).(string)
	decision, _ := c.get("decision", 2).(string)
	why, _ := c.get("justification", -1).(string)
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if name, port, ok := strings.Cut(host, ":"); ok && strings.Trim(port, "0123456789") == "" {
		host = name
	}
	r := rule{Name: s.name(f.source, at.Line), Why: why,
		When: criteria{"does": []string{"command", "permissions"}, "host": literal(host)}}
	at.Value = quoted(host) + " " + decision
	_, problems := policy.Parse(policy.User, (&draft{Rules: []rule{{When: r.When, Then: "ask"}}}).layOut())
	switch {
	case host == "" || problems != nil || strings.ContainsAny(host, "*?["):
		at.Status, at.Value = Wrong, ""
		at.Why = "host must be one name; every permission is asked until you correct it"
		r.Then, r.Why, r.When = "ask", "a rule of Codex could not be read", criteria{"does": "permissions"}
	case decision == "deny" || decision == "forbidden":
		r.Then, at.Status = "decline", Translated
	case decision == "prompt":
		r.Then, at.Status = "ask", Translated
	case decision == "allow":
		at.Status, at.Why = NoEquivalent, "a policy compares no protocols, so the host is asked"
	default:
		r.Then, at.Status = "ask", Wrong
		at.Why = `known decisions are "allow", "prompt" and "deny"; the host is asked until you correct it`
	}
	switch at.To = "rule " + r.Name; r.Then {
	case "decline":
		s.decline = append(s.decline, r)
	case "ask":
		s.ask = append(s.ask, r)
	default:
		at.To = ""
	}
	f.entries = append(f.entries, at)
}
