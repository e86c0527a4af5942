package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// draft is the content of a policy file before it is written.
type draft struct {
	mode     string // JSON text, "" when the layer says nothing
	access   string
	reviewer string
	servers  []serverApprovals
	rules    []rule
}

// serverApprovals is the entry of one server: which calls of its tools are approved.
type serverApprovals struct {
	name      string
	trust     bool // Codex believes the annotations of every server
	approvals string
	tools     []toolApproval
}

type toolApproval struct{ tool, approvals string }

type rule struct {
	name, then, why string
	when            string   // JSON members of when; "" for those that kinds gives
	kinds           []string // any of them; nil matches every one
	except          []string // servers to which the rule does not apply
	exceptTools     []string // tools to which it does not apply
}

// layOut returns the policy in its canonical layout.
func (d *draft) layOut() []byte {
	members := []string{`"version":1`}
	add := func(key, value string) {
		if value != "" {
			members = append(members, text(key)+":"+value)
		}
	}
	add("approval_policy", d.mode)
	add("access", quoted(d.access))
	add("reviewer", quoted(d.reviewer))
	if len(d.servers) > 0 {
		add("servers", "{"+joined(d.servers, ",", serverApprovals.spell)+"}")
	}
	if len(d.rules) > 0 {
		add("rules", "["+joined(d.rules, ",", rule.spell)+"]")
	}
	return layout.Policy([]byte("{" + strings.Join(members, ",") + "}"))
}

func (a serverApprovals) spell() string {
	var members []string
	if a.trust {
		members = append(members, `"trust":true`)
	}
	if a.approvals != "" {
		members = append(members, `"approvals":`+text(a.approvals))
	}
	if len(a.tools) > 0 {
		members = append(members, `"tools":{`+joined(a.tools, ",", func(t toolApproval) string {
			return text(t.tool) + `:{"approvals":` + text(t.approvals) + `}`
		})+`}`)
	}
	return text(a.name) + ":{" + strings.Join(members, ",") + "}"
}

func (r rule) spell() string {
	when, unless, why := r.when, "", ""
	if r.kinds != nil {
		when = `"kind":` + oneOrMany(r.kinds, literal)
	}
	switch {
	case len(r.exceptTools) > 0:
		unless = `"unless":{"tool":` + oneOrMany(r.exceptTools, literal) + `},`
	case r.except != nil:
		unless = `"unless":{"server":` + oneOrMany(r.except, literal) + `},`
	}
	if r.why != "" {
		why = `,"why":` + text(r.why)
	}
	return `{"name":` + text(r.name) + `,"when":{` + when + `},` + unless + `"then":` + text(r.then) + why + `}`
}

func oneOrMany(words []string, as func(string) string) string {
	if len(words) == 1 {
		return text(as(words[0]))
	}
	return "[" + joined(words, ",", func(w string) string { return text(as(w)) }) + "]"
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

func text(s string) string { return elicit.Str("", s).Raw }

func quoted(s string) string {
	if s == "" {
		return ""
	}
	return text(s)
}
