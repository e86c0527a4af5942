// Package lint checks a requested schema, or a whole request, for its author. It reports what clients will refuse, what
// only tolerant clients accept, and what will confuse people.
//
// Findings are for authors, in their editors and builds. They decide nothing about a request at run time. Only package
// schema says what a schema means, and lint asks it first.
//
// The document is kept as a tree with positions (tree.go), because package schema reads without them. linter asks
// schema first (refusal.go), then runs the rules over fields, texts and the request. Each rule is a value with its
// documentation (rule.go); the files are named by what their rules look at. Mend applies the edits that lose nothing.
//
//	{"type": "object", "properties": {"eu_west": {"type": "string"}}}
//	missing_title, at /properties/eu_west, with the edit that inserts "title": "Eu west"
package lint

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Finding is one finding for the author. Code is part of the contract. A host shows it beside the bytes of the
// document. Two findings have the same order in every run: that of the document, and at one place that of the rules.
type Finding struct {
	Code     string
	Severity Severity
	Pointer  string // RFC 6901 pointer into the document
	Start    int    // byte span in the document; both 0 if there is none
	End      int
	Args     []elicit.Arg
	Edits    []Edit // a mechanical correction, if there is one; spans do not overlap
}

// Edit replaces the bytes [Start, End) of the document by Text. Start equal to End inserts. The edits of one finding
// belong together: one without the others may break the document.
type Edit struct {
	Start, End int
	Text       string
}

// Severity says how much a finding matters.
type Severity uint8

// A Note is worth knowing. A Warning will trouble somebody. An Error is refused or forbidden.
const (
	Note Severity = iota + 1
	Warning
	Error
)

// String returns the JSON spelling, which is also SARIF's.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

// Target is the protocol date that the author writes for. The zero value is the current date, so a caller without a
// choice gets it.
type Target uint8

// These are the dates, the current one first. 2026-07-28 kept the grammar of 2025-11-25.
const (
	For20251125 Target = iota
	For20250618
	For20260728
)

// String returns the date.
func (t Target) String() string {
	switch t {
	case For20250618:
		return "2025-06-18"
	case For20260728:
		return "2026-07-28"
	}
	return "2025-11-25"
}

// TargetNamed returns the target with a date.
func TargetNamed(name string) (Target, bool) {
	for t := For20251125; t <= For20260728; t++ {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

func (t Target) profile() schema.Profile {
	profile, _ := schema.ProfileNamed(t.String())
	return profile
}

// maxFindings is the most findings of one document. It also bounds the work on a hostile document. A document of 256
// KiB has room for thousands of fields. Nobody mends 200 findings at once.
const maxFindings = 200

// limits bound a document. A schema in it has the smaller limits of package schema.
var limits = jsontext.Limits{Bytes: 256 << 10}

// Schema checks a requested schema. It returns the findings in the order of the document. It does not keep doc.
func Schema(doc []byte, target Target) []Finding {
	l, root := begin(doc, target)
	if root != nil {
		l.schema(root)
	}
	return l.end()
}

// Request checks the params of an elicitation/create, or the whole message with them. Positions and pointers are those
// of doc, also for the schema within it.
func Request(doc []byte, target Target) []Finding {
	l, root := begin(doc, target)
	if root != nil {
		l.request(root)
	}
	return l.end()
}

// linter is the state for one document. rule is set before a function of a rule runs, so that say needs no argument for
// it. form is nil when the schema is refused; rules must then work from the nodes alone.
type linter struct {
	doc      []byte
	target   Target
	root     *node        // of the schema
	form     *schema.Form // nil if the schema is refused
	rule     *rule        // the running rule
	steps    int          // of keyword
	reported map[remark]bool
	found    []Finding
}

// remark identifies a finding, so that a definition that many fields share is reported only once.
type remark struct {
	code string
	at   *node
}

// begin parses the document. root is nil if it is no JSON within the limits; the fault is the only finding then.
func begin(doc []byte, target Target) (*linter, *node) {
	l := &linter{doc: doc, target: target, reported: map[remark]bool{}}
	root, fault := parse(doc, limits)
	if fault != nil {
		p := elicit.FromFault(fault)
		l.found = []Finding{{Code: p.Code, Severity: Error, Pointer: p.Pointer, Start: p.Start, End: p.End, Args: p.Args}}
		return l, nil
	}
	return l, root
}

// say reports a node under the running rule.
func (l *linter) say(at *node, args []elicit.Arg, edits ...Edit) { l.add(l.rule, at, args, edits...) }

// said reports whether the running rule has reported a node. Rules use it before expensive work.
func (l *linter) said(at *node) bool { return l.reported[remark{l.rule.Code, at}] }

// add reports a node.
func (l *linter) add(r *rule, at *node, args []elicit.Arg, edits ...Edit) {
	l.addAt(Finding{Code: r.Code, Severity: r.Severity, Args: args, Edits: edits}, at)
}

// The first finding of a code at a node stays. Beyond maxFindings all further ones are dropped.
func (l *linter) addAt(f Finding, at *node) {
	if r := (remark{f.Code, at}); len(l.found) < maxFindings && !l.reported[r] {
		l.reported[r] = true
		f.Pointer, f.Start, f.End = at.pointer(), at.start, at.end
		l.found = append(l.found, f)
	}
}

// Refusals come first: they compile the schema, and rules ask the result. For each rule the order is form, fields,
// texts.
func (l *linter) schema(root *node) {
	l.root = root
	l.refusals()
	fields := l.fields()
	texts := l.fieldTexts(fields)
	for _, l.rule = range rules() {
		if l.rule.form != nil {
			l.rule.form(l, fields)
		}
		if l.rule.field != nil {
			for i := range fields {
				l.rule.field(l, &fields[i])
			}
		}
		l.judge(texts)
	}
}

// judge lets the running rule check texts.
func (l *linter) judge(texts []prose) {
	if l.rule.text == nil {
		return
	}
	for _, p := range texts {
		l.rule.text(l, p)
	}
}

// end sorts the findings into the order of the document. Findings at one place stay in the order of the rules.
func (l *linter) end() []Finding {
	order.Stable(l.found, func(a, b Finding) int { return a.Start - b.Start })
	return l.found
}
