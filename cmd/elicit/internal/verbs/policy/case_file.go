package policy

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyCase is one request, and the decision that a policy must make about it.
type policyCase struct {
	name     string
	pointer  string
	line     int
	layer    policy.Layer // of the file under test, in this case
	policies policies     // the text of every layer
	request  string       // the members "facts" and "findings", without braces
	want     struct{ outcome, rule, reason string }
}

// policyCaseFile reads the cases of one policy file and collects their problems. It refuses unknown keys, because a
// case with a misspelt key would test nothing and pass.
type policyCaseFile struct {
	cmd           *cobra.Command
	policy        cli.Document
	cases         cli.Document
	problems      []elicit.Problem
	otherProblems bool // another file or a request has problems, which are printed
	list          []policyCase
}

// read reads all cases, prints every problem and reports whether the cases can be run.
func (f *policyCaseFile) read() bool {
	if problems := f.cases.Problems(); len(problems) > 0 {
		f.cases.PrintProblems(f.cmd.ErrOrStderr(), problems)
		return false
	}
	root := gjson.ParseBytes(f.cases.Text)
	switch {
	case !root.IsArray():
		f.report("", "wrong_type", elicit.Str("expected", "array"))
	case len(root.Array()) == 0:
		f.report("", "empty_value")
	}
	if root.IsArray() {
		for i, v := range root.Array() {
			f.readCase("/"+strconv.Itoa(i), v)
		}
	}
	f.cases.PrintProblems(f.cmd.ErrOrStderr(), f.problems)
	return f.problems == nil && !f.otherProblems
}

