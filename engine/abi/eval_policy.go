package abi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/policy"
)

// evalDecide reads {policy:{managed?,user?,project?,session?}, facts, findings?} and returns
// {"outcome","by","reasons","problems"?}. Pointers of problems refer to in, and their spans to the document of the
// layer. Example: a rule of the user that accepts the server x, with facts
// {"server":"x","mode":"form","kind":"confirm"}, gives
// {"outcome":"accept","by":0,"reasons":[{"code":"rule_matched","layer":"user","rule":"r",…}]}. by is the index of the
// reason that decided. No grant, rate or guardian takes part.
func evalDecide(in gjson.Result, dst []byte) []byte {
	// No member policy is the builtin layer alone.
	files := member(in, "policy")
	if files.Exists() && !files.IsObject() {
		return missing(dst, "policy")
	}
	facts, bad := policy.ReadFacts([]byte(member(in, "facts").Raw))
	if bad != nil {
		return badInput(dst, "/facts"+bad.Pointer)
	}
	findings, wrong := readFindings(member(in, "findings"))
	if wrong != "" {
		return badInput(dst, wrong)
	}
	policies, problems, wrong := readPolicies("policy", files)
	if wrong != "" {
		return badInput(dst, wrong)
	}
	stack := policy.NewStack(policies...)
	d := stack.Tighten(stack.Decide(&facts), findings)
	dst = d.AppendMembers(append(dst, '{'))
	if len(problems) > 0 {
		dst = elicit.AppendList(append(dst, `,"problems":`...), problems)
	}
	return append(dst, '}')
}

// readPolicies parses the layers. It refuses a member that names no layer or has no document: ignoring a layer would
// loosen the policy. Pointers begin with the name of the member that has the layers. Example: {"usr":{…}} is bad_input
// at /policy/usr. A layer that stands twice, as user and user_text, is refused too: one of both would be lost.
func readPolicies(in string, files gjson.Result) (policies []*policy.Policy, problems []elicit.Problem, wrong string) {
	files.ForEach(func(k, _ gjson.Result) bool {
		key := k.String()
		if key == "managed_path" && member(files, key).Type == gjson.String {
			return true // for people; it decides nothing
		}
		name := strings.TrimSuffix(strings.TrimSuffix(key, "_text"), "_base64")
		// "user_text" and "user_base64" are the layer user in another spelling.
		at := slices.IndexFunc(policy.Layers(), func(l policy.Layer) bool { return l.String() == name })
		doc, ok := document(files, name)
		if at < 0 || !ok {
			wrong = string(jsontext.AppendToken([]byte("/"+in), key))
			return false
		}
		layer := policy.Layers()[at]
		if slices.ContainsFunc(policies, func(p *policy.Policy) bool { return p.Layer() == layer }) {
			wrong = string(jsontext.AppendToken([]byte("/"+in), key))
			return false
		}
		// A policy with problems counts and fails closed, as in an engine. Its problems are told beside the decision.
		p, bad := policy.Parse(layer, doc)
		policies = append(policies, p)
		for _, b := range bad {
			b.Pointer = "/" + in + "/" + name + b.Pointer
			problems = append(problems, b)
		}
		return true
	})
	return policies, problems, wrong
}

// badInput is missing for a place further inside, by its pointer.
func badInput(dst []byte, pointer string) []byte {
	return appendProblem(dst, elicit.Problem{Code: "bad_input", Pointer: pointer})
}

// readFindings reads [{"code","severity"}], the members of a finding that a policy looks at. A severity that is unknown
// here ranks above critical, and so tightens.
func readFindings(list gjson.Result) (findings []elicit.Finding, wrong string) {
	if !list.Exists() {
		return nil, ""
	}
	if !list.IsArray() {
		return nil, "/findings"
	}
	list.ForEach(func(_, v gjson.Result) bool {
		code, severity := member(v, "code"), member(v, "severity")
		if code.Type != gjson.String || severity.Type != gjson.String {
			wrong = "/findings/" + strconv.Itoa(len(findings))
			return false
		}
		findings = append(findings, elicit.Finding{Code: code.String(), Severity: elicit.Severity(severity.String())})
		return true
	})
	return findings, wrong
}
