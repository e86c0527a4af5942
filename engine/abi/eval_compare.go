//go:build !browser

package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

// evalCompare reads the policies {before, after}, as decide reads its policy. It returns {"verdict"} with "tightens",
// {"verdict","why"} with "undecided", or "loosens" with {"setting"}, or with {"facts","finding"?,"before","after"}: a
// request, and both decisions. A policy with a problem is not compared. It is for a review of a change: "tightens" says
// that every request is decided as before or more strictly. "undecided" says nothing about the change, and why names
// the part of the policies that could not be followed.
func evalCompare(in gjson.Result, dst []byte) []byte {
	var stacks [2]policy.Stack
	var problems []elicit.Problem
	for i, name := range []string{"before", "after"} {
		files := member(in, name)
		if !files.IsObject() {
			return missing(dst, name)
		}
		policies, bad, wrong := readPolicies(name, files)
		if wrong != "" {
			return badInput(dst, wrong)
		}
		stacks[i], problems = policy.NewStack(policies...), append(problems, bad...)
	}
	// A policy that fails closed by a slip would be compared as one that declines everything, and loosen nothing.
	if problems != nil {
		return appendProblem(dst, problems...)
	}
	r := compare.Stacks(stacks[0], stacks[1])
	o := jsontext.With(dst, "verdict", string(r.Verdict))
	o.OptStrs("why", r.Why, "setting", r.Setting)
	if r.Facts != nil {
		o.Name("facts", r.Facts.AppendJSON)
		o.OptStr("finding", string(r.Finding))
		o.Name("before", r.Before.AppendJSON)
		o.Name("after", r.After.AppendJSON)
	}
	return o.End()
}
