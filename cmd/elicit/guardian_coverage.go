package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// recordCoverage records which decisions, phases, reads and settings a case covers. It counts only the part of the
// question that the module is shown.
func (t *guardianTest) recordCoverage(c guestCase, shown []byte, r host.Result) {
	t.covered[c.summary(r)] = true
	if c.Question != nil {
		question := gjson.ParseBytes(shown)
		t.covered[question.Get("phase").String()] = true
		for _, p := range t.module.Manifest.Reads {
			if hasPath(question, strings.Split(p.String(), "/")[1:]) {
				t.covered[p.String()] = true
			}
		}
		for _, code := range undeclaredCodes(t.module, r.Output) {
			if !slices.Contains(t.unlisted, code) {
				t.unlisted = append(t.unlisted, code)
			}
		}
	}
}

// undeclaredCodes returns the codes of a verdict's findings that the manifest does not list, if the guardian reads
// answers. When one of these answers is a secret, the engine keeps only listed codes.
func undeclaredCodes(m *guest.Module, output []byte) (codes []string) {
	answers := func(p guardian.Pattern) bool { return strings.HasPrefix(p.String(), "/answer") }
	if !slices.ContainsFunc(m.Manifest.Reads, answers) {
		return nil
	}
	for _, code := range gjson.GetBytes(output, "findings.#.code").Array() {
		if c := code.String(); !slices.Contains(m.Manifest.Codes, c) && !slices.Contains(codes, c) {
			codes = append(codes, c)
		}
	}
	return codes
}

// undeclaredCodesWarning says what becomes of such codes.
func undeclaredCodesWarning(codes []string) string {
	return fmt.Sprintf(`"codes" of the manifest does not list %s; `+
		`where this guardian is shown a secret, "withheld" stands instead`, strings.Join(codes, ", "))
}

// hasPath reports whether v has a value at the place that the tokens of a pattern name. "*" names every member.
func hasPath(v gjson.Result, tokens []string) (found bool) {
	if len(tokens) == 0 {
		return v.Exists()
	}
	want := strings.NewReplacer("~1", "/", "~0", "~").Replace(tokens[0])
	i := 0
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, inner gjson.Result) bool {
			key := k.String()
			if v.IsArray() {
				key = fmt.Sprint(i)
			}
			i++
			found = found || (tokens[0] == "*" || key == want) && hasPath(inner, tokens[1:])
			return !found
		})
	}
	return found
}

// uncoveredItems are the items of one kind that no case covers. Kind is the key of the JSON report; words begin the
// sentence of the hint.
type uncoveredItems struct {
	kind, words string
	list        []string
}

// uncovered lists what no case covers, by kind.
func (t *guardianTest) uncovered() (list []uncoveredItems) {
	missing := func(kind, words string, all []string) {
		u := uncoveredItems{kind: kind, words: words}
		for _, s := range all {
			if !t.covered[s] {
				u.list = append(u.list, s)
			}
		}
		if u.list != nil {
			list = append(list, u)
		}
	}
	missing("decisions", "leads to the decision", []string{"pass", "ask", "deny"})
	missing("phases", "asks in the phase", phasesOf(t.module))
	missing("reads", "holds a value at the declared pointer", readsOf(t.module))
	if t.module.Manifest.Settings != nil {
		missing("settings", "gives settings that", []string{"fit", "do not fit"})
	}
	return list
}

// hints returns one line for each kind with items that no case covers.
func (t *guardianTest) hints() (hints []string) {
	for _, u := range t.uncovered() {
		hints = append(hints, fmt.Sprintf("no case %s: %s", u.words, strings.Join(u.list, ", ")))
	}
	if t.unlisted != nil {
		hints = append(hints, undeclaredCodesWarning(t.unlisted))
	}
	return hints
}
