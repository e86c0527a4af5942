package codex

import (
	"fmt"
	"slices"
	"strings"
)

// limits are the values that requirements allow in a user's configuration. A nil list allows every value.
type limits struct {
	approvals []approval
	reviewers []string
	accesses  []string
	asksAll   bool // a managed rule asks about every request, so no layer below can accept or review
	never     bool // the managed approval policy never asks
}

// managed translates requirements.toml.
type managed struct {
	file
	limits  limits
	servers []string // the allow-list
	listed  bool     // there is an allow-list, perhaps an empty one
	rules   ruleSet
}

func (m *managed) translate() limits {
	for _, s := range m.settings {
		m.setting(s)
	}
	m.draft.Rules = append(m.rules.list(), m.draft.Rules...)
	m.writeAllowList()
	m.limits.asksAll = slices.ContainsFunc(m.entries, func(e Entry) bool { return e.Status == Wrong })
	return m.limits
}

func (m *managed) setting(s setting) {
	switch key := s.path[0]; {
	case key == "allowed_approval_policies" && len(s.path) == 1:
		m.approvals(s)
	case key == "allowed_approvals_reviewers" && len(s.path) == 1:
		m.reviewers(s)
	case key == "allowed_sandbox_modes" && len(s.path) == 1:
		m.accesses(s)
	case key == "mcp_servers":
		m.server(s)
	case key == "rules" && len(s.path) > 1 && s.path[1] == "prefix_rules":
		m.prefixRules(s)
	default:
		status, why := untranslated(s.path, requirementKeys)
		if why == notKnown {
			status = NoEquivalent // an unknown requirement limits something
		}
		m.enter(s, status, "", why)
	}
}

// approvals reads the allowed approval policies. It does not allow one that it cannot read, and keeps the others.
func (m *managed) approvals(s setting) {
	list, ok := s.value.([]any)
	if !ok || m.limits.approvals != nil {
		m.enterValue(s, Wrong, "", "this must be one list of approval policies")
		return
	}
	m.limits.approvals = []approval{}
	var wrong []string
	for _, v := range list {
		a := approval{why: notAPolicy}
		switch v := v.(type) {
		case string:
			a = approvalNamed(v)
		case []setting:
			a = granularIn(v)
		}
		if a.mode == nil {
			wrong = append(wrong, spell(v)+" is not read: "+a.why)
			continue
		}
		m.limits.approvals = append(m.limits.approvals, a)
	}
	to, why := m.limitApprovals()
	if wrong != nil {
		wrong = append(wrong, why)
	}
	m.enterList(s, to, why, wrong)
}

// granularIn reads {granular = {…}} in a list.
func granularIn(table []setting) approval {
	for _, s := range table {
		if s.path[0] != "granular" || len(s.path) != 2 {
			return approval{why: notAPolicy}
		}
	}
	return granular(table)
}

// limitApprovals makes the managed policy enforce the allowed approval policies. Layers can only tighten, so the limit
// is the loosest allowed policy. A layer cannot forbid that a user is stricter.
func (m *managed) limitApprovals() (to, why string) {
	var prompting, silent []approval
	for _, a := range m.limits.approvals {
		if a.prompts {
			prompting = append(prompting, a)
		} else {
			silent = append(silent, a)
		}
	}
	switch {
	case prompting != nil && silent != nil:
		return "", "both asking and never asking are allowed, so this layer holds nothing"
	case prompting != nil:
		m.draft.Access = "sandboxed"
		m.draft.Rules = append(m.draft.Rules, rule{Name: "allowed_approval_policies",
			When: criteria{"kind": []string{"form", "confirm", "url"}}, Then: "ask",
			Why: "the administrator allows only policies that ask"})
		return "rule allowed_approval_policies, access", "a stricter policy below cannot be forbidden; it only declines more"
	}
	m.limits.never = true
	m.draft.Mode = "never"
	if len(silent) > 0 && !slices.ContainsFunc(silent, func(a approval) bool { return a.name == "never" }) {
		m.draft.Mode = silent[0].mode
	}
	return "approval_policy", "nobody is asked, and nothing is accepted under full access either"
}

