package lint

import (
	"bytes"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

var defaultUnfit = rule{Doc: Doc{Code: "default_unfit", Severity: Error, Mends: true,
	Title: "The default is not a valid answer.",
	About: "A default must pass as an answer: of the field's type, within its bounds, one of the values and not of the " +
		"titles of its choices. Readers refuse the schema, or send the peer a value that it refuses. (SEP-1034)"}}

var notInProtocol = rule{Doc: Doc{Code: "not_in_protocol", Severity: Warning,
	Title: "Outside the protocol's grammar.",
	About: "Tolerant clients such as this engine read it without loss; clients that keep to the protocol refuse the " +
		"request, or drop the constraint silently. State it in the description, and check the answer on the server. (MCP " +
		"client/elicitation, Requested Schema)"}}

var extraKeyword = rule{Doc: Doc{Code: "extra_keyword", Severity: Note, Mends: true,
	Title: "A keyword without effect.",
	About: "The keyword constrains nothing and the protocol does not list it, so clients ignore it or complain. " +
		"Generators write title and additionalProperties at the root in this way."}}

// refusals reports what package schema refuses, and what it would refuse under the protocol's own grammar. The schema
// is compiled twice: as this engine reads it, and by the grammar of the target. A place that the first one has reported
// is not reported again by the second.
func (l *linter) refusals() {
	form, problems := schema.Compile(l.root.raw, schema.Options{})
	l.form = form
	reported := map[string]bool{}
	for _, p := range problems {
		reported[p.Pointer] = true
		l.refused(p)
	}
	if form != nil {
		for _, note := range form.Notes {
			reported[note.Pointer] = true
			at := l.root.at(note.Pointer)
			// This engine reads such a schema without the default.
			if note.Code == "default_dropped" { // other clients refuse the question
				l.add(&defaultUnfit, at, note.Args, at.remove())
				continue
			}
			l.addAt(Finding{Code: note.Code, Severity: Warning, Args: note.Args, Edits: mend(note, at)}, at)
		}
	}
	_, problems = schema.Compile(l.root.raw, schema.Options{Profile: l.target.profile()})
	for _, p := range problems {
		if !reported[p.Pointer] && !strings.HasPrefix(p.Code, "json_") {
			l.notInProtocol(p)
		}
	}
}

// refused reports one problem of the schema under its own code, or as an unfit default if it lies in one.
func (l *linter) refused(p elicit.Problem) {
	if strings.HasPrefix(p.Code, "json_") { // a limit of schemas; the document as a whole passed the gate
		l.addAt(Finding{Code: p.Code, Severity: Error, Args: p.Args}, l.root)
		return
	}
	at := l.root.at(p.Pointer)
	if d := l.defaultAbove(at); d != nil {
		l.add(&defaultUnfit, d, because(p), d.remove())
		return
	}
	l.addAt(Finding{Code: p.Code, Severity: Error, Args: p.Args, Edits: mend(p, at)}, at)
}

// because returns the arguments of a finding that wraps a problem, so that its sentence can contain the problem's.
func because(p elicit.Problem) []elicit.Arg {
	return append([]elicit.Arg{elicit.Str("problem", p.Code)}, p.Args...)
}

// defaultAbove returns the default of a field that contains n, or nil. A field or definition may itself be named
// default. A problem within a default is one of the default: removing it mends the schema.
func (l *linter) defaultAbove(n *node) *node {
	for ; n != l.root; n = n.parent {
		inField := n.parent != l.root && n.parent.parent != l.root
		if inField && n.parent.kind == jsontext.KindObject && n.parent.keys[n.index].name == "default" {
			return n
		}
	}
	return nil
}

// mend returns the edits that remove the problem without a decision by the author. An edit here must need no decision.
// Of two equal choices, one can go. Of two conflicting keywords, only the author knows which.
func mend(p elicit.Problem, at *node) []Edit {
	switch p.Code {
	case "default_null", "default_without_offset":
		return []Edit{at.remove()}
	case "duplicate_choice", "choice_repeated":
		if at.kind == jsontext.KindArray { // a default that selects a choice twice
			return nil
		}
		if at.parent.kind == jsontext.KindObject { // the const of an option
			at = at.parent
		}
		edits := []Edit{at.remove()}
		if names := at.parent.parent.member("enumNames").elements(); at.index < len(names) {
			edits = append(edits, names[at.index].remove())
		}
		return edits
	// All of the same unknown name go at once. With several left, one edit replaces the list.
	case "unknown_required":
		var others []string // the name may stand there twice
		for _, n := range at.parent.children {
			if !bytes.Equal(n.raw, at.raw) {
				others = append(others, string(n.raw))
			}
		}
		if len(others) < len(at.parent.children)-1 {
			return []Edit{at.parent.replace("[" + strings.Join(others, ", ") + "]")}
		}
		return []Edit{at.remove()}
	case "duplicate_required":
		return []Edit{at.remove()}
	}
	return nil
}

// silent keywords constrain nothing, wherever they occur.
var silent = map[string]bool{"title": true, "description": true, "additionalProperties": true, "$comment": true,
	"$id": true, "examples": true, "deprecated": true, "readOnly": true, "writeOnly": true, "$defs": true,
	"definitions": true}

// Formats and enumNames have rules of their own, which say more, so they are left out here.
func (l *linter) notInProtocol(p elicit.Problem) {
	at := l.root.at(p.Pointer)
	date := elicit.Str("date", l.target.String())
	if p.Code == "unsupported_keyword" && at.parent != nil && at.parent.kind == jsontext.KindObject {
		name := at.parent.keys[at.index].name
		if name == "enumNames" || name == "format" {
			return // the rules for choices and formats say more
		}
		// Without a reference, definitions serve nothing, and extra_keyword reports them.
		if (name == "$defs" || name == "definitions") && strings.Contains(string(l.root.raw), `"$ref"`) {
			return // only the references are outside the protocol
		}
		if silent[name] || strings.HasPrefix(name, "x-") {
			l.add(&extraKeyword, at, []elicit.Arg{date, elicit.Str("keyword", name)}, at.remove())
			return
		}
	}
	if p.Code == "unsupported_format" {
		return
	}
	l.add(&notInProtocol, at, append([]elicit.Arg{date}, because(p)...))
}
