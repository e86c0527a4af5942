package main

import (
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
