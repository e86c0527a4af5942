package main

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// reasonsOf reads reasons from JSON that the engine wrote, so that package english can put them into words.
func reasonsOf(list gjson.Result) (reasons []elicit.Reason) {
	list.ForEach(func(_, r gjson.Result) bool {
		reasons = append(reasons, elicit.Reason{Code: r.Get("code").String(), Layer: r.Get("layer").String(),
			Rule: r.Get("rule").String(), Args: ui.Args(r)})
		return true
	})
	return reasons
}

// findingsOf reads findings from JSON that the engine wrote.
func findingsOf(list gjson.Result) (findings []elicit.Finding) {
	list.ForEach(func(_, f gjson.Result) bool {
		findings = append(findings, elicit.Finding{Code: f.Get("code").String(),
			Severity: elicit.Severity(f.Get("severity").String()), Pointer: f.Get("pointer").String(),
			Evidence: f.Get("evidence").String(), Args: ui.Args(f)})
		return true
	})
	return findings
}

// quoted returns a text as a JSON string.
func quoted(text string) string { return elicit.Str("", text).Raw }

// appendObject appends a JSON object. The caller must not give two members of the same name.
func appendObject(dst []byte, members []elicit.Arg) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, quoted(m.Name)+":"+m.Raw...)
	}
	return append(dst, '}')
}

// withoutMember returns a JSON object without the member of this name.
func withoutMember(v gjson.Result, name string) []byte { return appendObject(nil, membersOf(v, name)) }

// membersOf lists the members of an object, except the one of this name.
func membersOf(v gjson.Result, except string) (members []elicit.Arg) {
	v.ForEach(func(k, v gjson.Result) bool {
		if k.String() != except {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	return members
}

// jsonStrings returns a list as a JSON array of strings.
func jsonStrings(list []string) string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = quoted(text)
	}
	return "[" + strings.Join(all, ",") + "]"
}
