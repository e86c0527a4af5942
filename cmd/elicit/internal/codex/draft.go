package codex

import (
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// draft is a policy file being written.
type draft struct {
	mode     string // JSON text, "" when the layer says nothing
	access   string
	reviewer string
	rules    []rule
}

type rule struct {
	name, then, why string
	servers, kinds  []string // any of them; nil matches every one
	tool            string   // "" matches every one, and requests whose tool is not known
	knownTool       bool     // the tool must be known, whichever it is
}

// layOut spells the policy in its canonical layout.
func (d *draft) layOut() []byte {
	members := []string{`"version":1`}
	add := func(key, value string) {
		if value != "" {
			members = append(members, text(key)+":"+value)
		}
	}
	add("mode", d.mode)
	add("access", quoted(d.access))
	add("reviewer", quoted(d.reviewer))
	if len(d.rules) > 0 {
		rules := make([]string, len(d.rules))
		for i := range d.rules {
			rules[i] = d.rules[i].spell()
		}
		add("rules", "["+strings.Join(rules, ",")+"]")
	}
	return layout.Policy([]byte("{" + strings.Join(members, ",") + "}"))
}

func (r *rule) spell() string {
	var when []string
	if r.servers != nil {
		when = append(when, `"server":`+oneOrMany(r.servers, literal))
	}
	if r.tool != "" {
		when = append(when, `"tool":`+text(literal(r.tool)))
	}
	if r.knownTool {
		when = append(when, `"tool":"?*"`)
	}
	if r.kinds != nil {
		when = append(when, `"kind":`+oneOrMany(r.kinds, literal))
	}
	return `{"name":` + text(r.name) + `,"when":{` + strings.Join(when, ",") + `},"then":` + text(r.then) + `,"why":` + text(r.why) + `}`
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

// literal is the pattern that matches a name and nothing else.
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
