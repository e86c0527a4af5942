package engine_test

import (
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// BenchmarkDecideCommand decides an agent's question about a command: facts, inspection and policy.
func BenchmarkDecideCommand(b *testing.B) {
	p, problems := policy.Parse(policy.User, []byte(`{"version":1,"approval_policy":"on-request","rules":[
		{"when":{"command":["git push *","rm *"]},"then":"ask"},
		{"when":{"command":["git *","make *","go test *"],"dangerous":false},"then":"accept"}]}`))
	if problems != nil {
		b.Fatal(problems)
	}
	stack := policy.NewStack(p)
	r := elicit.Request{Server: "claude-code", Tool: "Bash", Mode: elicit.Form, Claim: elicit.ClaimApproval,
		Schema: []byte(`{"type":"object","properties":{}}`), Does: elicit.DeedCommand, Cwd: "/srv/app",
		Command: "git add . && git commit -m 'Fix it' && git status", Message: "Bash: git add . && git commit -m 'Fix it'"}
	b.ReportAllocs()
	for b.Loop() {
		facts, findings, _ := engine.Consider(r, schema.Options{}, engine.Known{})
		if d := stack.Tighten(stack.Decide(&facts), findings); d.Outcome != policy.Accept {
			b.Fatal(d)
		}
	}
}
