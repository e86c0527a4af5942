package main

import (
	"fmt"

	"github.com/cedar-policy/cedar-go"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// The same rule twice: known servers may ask a person with a form, and no request for a secret gets through.
const (
	ourRules = `{"version":1,"rules":[
		{"name":"no-secrets","when":{"sensitive":true},"then":"decline","why":"secrets are not typed into forms"},
		{"name":"known","when":{"server":["github","linear","build"],"mode":"form","kind":["form","confirm"]},"then":"ask"}]}`
	cedarRules = `
		forbid (principal, action, resource) when { context.sensitive };
		permit (principal, action == Action::"ask", resource) when {
			["github", "linear", "build"].contains(context.server) && context.mode == "form" &&
			["form", "confirm"].contains(context.kind) };`
	heldRequest = `{"server":"build","tool":"deploy","side":"answering","mode":"form","kind":"form",` +
		`"message":"The backup of the billing database failed last night. Shall I open a ticket for the storage team?",` +
		`"fields":[{"name":"ticket","sensitive":false},{"name":"summary","sensitive":false},` +
		`{"name":"email","sensitive":false},{"name":"count","sensitive":false},` +
		`{"name":"urgent","sensitive":false},{"name":"severity","sensitive":false}]}`
)

func decisions() ([]*contest, []row) {
	doc := []byte(heldRequest)
	p, problems := policy.Parse(policy.User, []byte(ourRules))
	mustHold(problems == nil, fmt.Sprint("the policy is refused: ", problems))
	stack := policy.NewStack(p)
	set, err := cedar.NewPolicySetFromBytes("rules.cedar", []byte(cedarRules))
	must(err)

	ours, theirs := read(doc), cedarRequest(doc)
	judge := func(f *policy.Facts) bool { return stack.Decide(f).Outcome == policy.Ask }
	allow := func(r cedar.Request) bool {
		d, _ := cedar.Authorize(set, cedar.EntityMap{}, r)
		return d == cedar.Allow
	}
	secret := []byte(`{"server":"build","mode":"form","kind":"form","fields":[{"name":"password","sensitive":true}]}`)
	badFacts := read(secret)
	mustHold(judge(&ours) && !judge(&badFacts), "policy")
	mustHold(allow(theirs) && !allow(cedarRequest(secret)), "cedar")

	c := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{
		{name: "elicit, held", unit: "ns", run: func(n int) {
			for range n {
				judge(&ours)
			}
		}},
		{name: "cedar-go, request built", unit: "ns", run: func(n int) {
			for range n {
				allow(theirs)
			}
		}},
		{name: "elicit, from bytes", unit: "ns", run: func(n int) {
			for range n {
				f := read(doc)
				judge(&f)
			}
		}},
		{name: "cedar-go, from the same bytes", unit: "ns", run: func(n int) {
			for range n {
				allow(cedarRequest(doc))
			}
		}},
	}}
	commands, command := commandDecisions()
	return []*contest{c, commands}, []row{command,
		{path: "policy decision on a held request", ours: c.lines[0], against: c.lines[1], most: 0.3},
		{path: "policy decision from bytes", ours: c.lines[2], against: c.lines[3], most: 0.4},
	}
}

// read reads the request as the engine does.
func read(doc []byte) policy.Facts {
	f, problem := policy.ReadFacts(doc)
	mustHold(problem == nil, "the request cannot be read")
	return f
}

// facts reads the request as a caller of Cedar might: with gjson, into the fields that the rule uses.
func facts(doc []byte) (f policy.Facts) {
	mustHold(gjson.ValidBytes(doc), "the request is not JSON")
	f.Fields = make([]policy.FieldFact, 0, 8)
	gjson.ParseBytes(doc).ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "server":
			f.Server = v.Str
		case "tool":
			f.Tool = v.Str
		case "side":
			f.Side = elicit.Side(v.Str)
		case "mode":
			f.Mode = elicit.Mode(v.Str)
		case "kind":
			f.Kind = elicit.Kind(v.Str)
		case "message":
			f.Message = v.Str
		case "fields":
			v.ForEach(func(_, v gjson.Result) bool {
				f.Fields = append(f.Fields, policy.FieldFact{Name: v.Get("name").Str, Sensitive: v.Get("sensitive").Bool()})
				return true
			})
		}
		return true
	})
	return f
}

// cedarRequest reads the same for Cedar, which has its own record type.
func cedarRequest(doc []byte) cedar.Request {
	f := facts(doc)
	sensitive := false
	for _, field := range f.Fields {
		sensitive = sensitive || field.Sensitive
	}
	return cedar.Request{
		Principal: cedar.NewEntityUID("Server", cedar.String(f.Server)),
		Action:    cedar.NewEntityUID("Action", "ask"),
		Resource:  cedar.NewEntityUID("Tool", cedar.String(f.Tool)),
		Context: cedar.NewRecord(cedar.RecordMap{
			"server": cedar.String(f.Server), "mode": cedar.String(f.Mode), "kind": cedar.String(f.Kind),
			"message": cedar.String(f.Message), "sensitive": cedar.Boolean(sensitive),
		}),
	}
}
