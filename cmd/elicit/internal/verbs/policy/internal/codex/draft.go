package codex

import (
	"encoding/json"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// draft is the content of a policy file before it is written.
type draft struct {
	Version  int                         `json:"version"`
	Mode     any                         `json:"approval_policy,omitempty"` // nil when the layer says nothing
	Access   string                      `json:"access,omitempty"`
	Reviewer string                      `json:"reviewer,omitempty"`
	Servers  map[string]*serverApprovals `json:"servers,omitempty"`
	Rules    []rule                      `json:"rules,omitempty"`
}

// serverApprovals is the entry of one server: which calls of its tools are approved.
type serverApprovals struct {
	Trust     bool                     `json:"trust,omitempty"` // Codex believes the annotations of every server
	Approvals string                   `json:"approvals,omitempty"`
	Tools     map[string]toolApprovals `json:"tools,omitempty"`
}

type toolApprovals struct {
	Approvals string `json:"approvals"`
}

// criteria are what a rule looks at, by their names: a pattern, or a list of which any may match.
type criteria map[string]any

type rule struct {
	Name   string   `json:"name"`
	When   criteria `json:"when"` // empty for every question
	Unless criteria `json:"unless,omitempty"`
	Then   string   `json:"then"`
	Why    string   `json:"why,omitempty"`
}

// unread is a rule that asks about everything.
func unread(why string) rule { return rule{Name: "unread", When: criteria{}, Then: "ask", Why: why} }

// layOut returns the policy in its canonical layout.
func (d *draft) layOut() []byte {
	d.Version = 1
	text, _ := json.Marshal(d) // texts and truth values have no error
	return layout.Policy(text)
}

// oneOrMany returns the only pattern of a list, or the list.
func oneOrMany(patterns []string) any {
	if len(patterns) == 1 {
		return patterns[0]
	}
	return patterns
}

// literals are the patterns that match only these names.
func literals(names []string) any {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = literal(name)
	}
	return oneOrMany(patterns)
}

// joined spells each item, with a separator between two.
func joined[T any](items []T, separator string, spell func(T) string) string {
	spelled := make([]string, len(items))
	for i, item := range items {
		spelled[i] = spell(item)
	}
	return strings.Join(spelled, separator)
}

// literal returns the pattern that matches only this name.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

func quoted(s string) string { return elicit.Str("", s).Raw }
