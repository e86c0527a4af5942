package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyCase is one request and what a policy must do with it.
type policyCase struct {
	name     string
	pointer  string
	line     int
	layer    policy.Layer // which the file under test is in this case
	policies policies     // every layer as its text
	request  string       // the members "facts" and "findings"
	want     struct{ outcome, rule, reason string }
}

// caseFile is the cases of one policy file, while they are read. It collects problems and reads strictly: a
// misspelt key would make a case pass that tests nothing.
type caseFile struct {
	cmd      *cobra.Command
	policy   document
	cases    document
	problems []elicit.Problem
	spoilt   bool // something beside the cases' own spelling is wrong, and has been complained about
	list     []policyCase
}

// read reads all cases, complains about every problem and reports whether they can be run.
func (f *caseFile) read() bool {
	if gate := abi.Eval("parse", appendObject(nil, []elicit.Arg{elicit.Str("document_text", string(f.cases.text))}), nil); !gjson.GetBytes(gate, "ok").Bool() {
		f.cases.complain(f.cmd.ErrOrStderr(), ui.Problems(gjson.GetBytes(gate, "problems")))
		return false
	}
	root := gjson.ParseBytes(f.cases.text)
	switch {
	case !root.IsArray():
		f.report("", "wrong_type", elicit.Str("expected", "array"))
	case len(root.Array()) == 0:
		f.report("", "empty_value")
	}
	if root.IsArray() {
		for i, v := range root.Array() {
			f.one("/"+strconv.Itoa(i), v)
		}
	}
	f.cases.complain(f.cmd.ErrOrStderr(), f.problems)
	return f.problems == nil && !f.spoilt
}

func (f *caseFile) report(pointer, code string, args ...elicit.Arg) {
	f.problems = append(f.problems, elicit.Problem{Code: code, Pointer: pointer, Args: args})
}

// unknown says that a word is none of those allowed here.
func (f *caseFile) unknown(pointer, word, allowed string) {
	f.report(pointer, "unknown_value", elicit.Str("value", word), elicit.Str("allowed", allowed))
}

// unfit says why a case whose members are spelled well cannot be run.
func (f *caseFile) unfit(pointer, why string) {
	f.report(pointer, "case_unfit", elicit.Str("why", why))
}

// known are the keys of a case.
const known = "name, as, server, tool, annotations, request, facts, findings, layers, want"

func (f *caseFile) one(pointer string, v gjson.Result) {
	if !v.IsObject() {
		f.report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return
	}
	c := policyCase{pointer: pointer, layer: layerOf(f.policy.name)}
	c.line, _ = position(f.cases.text, f.cases.offset(elicit.Problem{Pointer: pointer}))
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
			f.report(pointer+"/"+key, "unknown_member", elicit.Str("known", known))
		}
		return true
	})
	if c.name = words["name"]; c.name == "" {
		f.report(pointer+"/name", "missing")
	}
	if as := words["as"]; as != "" {
		at := slices.IndexFunc(policy.Layers(), func(l policy.Layer) bool { return l.String() == as })
		if at < 0 {
			f.unknown(pointer+"/as", as, "managed, user, project or session")
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

// layerOf is the layer a file is named after; the user's when it is named otherwise.
func layerOf(name string) policy.Layer {
	for _, l := range policy.Layers() {
		if filepath.Base(name) == l.String()+".json" {
			return l
		}
	}
	return policy.User
}

func (f *caseFile) word(pointer string, v gjson.Result) string {
	if v.Type != gjson.String {
		f.report(pointer, "wrong_type", elicit.Str("expected", "string"))
	}
	return v.String()
}

var outcomes = []string{"accept", "review", "ask", "cancel", "decline"}

func (f *caseFile) want(pointer string, v gjson.Result, c *policyCase) {
	if !v.IsObject() {
		f.report(pointer, "wrong_type", elicit.Str("expected", "object"))
		return
	}
	v.ForEach(func(k, v gjson.Result) bool {
		at := pointer + "/" + k.String()
		switch k.String() {
		case "outcome":
			if c.want.outcome = f.word(at, v); !slices.Contains(outcomes, c.want.outcome) {
				f.unknown(at, c.want.outcome, "accept, review, ask, cancel or decline")
			}
		case "rule":
			c.want.rule = f.word(at, v)
		case "reason":
			if c.want.reason = f.word(at, v); !slices.Contains(policy.ReasonCodes(), c.want.reason) {
				f.unknown(at, c.want.reason, "the reasons listed in docs/policy.md")
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

// layers puts the file under test among the other layers of a case: inline policies, or files beside the cases.
func (f *caseFile) layers(pointer string, v gjson.Result, c *policyCase) {
	*policyOf(&c.policies, c.layer) = f.policy.text
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
			f.unfit(at, `this layer is the tested file's; "as" puts that elsewhere`)
			return true
		}
		doc := document{f.cases.name + ": " + at, []byte(v.Raw)}
		if v.Type == gjson.String {
			var err error
			if doc, err = readDocument(f.cmd, filepath.Join(filepath.Dir(f.cases.name), v.String())); err != nil {
				f.unfit(at, "the policy of this layer cannot be read: "+err.Error())
				return true
			}
		}
		if _, problems := policy.Parse(policy.Layers()[i], doc.text); problems != nil {
			doc.complain(f.cmd.ErrOrStderr(), problems)
			f.spoilt = true
			return true
		}
		*policyOf(&c.policies, policy.Layers()[i]) = doc.text
		return true
	})
}

// request reads what is asked: a request as `elicit decide` takes it, or the facts a policy looks at.
func (f *caseFile) request(pointer string, v gjson.Result, c *policyCase, words map[string]string) {
	request, facts := v.Get("request"), v.Get("facts")
	switch {
	case request.Exists() == facts.Exists():
		f.unfit(pointer, "it needs either a request or facts")
	case facts.Exists():
		for _, key := range []string{"server", "tool", "annotations"} {
			if _, given := words[key]; given {
				f.unfit(pointer+"/"+key, "this belongs inside facts; it stands beside a request only")
			}
		}
		c.request = `"facts":` + facts.Raw
		if findings := v.Get("findings"); findings.Exists() {
			c.request += `,"findings":` + findings.Raw
		}
	case v.Get("findings").Exists():
		f.unfit(pointer+"/findings", "findings stand beside facts only; a request is inspected for them")
	default:
		d := decide{server: words["server"], tool: words["tool"]}
		if said, given := words["annotations"]; given {
			var bad *elicit.Problem
			if d.annotations, bad = annotationsOf(said); bad != nil {
				f.report(pointer+"/annotations"+bad.Pointer, bad.Code)
				return
			}
		}
		members, err := d.request(f.cmd, document{f.cases.name + ": " + pointer + "/request", []byte(request.Raw)})
		f.spoilt = f.spoilt || err != nil
		c.request = string(bytes.TrimSpace(members))
	}
}
