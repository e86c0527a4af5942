//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
)

// evalSimulate decides the questions of a journal again: {journal_text, policy:{managed?,user?,project?,session?}} →
//
//	{"differences":[{"record","at","session","id","server","tool"?,"mode","kind","message","url"?,
//	                 "then":{"outcome","by","reasons"},"now":{…}}…],
//	 "records","asked","decided","changed","problems"?}
//
// Problems are those of the policies, which fail closed and are simulated in that way, and the end of an unreadable
// journal. Only questions that the other policy decides otherwise are listed. The counts say how many there were in
// all. The policy needs the same members as in decide.
func evalSimulate(in gjson.Result, dst []byte) []byte {
	records, ok := document(in, "journal")
	if !ok {
		return missing(dst, "journal")
	}
	files := member(in, "policy")
	if !files.IsObject() {
		return missing(dst, "policy")
	}
	policies, problems, wrong := readPolicies("policy", files)
	if wrong != "" {
		return badInput(dst, wrong)
	}
	dst = append(dst, `{"differences":[`...)
	out := engine.Simulate(records, policy.NewStack(policies...), func(d *engine.Decided) {
		if !d.Changed() {
			return
		}
		dst = d.AppendJSON(jsontext.Comma(dst))
	})
	if out.Problem != nil {
		problems = append(problems, *out.Problem)
	}
	// The counts are known only now, behind the list. counts.End()[1:] continues the object that stands open.
	dst = append(dst, ']', ',')
	counts := jsontext.Begin(nil)
	counts.Int("records", int64(out.Records))
	counts.Int("asked", int64(out.Asked))
	counts.Int("decided", int64(out.Decided))
	counts.Int("changed", int64(out.Changed))
	if len(problems) > 0 {
		jsontext.List(&counts, "problems", problems)
	}
	return append(dst, counts.End()[1:]...)
}
