// Package codex carries a Codex configuration over: config.toml becomes a user policy, requirements.toml a managed
// one, and every key of both gets an entry that says what became of it. Nothing is dropped in silence, and what cannot
// be read only tightens. The semantics are those seen of Codex 0.169.
package codex

import (
	"fmt"
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// Source is one file to read; Name is what entries call it.
type Source struct {
	Name string
	Text []byte
}

// Status says what became of a key.
type Status string

// Every entry has one of these.
const (
	Translated   Status = "translated"
	NoEquivalent Status = "no_equivalent" // it concerns questions, but a policy has no word for it
	Ignored      Status = "ignored"       // it concerns something else, or Codex ignores it too
	Wrong        Status = "wrong"         // Codex refuses it, or it cannot be read; what stands for it only tightens
)

// Entry is what became of one key of one file.
type Entry struct {
	Line, Column int
	Key          string // dotted; "" for a line that cannot be read
	Value        string // how it was written, for the few keys whose values are never secret
	Status       Status
	To           string // where in the policy it stands now; "" when nowhere
	Why          string // "" when there is nothing to add
}

// Report is what became of one file.
type Report struct {
	Source  string
	Layer   policy.Layer
	Policy  []byte // in canonical layout; policy.Parse has no problem with it
	Entries []Entry
}

// Wrong reports whether any key of the file is.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Entries, func(e Entry) bool { return e.Status == Wrong })
}

// Import translates what is given; nil sources have no report. Requirements come first, because Codex replaces a
// configured value that they do not allow.
func Import(config, requirements *Source) (reports []Report) {
	var limits limits
	if requirements != nil {
		m := managed{file: newFile(requirements, policy.Managed)}
		limits = m.translate()
		reports = append(reports, m.report())
	}
	if config != nil {
		u := user{file: newFile(config, policy.User), limits: limits}
		u.translate()
		reports = append([]Report{u.report()}, reports...)
	}
	return reports
}

// file is one source while it is translated.
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
		f.entries = append(f.entries, Entry{Line: bad.line, Column: bad.column, Status: Wrong, Why: bad.text + "; the line is not read"})
	}
	return f
}

// enter says what became of a setting.
func (f *file) enter(s setting, status Status, to, why string) {
	f.entries = append(f.entries, Entry{Line: s.line, Column: s.column, Key: s.key(), Status: status, To: to, Why: why})
}

// enterValue does so and shows the value; only for keys whose values are words of Codex's own.
func (f *file) enterValue(s setting, status Status, to, why string) {
	f.enter(s, status, to, why)
	f.entries[len(f.entries)-1].Value = spell(s.value)
}

// report closes the file. Where anything is wrong no approval is given, and a last rule asks about everything: the text
// may have meant to forbid just that.
func (f *file) report() Report {
	slices.SortStableFunc(f.entries, func(a, b Entry) int { return a.Line - b.Line })
	r := Report{Source: f.source.Name, Layer: f.layer, Entries: f.entries}
	if r.Wrong() {
		for i := range f.draft.servers {
			f.tighten(&f.draft.servers[i])
		}
		f.draft.rules = append(f.draft.rules, rule{name: "unread", then: "ask",
			why: "something in " + f.source.Name + " could not be read"})
	}
	r.Policy = f.draft.layOut()
	if _, problems := policy.Parse(f.layer, r.Policy); problems != nil {
		// Some rules without the others could accept what these hold off, so none is kept.
		f.draft.servers = nil
		f.draft.rules = []rule{{name: "unread", then: "ask", why: "there are more rules than one policy holds"}}
		r.Policy = f.draft.layOut()
		r.Entries = append(r.Entries, Entry{Line: 1, Column: 1, Status: Wrong,
			Why: fmt.Sprintf("this makes more servers and tools or names than one policy holds (%d and %d); one rule that asks stands for all", policy.MaxServers, policy.MaxGlobs)})
	}
	return r
}

// tighten lets a server approve nothing, and says so where its approvals come from.
func (f *file) tighten(a *approving) {
	given := a.approvals != "" && a.approvals != "prompt"
	if given {
		a.approvals = "prompt"
	}
	for i := range a.tools {
		given = given || a.tools[i].approvals != "prompt"
		a.tools[i].approvals = "prompt"
	}
	a.trust = false
	for i := range f.entries {
		if e := &f.entries[i]; given && e.To == "servers."+a.name && e.Status != Wrong {
			e.Why = "asks, because something in this file is wrong"
		}
	}
}

// spell writes a value of TOML the short way.
func spell(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case bool:
		return fmt.Sprint(v)
	case []any:
		text := "["
		for i, e := range v {
			if i > 0 {
				text += ", "
			}
			text += spell(e)
		}
		return text + "]"
	case []setting:
		text := "{"
		for i, s := range v {
			if i > 0 {
				text += ", "
			}
			text += s.key() + " = " + spell(s.value)
		}
		return text + "}"
	case other:
		return string(v)
	}
	return "{}"
}