func (f *policyCaseFile) report(pointer, code string, args ...elicit.Arg) {
	f.problems = append(f.problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// reportUnknown reports a word that is not one of the allowed ones.
func (f *policyCaseFile) reportUnknown(pointer, word, allowed string) {
	f.report(pointer, "unknown_value", elicit.Str("value", word), elicit.Str("allowed", allowed))
}

// reportCase reports why a case cannot be run although each of its members is valid.
func (f *policyCaseFile) reportCase(pointer, why string) {
	f.report(pointer, "case_unfit", elicit.Str("why", why))
}

// caseKeys are the keys of a case.
const caseKeys = "name, as, server, tool, annotations, request, facts, findings, layers, want"

func (f *policyCaseFile) readCase(pointer string, v gjson.Result) {
	if !v.IsObject() {
		f.report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return
	}
	c := policyCase{pointer: pointer, layer: layerOf(f.policy.Name)}
	c.line, _ = plain.Position(f.cases.Text, f.cases.Offset(elicit.Problem{Pointer: pointer}))
	words := map[string]string{}
	v.ForEach(func(k, v gjson.Result) bool {
		key := k.String()
		switch key {
		case "name", "as", "server", "tool":
			words[key] = f.word(pointer+"/"+key, v)
		case "request", "facts", "findings", "layers":
		case "annotations":
			words[key] = v.Raw
		case "want":
			f.want(pointer+"/want", v, &c)
		default:
			f.report(pointer+"/"+key, "unknown_member", elicit.Str("known", caseKeys))
		}
		return true
	})
	if c.name = words["name"]; c.name == "" {
		f.report(pointer+"/name", "missing")
	}
	if as := words["as"]; as != "" {
		at := slices.IndexFunc(policy.Layers(), func(l policy.Layer) bool { return l.String() == as })
		if at < 0 {
			f.reportUnknown(pointer+"/as", as, "managed, user, project or session")
			return
		}
		c.layer = policy.Layers()[at]
	}
	if !v.Get("want").Exists() {
		f.report(pointer+"/want", "missing")
	}
	f.layers(pointer+"/layers", v.Get("layers"), &c)
	f.request(pointer, v, &c, words)
	f.list = append(f.list, c)
}

// layerOf returns the layer that a file is named after, such as managed for managed.json. Any other name means user.
func layerOf(name string) policy.Layer {
	for _, l := range policy.Layers() {
		if filepath.Base(name) == l.String()+".json" {
			return l
		}
	}
	return policy.User
}

func (f *policyCaseFile) word(pointer string, v gjson.Result) string {
	if v.Type != gjson.String {
		f.report(pointer, "wrong_type", elicit.Str("expected", "string"))
	}
	return v.String()
}

var outcomes = []string{"accept", "review", "ask", "cancel", "decline"}

func (f *policyCaseFile) want(pointer string, v gjson.Result, c *policyCase) {
	if !v.IsObject() {
		f.report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		at := pointer + "/" + k.String()
		switch k.String() {
		case "outcome":
			if c.want.outcome = f.word(at, v); !slices.Contains(outcomes, c.want.outcome) {
				f.reportUnknown(at, c.want.outcome, "accept, review, ask, cancel or decline")
			}
		case "rule":
			c.want.rule = f.word(at, v)
		case "reason":
			if c.want.reason = f.word(at, v); !slices.Contains(policy.ReasonCodes(), c.want.reason) {
				f.reportUnknown(at, c.want.reason, "the reasons listed in docs/reference/policy.md")
			}
		default:
			f.report(at, "unknown_member", elicit.Str("known", "outcome, rule, reason"))
		}
		return true
	})
	if !v.Get("outcome").Exists() {
		f.report(pointer+"/outcome", "missing")
	}
}

// layers puts the file under test between the other layers of a case. Another layer is an inline policy, or the name of
// a file relative to the cases.
func (f *policyCaseFile) layers(pointer string, v gjson.Result, c *policyCase) {
	*rules.PolicyOf(&c.policies, c.layer) = f.policy.Text
	if v.Exists() && !v.IsObject() {
		f.report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		at := pointer + "/" + k.String()
		i := slices.IndexFunc(policy.Layers(), func(l policy.Layer) bool { return l.String() == k.String() })
		if i < 0 {
			f.report(at, "unknown_member", elicit.Str("known", "managed, user, project, session"))
			return true
		}
		if policy.Layers()[i] == c.layer {
			f.reportCase(at, `the tested file is in this layer; put it into another layer with "as"`)
			return true
		}
		doc := cli.Document{Name: f.cases.Name + ": " + at, Text: []byte(v.Raw)}
		if v.Type == gjson.String {
			var err error
			if doc, err = cli.ReadDocument(f.cmd, filepath.Join(filepath.Dir(f.cases.Name), v.String())); err != nil {
				f.reportCase(at, "the policy of this layer cannot be read: "+err.Error())
				return true
			}
		}
		if _, problems := policy.Parse(policy.Layers()[i], doc.Text); problems != nil {
			doc.PrintProblems(f.cmd.ErrOrStderr(), problems)
			f.otherProblems = true
			return true
		}
		*rules.PolicyOf(&c.policies, policy.Layers()[i]) = doc.Text
		return true
	})
}

// request reads the request of a case: one that `elicit decide` takes, or the facts that a policy reads.
func (f *policyCaseFile) request(pointer string, v gjson.Result, c *policyCase, words map[string]string) {
	request, facts := v.Get("request"), v.Get("facts")
	switch {
	case request.Exists() == facts.Exists():
		f.reportCase(pointer, `give either "request" or "facts"`)
	case facts.Exists():
		for _, key := range []string{"server", "tool", "annotations"} {
			if _, given := words[key]; given {
				f.reportCase(pointer+"/"+key, `this belongs inside "facts"; beside it is allowed only with "request"`)
			}
		}
		c.request = `"facts":` + facts.Raw
		if findings := v.Get("findings"); findings.Exists() {
			c.request += `,"findings":` + findings.Raw
		}
	case v.Get("findings").Exists():
		f.reportCase(pointer+"/findings", `leave this out, because the engine finds the findings of "request" itself`)
	default:
		d := decide{server: words["server"], tool: words["tool"]}
		if said, given := words["annotations"]; given {
			var bad *elicit.Problem
			if d.annotations, bad = annotationsOf(said); bad != nil {
				f.report(pointer+"/annotations"+bad.Pointer, bad.Code)
				return
			}
		}
		members, err := d.request(f.cmd, cli.Document{Name: f.cases.Name + ": " + pointer + "/request",
			Text: []byte(request.Raw)})
		f.otherProblems = f.otherProblems || err != nil
		c.request = string(bytes.TrimSpace(members))
	}
}
