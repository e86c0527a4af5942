package lint

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/secret"
	"github.com/elicit-engine/elicit/engine/schema"
)

// field is one property as its author wrote it, and as package schema read it. read and node can differ: package schema
// follows references, joins unions with null, and fills in what is missing.
type field struct {
	name     string
	node     *node
	read     *schema.Field // nil if the schema is refused
	required *node         // its name in the list; nil if the field is optional
}

// These bound the work on a hostile document: fields that are checked, and steps through references and unions.
const (
	maxFields = 128
	maxSteps  = 1 << 17
)

// A property that is no object is skipped here, because refusals reports it.
func (l *linter) fields() []field {
	properties := l.root.member("properties")
	if properties == nil || properties.kind != jsontext.KindObject {
		return nil
	}
	required := map[string]*node{}
	for _, n := range l.root.member("required").elements() {
		if name, ok := n.text(); ok {
			required[name] = n
		}
	}
	var fields []field
	for i, n := range properties.children {
		if len(fields) == maxFields {
			break
		}
		if n.kind != jsontext.KindObject {
			continue
		}
		f := field{name: properties.keys[i].name, node: n}
		f.required = required[f.name]
		if l.form != nil {
			f.read = l.form.Field(f.name)
		}
		fields = append(fields, f)
	}
	return fields
}

// keyword finds a keyword of a field: in the property, behind a reference, or in the options of a union with null.
// Generators write {"anyOf": [{"type": "string", "title": "A"}, {"type": "null"}]} for an optional text, and {"$ref":
// "#/$defs/Colour"} for an enumeration. The nearest keyword counts, and four steps are more than they nest.
func (l *linter) keyword(n *node, name string) *node { return l.keywordWithin(n, name, 4) }

func (l *linter) keywordWithin(n *node, name string, hops int) *node {
	if l.steps++; n == nil || hops == 0 || l.steps > maxSteps {
		return nil
	}
	if v := n.member(name); v != nil {
		return v
	}
	if ref, ok := n.member("$ref").text(); ok && len(ref) > 1 && ref[0] == '#' {
		// at returns the innermost node on the way, so a reference that leads nowhere must be told from one that leads
		// there.
		if target := l.root.at(ref[1:]); target.pointer() == l.root.pointer()+ref[1:] {
			return l.keywordWithin(target, name, hops-1)
		}
	}
	// Eight options are enough for what generators write, and bound the walk together with maxSteps.
	for _, union := range [...]string{"allOf", "anyOf", "oneOf"} {
		for i, option := range n.member(union).elements() {
			if i == 8 {
				break
			}
			if option.member("const") != nil {
				continue
			}
			// The type of the field is that of the other option.
			if v := l.keywordWithin(option, name, hops-1); v != nil && !(name == "type" && v.is("null")) {
				return v
			}
		}
	}
	return nil
}

// words is the text of a keyword, "" if it is missing or no text.
func (l *linter) words(f *field, name string) string {
	s, _ := l.keyword(f.node, name).text()
	return s
}

// typed reports whether people type into the field. Only a typed field can give a secret away. A choice or a box cannot
// carry a secret.
func (l *linter) typed(f *field) bool {
	if f.read != nil {
		return f.read.Kind == schema.Text || f.read.Kind == schema.Number || f.read.Kind == schema.Integer
	}
	t := l.words(f, "type")
	return (t == "string" || t == "number" || t == "integer") && l.list(f).values == nil
}

func (l *linter) isText(f *field) bool {
	if f.read != nil {
		return f.read.Kind == schema.Text
	}
	return l.words(f, "type") == "string" && l.list(f).values == nil
}

// blank reports a text that shows nothing: empty, or white space alone.
func blank(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\t' && r != '\n' && r != '\r' && r != 0xA0 {
			return false
		}
	}
	return true
}

var missingTitle = rule{Doc: Doc{Code: "missing_title", Severity: Warning, Mends: true,
	Title: "A field without a title.",
	About: "Without a title people see the property name, unchanged or made readable by a guess."},
	field: func(l *linter, f *field) {
		title := l.keyword(f.node, "title")
		if s, ok := title.text(); title != nil && !(ok && blank(s)) {
			return
		}
		label := readable(f.name)
		if f.read != nil && !blank(f.read.Label) {
			label = f.read.Label
		}
		var edits []Edit
		switch {
		case blank(label):
		case title == nil:
			edits = []Edit{f.node.insert("title", quote(label))}
		// A title that stands in a definition belongs to several fields, so no edit is offered.
		case title.parent == f.node:
			edits = []Edit{title.quoted(label)}
		}
		l.say(f.node, []elicit.Arg{elicit.Str("field", f.name)}, edits...)
	}}

