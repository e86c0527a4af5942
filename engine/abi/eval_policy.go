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

// evalDecide answers {policy:{managed?,user?,project?,session?}, facts, findings?} with
// {"outcome","by","reasons","problems"?}. Pointers of problems are into in; their spans are into the layer's document.
func evalDecide(in gjson.Result, dst []byte) []byte {
	files := member(in, "policy")
	if files.Exists() && !files.IsObject() {
		return missing(dst, "policy")
	}
	facts, wrong := readFacts(member(in, "facts"))
	if wrong != "" {
		return badInput(dst, wrong)
	}
	findings, wrong := readFindings(member(in, "findings"))
	if wrong != "" {
		return badInput(dst, wrong)
	}
	policies, problems, wrong := readPolicies(files)
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

// readPolicies parses the layers. A member that names no layer or holds no document is wrong: leaving a layer out
// would loosen.
func readPolicies(files gjson.Result) (policies []*policy.Policy, problems []elicit.Problem, wrong string) {
	files.ForEach(func(k, _ gjson.Result) bool {
		key := k.String()
		name := strings.TrimSuffix(strings.TrimSuffix(key, "_text"), "_base64")
		at := slices.IndexFunc(policy.Layers(), func(l policy.Layer) bool { return l.String() == name })
		doc, ok := document(files, name)
		if at < 0 || !ok {
			wrong = string(jsontext.AppendToken([]byte("/policy"), key))
			return false
		}
		layer := policy.Layers()[at]
		if slices.ContainsFunc(policies, func(p *policy.Policy) bool { return p.Layer() == layer }) {
			wrong = string(jsontext.AppendToken([]byte("/policy"), key))
			return false
		}
		p, bad := policy.Parse(layer, doc)
		policies = append(policies, p)
		for _, b := range bad {
			b.Pointer = "/policy/" + name + b.Pointer
			problems = append(problems, b)
		}
		return true
	})
	return policies, problems, wrong
}

func badInput(dst []byte, pointer string) []byte {
	return appendProblem(dst, elicit.Problem{Code: "bad_input", Pointer: pointer})
}

// readFacts reads policy.Facts in snake_case; wrong is the pointer of the first member it cannot read.
func readFacts(v gjson.Result) (f policy.Facts, wrong string) {
	if !v.IsObject() {
		return f, "/facts"
	}
	words := map[string]*string{"server": &f.Server, "tool": &f.Tool, "side": (*string)(&f.Side),
		"mode": (*string)(&f.Mode), "kind": (*string)(&f.Kind), "claim": (*string)(&f.Claim), "message": &f.Message, "granted": &f.Granted,
		"host": &f.Host, "scheme": &f.Scheme}
	flags := map[string]*bool{"fillable": &f.Fillable, "strict_review": &f.StrictReview, "persistable": &f.Persistable,
		"host_shows_forms": &f.HostShowsForms, "root_thread": &f.RootThread, "auto_review_allowed": &f.AutoReviewAllowed}
	v.ForEach(func(k, v gjson.Result) bool {
		key := k.String()
		switch {
		case words[key] != nil && v.Type == gjson.String:
			*words[key] = v.String()
		case flags[key] != nil && v.IsBool():
			*flags[key] = v.Bool()
		case key == "at" && v.Type == gjson.Number && v.Int() >= 0 && float64(v.Int()) == v.Num:
			f.At = v.Int()
		case key == "fields" && v.IsArray():
			f.Fields, wrong = readFieldFacts(v)
		case key == "annotations" && v.IsObject():
			wrong = readAnnotations(v, &f.Annotations)
		default:
			wrong = string(jsontext.AppendToken([]byte("/facts"), key))
		}
		return wrong == ""
	})
	return f, wrong
}

// readAnnotations reads what the server says of the tool: any of read_only, destructive, idempotent and open_world.
func readAnnotations(v gjson.Result, a *elicit.Annotations) (wrong string) {
	v.ForEach(func(k, v gjson.Result) bool {
		for _, m := range a.Members() {
			if m.Name == k.String() && v.IsBool() {
				*m.Said = elicit.Say(v.Bool())
				return true
			}
		}
		wrong = string(jsontext.AppendToken([]byte("/facts/annotations"), k.String()))
		return false
	})
	return wrong
}

func readFieldFacts(list gjson.Result) (fields []policy.FieldFact, wrong string) {
	list.ForEach(func(_, v gjson.Result) bool {
		name, sensitive := member(v, "name"), member(v, "sensitive")
		if name.Type != gjson.String || sensitive.Exists() && !sensitive.IsBool() {
			wrong = "/facts/fields/" + strconv.Itoa(len(fields))
			return false
		}
		fields = append(fields, policy.FieldFact{Name: name.String(), Sensitive: sensitive.Bool()})
		return true
	})
	return fields, wrong
}

// readFindings reads [{"code","severity"}], as much of a finding as a policy looks at.
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
