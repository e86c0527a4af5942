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
		servers := make([]string, len(d.servers))
		for i := range d.servers {
			servers[i] = d.servers[i].spell()
		}
		add("servers", "{"+strings.Join(servers, ",")+"}")
	}
	if len(d.rules) > 0 {
		rules := make([]string, len(d.rules))
		for i := range d.rules {
			rules[i] = d.rules[i].spell()
		}
		add("rules", "["+strings.Join(rules, ",")+"]")
	}
	return layout.Policy([]byte("{" + strings.Join(members, ",") + "}"))
}

func (a *serverApprovals) spell() string {
	var members []string
	if a.trust {
		members = append(members, `"trust":true`)
	}
	if a.approvals != "" {
		members = append(members, `"approvals":`+text(a.approvals))
	}
	if len(a.tools) > 0 {
		tools := make([]string, len(a.tools))
		for i, t := range a.tools {
			tools[i] = text(t.tool) + `:{"approvals":` + text(t.approvals) + `}`
		}
		members = append(members, `"tools":{`+strings.Join(tools, ",")+`}`)
	}
	return text(a.name) + ":{" + strings.Join(members, ",") + "}"
}

func (r *rule) spell() string {
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
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = text(as(w))
	}
	return "[" + strings.Join(list, ",") + "]"
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