// words reads a list of words that is to stand once, and keeps the words that it can read. It returns what is wrong.
// The list is not to be entered if it is no list or stands again.
func (m *managed) words(s setting, what string, kept *[]string, read func(string) (string, bool), unread string) (
	wrong []string, enter bool) {
	list, ok := s.value.([]any)
	if !ok || *kept != nil {
		m.enterValue(s, Wrong, "", "this must be one list of "+what)
		return nil, false
	}
	words := []string{}
	for _, v := range list {
		word, _ := v.(string)
		if name, ok := read(word); !ok {
			wrong = append(wrong, spell(v)+" is not read: "+unread)
		} else if !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	*kept = words
	return wrong, true
}

// enterList enters a list of which some may be wrong.
func (m *managed) enterList(s setting, to, why string, wrong []string) {
	if wrong != nil {
		m.enterValue(s, Wrong, to, strings.Join(wrong, "; "))
		return
	}
	m.enterValue(s, Translated, to, why)
}

func (m *managed) reviewers(s setting) {
	wrong, enter := m.words(s, "reviewers", &m.limits.reviewers, reviewerNamed, notAReviewer)
	if !enter {
		return
	}
	to, why := "reviewer", ""
	switch {
	case len(m.limits.reviewers) == 2:
		to, why = "", "both are allowed, so this layer holds nothing"
	case slices.Contains(m.limits.reviewers, "auto_review"):
		m.draft.Reviewer, why = "auto_review", "a layer below may still name the user, which is stricter"
	default:
		m.draft.Reviewer = "user"
	}
	m.enterList(s, to, why, wrong)
}

func (m *managed) accesses(s setting) {
	wrong, enter := m.words(s, "sandbox modes", &m.limits.accesses, accessOf, notASandbox)
	if !enter {
		return
	}
	to, why := "access", ""
	if slices.Contains(m.limits.accesses, "full") {
		to, why = "", "full access is allowed, so this layer holds nothing"
	} else {
		m.draft.Access = "sandboxed"
	}
	m.enterList(s, to, why, wrong)
}

// server reads an entry of the allow-list. The policy enforces the name of the server; it has no key for the command or
// the address by which Codex identifies the server.
func (m *managed) server(s setting) {
	m.listed = true
	if len(s.path) == 1 {
		if _, empty := s.value.(table); empty {
			m.enter(s, Translated, "rule mcp_servers", "an empty list: no server may ask anything")
		} else {
			m.enter(s, Wrong, "rule mcp_servers", "this must be a table of servers; no server may ask anything")
		}
		return
	}
	name := s.path[1]
	if fault := nameFault(name); fault != "" {
		m.enter(s, Wrong, "", fault)
		return
	}
	again := slices.Contains(m.servers, name)
	if !again {
		m.servers = append(m.servers, name)
		m.entries = append(m.entries, Entry{Line: s.line, Column: s.column, Key: dotted(s.path[:2]),
			Status: Translated, To: "rule mcp_servers"})
	}
	switch {
	case len(s.path) > 2 && s.path[2] != "identity":
		m.enter(s, NoEquivalent, "", notKnown)
	case len(s.path) > 2:
		m.enter(s, NoEquivalent, "", "a policy knows a server by its name; what runs under the name is not checked")
	case again:
		m.enter(s, Translated, "rule mcp_servers", "listed above already")
	}
}

// writeAllowList adds the rule of the allow-list before all other rules, which then apply only to listed servers.
func (m *managed) writeAllowList() {
	if !m.listed {
		return
	}
	r := rule{Name: "mcp_servers", When: criteria{}, Then: "decline", Why: "the administrator does not list this server"}
	if m.servers != nil {
		r.Unless = criteria{"server": literals(m.servers)}
	}
	m.draft.Rules = append([]rule{r}, m.draft.Rules...)
}

// nameFault says why a rule cannot have this name of a server or tool; it is "" for a good name.
func nameFault(name string) string {
	if name == "" {
		return "an empty name would match everything"
	}
	if n := len([]rune(literal(name))); n > 255 {
		return fmt.Sprintf("as a pattern this name has %d characters; at most 255 can be matched", n)
	}
	return ""
}