var missingDescription = rule{Doc: Doc{Code: "missing_description", Severity: Note,
	Title: "A field without a description.",
	About: "A sentence about what to write, and why, prevents wrong answers. Reported only for fields that people type " +
		"into."},
	field: func(l *linter, f *field) {
		if l.typed(f) && blank(l.words(f, "description")) {
			l.say(f.node, []elicit.Arg{elicit.Str("field", f.name)})
		}
	}}

var secretField = rule{Doc: Doc{Code: "secret_field", Severity: Error,
	Title: "A form asks for a secret.",
	About: "Passwords, API keys, tokens and payment credentials must not be asked for in a form: typed text passes " +
		"through the client and possibly the model. Use URL mode. The linter reads words, like `secret_in_form` of " +
		"[the checks](#the-checks). (MCP client/elicitation, Security: servers MUST NOT use form mode for secrets)"},
	field: func(l *linter, f *field) {
		if !l.typed(f) {
			return
		}
		if word, ok := secret.Field(f.name, l.words(f, "title"), l.words(f, "description")); ok {
			l.say(f.node, []elicit.Arg{elicit.Str("field", f.name), elicit.Str("word", word)})
		}
	}}

var requiredWithDefault = rule{Doc: Doc{Code: "required_with_default", Severity: Warning, Mends: true,
	Title: "Required, although it has a default.",
	About: "If the person chose nothing, the default is sent, so `required` has no effect. A widespread SDK refuses an " +
		"answer without such a field instead of filling it in. Booleans are exempt: see boolean_without_default. (MCP " +
		"client/elicitation, Defaults)"},
	field: func(l *linter, f *field) {
		d := l.keyword(f.node, "default")
		// A required box with a default is the advice of boolean_without_default.
		if f.required == nil || d == nil || d.kind == jsontext.KindNull || l.words(f, "type") == "boolean" {
			return // with a union with null, a default of null means no default
		}
		l.say(f.required, []elicit.Arg{elicit.Str("field", f.name)}, f.required.remove())
	}}

var requiredMayBeEmpty = rule{Doc: Doc{Code: "required_may_be_empty", Severity: Note, Mends: true,
	Title: "Required, but an empty answer will do.",
	About: "An empty string satisfies `required`. Ask for at least one character with minLength."},
	field: func(l *linter, f *field) {
		if f.required == nil || !l.isText(f) {
			return
		}
		for _, name := range [...]string{"minLength", "format", "pattern", "default"} {
			if l.keyword(f.node, name) != nil {
				return
			}
		}
		l.say(f.node, []elicit.Arg{elicit.Str("field", f.name)}, f.node.insert("minLength", "1"))
	}}

var booleanWithoutDefault = rule{Doc: Doc{Code: "boolean_without_default", Severity: Warning, Mends: true,
	Title: "A required boolean without a default.",
	About: "Clients disagree about a required box that nobody touched: some send false, some refuse to submit. A " +
		"default makes it clear."},
	field: func(l *linter, f *field) {
		if f.required != nil && l.words(f, "type") == "boolean" && l.keyword(f.node, "default") == nil {
			l.say(f.node, []elicit.Arg{elicit.Str("field", f.name)}, f.node.insert("default", "false"))
		}
	}}

var minLengthZero = rule{Doc: Doc{Code: "min_length_zero", Severity: Note, Mends: true,
	Title: "A bound that bounds nothing.",
	About: "minLength 0 and minItems 0 allow what is allowed without them."},
	field: func(l *linter, f *field) {
		for _, name := range [...]string{"minLength", "minItems"} {
			if n := f.node.member(name); n != nil && n.kind == jsontext.KindNumber && (jsontext.Number{Raw: n.raw}).Sign() == 0 {
				l.say(n, []elicit.Arg{elicit.Str("keyword", name)}, n.remove())
			}
		}
	}}
