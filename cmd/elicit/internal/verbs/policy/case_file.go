package policy

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
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
	ui.Strict
	cmd           *cobra.Command
	policy        cli.Document
	cases         cli.Document
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
		f.Report("", "wrong_type", elicit.Str("expected", "array"))
	case len(root.Array()) == 0:
		f.Report("", "empty_value")
	}
	if root.IsArray() {
		for i, v := range root.Array() {
			f.readCase("/"+strconv.Itoa(i), v)
		}
	}
	f.cases.PrintProblems(f.cmd.ErrOrStderr(), f.Found)
	return f.Found == nil && !f.otherProblems
}

// reportUnknown reports a word that is not one of the allowed ones.
func (f *policyCaseFile) reportUnknown(pointer, word, allowed string) {
	f.Report(pointer, "unknown_value", elicit.Str("value", word), elicit.Str("allowed", allowed))
}

// reportCase reports why a case cannot be run although each of its members is valid.
func (f *policyCaseFile) reportCase(pointer, why string) {
	f.Report(pointer, "case_unfit", elicit.Str("why", why))
}

// caseKeys are the keys of a case.
const caseKeys = "name, as, server, tool, annotations, request, facts, findings, layers, want"

func (f *policyCaseFile) readCase(pointer string, v gjson.Result) {
	c := policyCase{pointer: pointer, layer: layerOf(f.policy.Name)}
	c.line, _ = plain.Position(f.cases.Text, f.cases.Offset(elicit.Problem{Pointer: pointer}))
	words := map[string]string{}
	if !f.Members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "name", "as", "server", "tool":
			words[key] = f.Word(at, v)
		case "request", "facts", "findings", "layers":
		case "annotations":
			words[key] = v.Raw
		case "want":
			f.want(at, v, &c)
		default:
			f.Report(at, "unknown_member", elicit.Str("known", caseKeys))
		}
	}) {
		return
	}
	if c.name = words["name"]; c.name == "" {
		f.Report(pointer+"/name", "missing")
	}
	if as := words["as"]; as != "" {
		var known bool
		if c.layer, known = layerNamed(as); !known {
			f.reportUnknown(pointer+"/as", as, "managed, user, project or session")
			return
		}
	}
	if !v.Get("want").Exists() {
		f.Report(pointer+"/want", "missing")
	}
	f.layers(pointer+"/layers", v.Get("layers"), &c)
	f.request(pointer, v, &c, words)
	f.list = append(f.list, c)
}

func layerNamed(word string) (policy.Layer, bool) {
	for _, l := range policy.Layers() {
		if l.String() == word {
			return l, true
		}
	}
	return 0, false
}

// layerOf returns the layer that a file is named after, such as managed for managed.json. Any other name means user.
func layerOf(name string) policy.Layer {
	word, isJSON := strings.CutSuffix(filepath.Base(name), ".json")
	if layer, known := layerNamed(word); known && isJSON {
		return layer
	}
	return policy.User
}

var outcomes = []string{"accept", "review", "ask", "cancel", "decline"}

func (f *policyCaseFile) want(pointer string, v gjson.Result, c *policyCase) {
	if f.Members(pointer, v, func(key, at string, v gjson.Result) {
		switch key {
		case "outcome":
			if c.want.outcome = f.Word(at, v); !slices.Contains(outcomes, c.want.outcome) {
				f.reportUnknown(at, c.want.outcome, "accept, review, ask, cancel or decline")
			}
		case "rule":
			c.want.rule = f.Word(at, v)
		case "reason":
			if c.want.reason = f.Word(at, v); !slices.Contains(policy.ReasonCodes(), c.want.reason) {
				f.reportUnknown(at, c.want.reason, "the reasons listed in docs/reference/policy.md")
			}
		default:
			f.Report(at, "unknown_member", elicit.Str("known", "outcome, rule, reason"))
		}
	}) && !v.Get("outcome").Exists() {
		f.Report(pointer+"/outcome", "missing")
	}
}

// layers puts the file under test between the other layers of a case. Another layer is an inline policy, or the name of
// a file relative to the cases.
func (f *policyCaseFile) layers(pointer string, v gjson.Result, c *policyCase) {
	*rules.PolicyOf(&c.policies, c.layer) = f.policy.Text
	if !v.Exists() {
		return
	}
	f.Members(pointer, v, func(key, at string, v gjson.Result) {
		layer, known := layerNamed(key)
		if !known {
			f.Report(at, "unknown_member", elicit.Str("known", "managed, user, project, session"))
			return
		}
		if layer == c.layer {
			f.reportCase(at, `the tested file is in this layer; put it into another layer with "as"`)
			return
		}
		doc := cli.Document{Name: f.cases.Name + ": " + at, Text: []byte(v.Raw)}
		if v.Type == gjson.String {
			var err error
			if doc, err = cli.ReadDocument(f.cmd, filepath.Join(filepath.Dir(f.cases.Name), v.String())); err != nil {
				f.reportCase(at, "the policy of this layer cannot be read: "+err.Error())
				return
			}
		}
		if _, problems := policy.Parse(layer, doc.Text); problems != nil {
			doc.PrintProblems(f.cmd.ErrOrStderr(), problems)
			f.otherProblems = true
			return
		}
		*rules.PolicyOf(&c.policies, layer) = doc.Text
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
				f.Report(pointer+"/annotations"+bad.Pointer, bad.Code)
				return
			}
		}
		members, err := d.request(f.cmd, cli.Document{Name: f.cases.Name + ": " + pointer + "/request",
			Text: []byte(request.Raw)})
		f.otherProblems = f.otherProblems || err != nil
		c.request = string(bytes.TrimSpace(members))
	}
}
