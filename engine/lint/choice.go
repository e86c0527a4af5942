package lint

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// choices is the place where a field lists its choices. values.children and names.children have the same places: names
// is the list of titles beside enum. With titled, each child of values is an object with const and title.
type choices struct {
	values *node // enum, oneOf or anyOf; nil when the field lists none
	holder *node // the object with the list: the property, its items, or a definition
	titled bool  // options with titles of their own
	names  *node // enumNames
	many   bool
}

// list finds the choices of a field. values is nil for a field that people type into.
func (l *linter) list(f *field) (c choices) {
	// The choices of a list stand in its items, and the choices of a single value in the property itself.
	if items := l.keyword(f.node, "items"); items != nil && l.words(f, "type") == "array" {
		c = l.listIn(items)
		c.many = true
		return c
	}
	return l.listIn(f.node)
}

// listIn looks for enum first: a schema with both has an enumeration that a union repeats.
func (l *linter) listIn(n *node) (c choices) {
	if enum := l.keyword(n, "enum"); len(enum.elements()) > 0 {
		return choices{values: enum, holder: enum.parent, names: enum.parent.member("enumNames")}
	}
	for _, name := range [...]string{"oneOf", "anyOf"} {
		// A union of types is no list of choices: its options have no const.
		if options := l.keyword(n, name); len(options.elements()) > 0 && options.children[0].member("const") != nil {
			return choices{values: options, holder: options.parent, titled: true}
		}
	}
	return c
}

var untitledChoices = rule{Doc: Doc{Code: "untitled_choices", Severity: Note, Mends: true,
	Title: "Choices without titles.",
	About: "People see the values themselves. With titles, the values can be codes, and can change without confusing " +
		"people."},
	field: func(l *linter, f *field) {
		c := l.list(f)
		if c.values == nil || c.titled || c.names != nil || l.said(c.values) {
			return
		}
		l.say(c.values, []elicit.Arg{elicit.Str("field", f.name)}, l.withTitles(c)...)
	}}

var legacyNames = rule{Doc: Doc{Code: "legacy_names", Severity: Warning, Mends: true,
	Title: "enumNames will be removed.",
	About: "Since 2025-11-25 each title is beside its value: oneOf with const and title. Not reported for 2025-06-18, " +
		"which has only enumNames. (SEP-1330)"},
	field: func(l *linter, f *field) {
		c := l.list(f)
		if c.names != nil && l.target != For20250618 && !l.said(c.names) {
			l.say(c.names, []elicit.Arg{elicit.Str("field", f.name)}, l.withTitles(c)...)
		}
	}}

// withTitles rewrites an enumeration so that each value has a title: the name from enumNames if there is one. It
// returns nil where only the author knows what to write. The result depends on the target: 2025-06-18 knows enumNames
// alone, and later dates have oneOf for one choice and anyOf within items for several (SEP-1330).
func (l *linter) withTitles(c choices) []Edit {
	names := c.names.elements()
	var options, titles []string
	seen := map[string]bool{}
	for i, v := range c.values.children {
		value, ok := v.text()
		if !ok {
			return nil // a null or a number among them: only the author knows what to write
		}
		title := readable(value)
		if i < len(names) {
			if title, ok = names[i].text(); !ok || blank(title) {
				title = value
			}
		}
		if blank(title) {
			return nil
		}
		// enumNames needs one title for each value, also for a repeated one, so titles and options have different
		// lengths then.
		if titles = append(titles, quote(title)); seen[value] {
			continue // oneOf refuses a value that two options have
		}
		seen[value] = true
		options = append(options, `{"const": `+quote(value)+`, "title": `+quote(title)+`}`)
	}
	switch {
	case l.target == For20250618 && (c.many || c.names != nil):
		return nil
	case l.target == For20250618:
		return []Edit{c.holder.insert("enumNames", "["+strings.Join(titles, ", ")+"]")}
	case c.many:
		return []Edit{c.holder.replace(`{"anyOf": [` + strings.Join(options, ", ") + `]}`)}
	}
	edits := []Edit{c.values.swap("oneOf", "["+strings.Join(options, ", ")+"]")}
	if c.names != nil {
		edits = append(edits, c.names.remove())
	}
	if c.holder.member("type") == nil { // which enum may lack, and oneOf may not
		edits = append(edits, c.holder.insert("type", `"string"`))
	}
	return edits
}

// readable makes a title from a value: "eu_west" becomes "Eu west". The author may know a better one.
func readable(value string) string {
	words := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return ' '
		}
		return r
	}, value)
	if strings.TrimSpace(words) == "" {
		return value
	}
	if c := words[0]; c >= 'a' && c <= 'z' {
		return string(c-'a'+'A') + words[1:]
	}
	return words
}

var singleChoice = rule{Doc: Doc{Code: "single_choice", Severity: Warning,
	Title: "A choice of one.",
	About: "There is nothing to decide. Say it in the message, or ask a yes-or-no question."},
	field: func(l *linter, f *field) {
		if c := l.list(f); c.values != nil && len(c.values.children) == 1 {
			l.say(c.values, []elicit.Arg{elicit.Str("field", f.name)})
		} else if n := l.keyword(f.node, "const"); n != nil {
			l.say(n, []elicit.Arg{elicit.Str("field", f.name)})
		}
	}}

// survey is the most choices that a person can look over.
const survey = 50

var manyChoices = rule{Doc: Doc{Code: "many_choices", Severity: Note,
	Title: "More choices than a person can read.",
	About: "A list of more than 50 choices is scrolled, not read, and few clients can search in it."},
	field: func(l *linter, f *field) {
		if c := l.list(f); c.values != nil && len(c.values.children) > survey {
			l.say(c.values, []elicit.Arg{elicit.Str("field", f.name), elicit.Num("choices", len(c.values.children))})
		}
	}}

var sameChoiceTitle = rule{Doc: Doc{Code: "same_choice_title", Severity: Warning,
	Title: "Two choices with one title.",
	About: "People cannot tell them apart."},
	field: func(l *linter, f *field) {
		c, seen := l.list(f), map[string]bool{}
		titles := c.names.elements()
		// The slice has no capacity, so append makes a new array and names.children does not change.
		if c.titled {
			titles = titles[:0:0]
			for _, option := range c.values.children {
				titles = append(titles, option.member("title"))
			}
		}
		for _, n := range titles {
			s, ok := n.text()
			if !ok || blank(s) {
				continue
			}
			if seen[s] {
				l.say(n, []elicit.Arg{elicit.Str("field", f.name), elicit.Str("title", clip(s))})
			}
			seen[s] = true
		}
	}}
