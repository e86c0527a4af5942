package lint

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// These are the number of fields that people accept, and the number beyond which they give up.
const (
	many    = 8
	crowded = 20
)

var manyFields = rule{Doc: Doc{Code: "many_fields", Severity: Note,
	Title: "Many fields.",
	About: "A form of more than 8 fields no longer fits a screen of most clients. Ask in two steps, or leave out fields " +
		"that have a good default."},
	form: func(l *linter, _ []field) {
		if n := len(l.properties()); n > many && n <= crowded {
			l.say(l.root.member("properties"), []elicit.Arg{elicit.Num("fields", n)})
		}
	}}

var crowdedForm = rule{Doc: Doc{Code: "crowded_form", Severity: Warning,
	Title: "Too many fields for a question.",
	About: "A form of more than 20 fields is a page of its own. Use URL mode, or ask in steps."},
	form: func(l *linter, _ []field) {
		if n := len(l.properties()); n > crowded {
			l.say(l.root.member("properties"), []elicit.Arg{elicit.Num("fields", n)})
		}
	}}

var sameTitle = rule{Doc: Doc{Code: "same_title", Severity: Warning,
	Title: "Two fields with one title.",
	About: "People cannot tell them apart."},
	form: func(l *linter, fields []field) {
		seen := map[string]bool{}
		for i := range fields {
			title := fields[i].node.member("title")
			s, ok := title.text()
			if !ok || blank(s) {
				continue
			}
			if seen[s] {
				l.say(title, []elicit.Arg{elicit.Str("title", clip(s))})
			}
			seen[s] = true
		}
	}}

var requiredNullable = rule{Doc: Doc{Code: "required_nullable", Severity: Warning, Mends: true,
	Title: "Required, though it may be null.",
	About: "null is never sent as an answer. An optional field of a generator (`Optional[…]`, `.nullable()`) is " +
		"therefore left out of the answer. Do not list it as required."},
	form: func(l *linter, fields []field) {
		for i := range fields {
			if f := &fields[i]; f.required != nil && nullable(f.node) {
				l.say(f.required, []elicit.Arg{elicit.Str("field", f.name)}, f.required.remove())
			}
		}
	}}

// properties lists the nodes of all properties, also of those that fields leaves out.
func (l *linter) properties() []*node {
	if p := l.root.member("properties"); p != nil && p.kind == jsontext.KindObject {
		return p.children
	}
	return nil
}

// nullable reports a union with null. The three spellings are {"type": ["string", "null"]}, a union with null, and
// "nullable": true of OpenAPI 3.0.
func nullable(n *node) bool {
	for _, t := range n.member("type").elements() {
		if t.is("null") {
			return true
		}
	}
	for _, union := range [...]string{"anyOf", "oneOf"} {
		for _, option := range n.member(union).elements() {
			if option.member("type").is("null") {
				return true
			}
		}
	}
	return n.member("nullable") != nil && n.member("nullable").kind == jsontext.KindBool &&
		n.member("nullable").raw[0] == 't'
}

// clip shortens an argument so that it stays readable.
func clip(s string) string {
	const most = 80
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
