// Package codex translates a Codex configuration: config.toml becomes a user policy, and requirements.toml becomes a
// managed policy. Every key of both files gets an [Entry] that says whether it was translated, and why not. A key that
// cannot be read makes the policy stricter, never looser. The meaning of the keys is that of Codex 0.169.
//
//	reports := codex.Import(&codex.Source{Name: "config.toml", Text: text}, nil)
//	os.WriteFile("user.json", reports[0].Policy, 0o644)
package codex

import (
	"fmt"
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// Source is one file to read. Name is its name in the report.
type Source struct {
	Name string
	Text []byte
}

// Status is the result for one key.
type Status string

// Every entry has one of these.
const (
	Translated   Status = "translated"
	NoEquivalent Status = "no_equivalent" // it is about questions, but a policy has no key for it
	Ignored      Status = "ignored"       // it is not about questions, or Codex ignores it too
	Broad        Status = "too_broad"     // translated, but it lets nearly everything run
	Wrong        Status = "wrong"         // Codex refuses it, or it cannot be read; the policy is stricter instead
)

// Entry is the result for one key of one file.
type Entry struct {
	Line   int    `json:"line"` // from 1, as the column
	Column int    `json:"column"`
	Key    string `json:"key"` // dotted; "" for a line that cannot be read
	Status Status `json:"status"`
	Value  string `json:"value,omitempty"` // as in the file, only for the few keys whose values are never secret
	To     string `json:"to,omitempty"`    // its place in the policy; "" for none
	Why    string `json:"why,omitempty"`   // the reason in words; "" when there is nothing to add
}

// Report is the result for one file.
type Report struct {
	Source  string
	Layer   policy.Layer
	Policy  []byte // in canonical layout; policy.Parse has no problem with it. nil if another report has the policy
	Entries []Entry
}

// Wrong reports whether any key of the file is wrong.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Status == Wrong })
}

// Import translates the files that are not nil, and returns a report for each: first config, then rules files, then
// requirements. It translates the requirements first, because Codex replaces a configured value that they do not allow.
// Config and rules files make one policy, which the first of their reports has.
func Import(config, requirements *Source, rules ...*Source) (reports []Report) {
	var limits limits
	if requirements != nil {
		m := managed{file: newFile(requirements, policy.Managed)}
		limits = m.translate()
		reports = append(reports, m.report())
	}
	if config == nil && len(rules) == 0 {
		return reports
	}
	u := user{file: file{source: &Source{Name: "the rules"}, layer: policy.User}, limits: limits}
	if config != nil {
		u = user{file: newFile(config, policy.User), limits: limits}
		u.translate()
	}
	set := ruleSet{review: u.reviewer == "auto_review"}
	var lists []Report
	for _, source := range rules {
		lists = append(lists, set.importRules(source))
	}
	// A tool that is not enabled never asks in Codex, so its rule comes before one that asks about a network host.
	u.draft.Rules = append(u.draft.Rules, set.list()...)
	whole := u.report()
	if config == nil {
		lists[0].Policy, lists[0].Entries = whole.Policy, append(lists[0].Entries, whole.Entries...)
	} else {
		lists = append([]Report{whole}, lists...)
	}
	return append(lists, reports...)
}

// file is one source during the translation.
type file struct {
	source   *Source
	layer    policy.Layer
	settings []setting
	entries  []Entry
	draft    draft
}

func newFile(source *Source, layer policy.Layer) file {
	f := file{source: source, layer: layer}
	var faults []fault
	f.settings, faults = readTOML(source.Text)
	for _, bad := range faults {
		f.entries = append(f.entries, Entry{Line: bad.line, Column: bad.column, Status: Wrong,
			Why: bad.text + "; the line is not read"})
	}
	return f
}

// enter adds the entry of a setting.
func (f *file) enter(s setting, status Status, to, why string) {
	f.entries = append(f.entries, Entry{Line: s.line, Column: s.column, Key: s.key(), Status: status, To: to, Why: why})
}

// enterValue adds the entry of a setting with its value. It is only for keys whose values are words of Codex, because
// any other value may be a secret.
func (f *file) enterValue(s setting, status Status, to, why string) {
	f.enter(s, status, to, why)
	f.entries[len(f.entries)-1].Value = spell(s.value)
}

// report finishes the file. When anything in it is wrong, the policy approves no tool, and a last rule asks about
// everything, because the unreadable part may have forbidden exactly that.
func (f *file) report() Report {
	slices.SortStableFunc(f.entries, func(a, b Entry) int { return a.Line - b.Line })
	r := Report{Source: f.source.Name, Layer: f.layer, Entries: f.entries}
	if r.Wrong() {
		for name, approvals := range f.draft.Servers {
			f.tighten(name, approvals)
		}
		f.draft.Rules = append(f.draft.Rules, unread("something in "+f.source.Name+" could not be read"))
	}
	r.Policy = f.draft.layOut()
	if _, problems := policy.Parse(f.layer, r.Policy); problems != nil {
		// Rules depend on each other: a part of them could accept what the others prevent. So the policy keeps none.
		f.draft.Servers, f.draft.Rules = nil, []rule{unread("there are more rules than one policy holds")}
		r.Policy = f.draft.layOut()
		r.Entries = append(r.Entries, Entry{Line: 1, Column: 1, Status: Wrong,
			Why: fmt.Sprintf("this makes more servers and tools, names or rules than one policy holds (%d, %d and %d); "+
				"one rule that asks replaces all of them", policy.MaxServers, policy.MaxGlobs, policy.MaxRules)})
	}
	return r
}

// tighten removes all approvals of a server, and says so in the entries of the keys that gave them.
func (f *file) tighten(name string, a *serverApprovals) {
	given := a.Approvals != "" && a.Approvals != "prompt"
	if given {
		a.Approvals = "prompt"
	}
	for tool, was := range a.Tools {
		given = given || was.Approvals != "prompt"
		a.Tools[tool] = toolApprovals{"prompt"}
	}
	a.Trust = false
	for i := range f.entries {
		if e := &f.entries[i]; given && e.To == "servers."+name && e.Status != Wrong {
			e.Why = "asks, because something in this file is wrong"
		}
	}
}

// spell writes a TOML value in its short form.
func spell(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case bool:
		return fmt.Sprint(v)
	case []any:
		return "[" + joined(v, ", ", spell) + "]"
	case []setting:
		return "{" + joined(v, ", ", func(s setting) string { return s.key() + " = " + spell(s.value) }) + "}"
	case otherValue:
		return string(v)
	}
	return "{}"
}
