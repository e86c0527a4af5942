package main

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// commandDecisions measures what deciding an agent's question about a command costs: facts, inspection and policy.
func commandDecisions() (*contest, row) {
	p, problems := policy.Parse(policy.User, []byte(`{"version":1,"approval_policy":"on-request","rules":[
		{"when":{"command":["git push *","rm *"]},"then":"ask"},
		{"when":{"command":["git *","make *","go test *"],"dangerous":false},"then":"accept"}]}`))
	mustHold(problems == nil, fmt.Sprint("the policy is refused: ", problems))
	stack := policy.NewStack(p)
	request := func(command string) elicit.Request {
		return elicit.Request{Server: "claude-code", Tool: "Bash", Mode: elicit.Form, Claim: elicit.ClaimApproval,
			Schema: []byte(`{"type":"object","properties":{}}`), Does: elicit.DeedCommand, Cwd: "/srv/app",
			Command: command, Message: "Bash: " + command}
	}
	decide := func(r elicit.Request) policy.Outcome {
		facts, findings, _ := engine.Consider(r, schema.Options{}, engine.Known{})
		return stack.Tighten(stack.Decide(&facts), findings).Outcome
	}
	chain := request("git add . && git commit -m 'Fix it' && git status")
	mustHold(decide(chain) == policy.Accept && decide(request("git status && rm -rf /")) == policy.Decline, "policy")
	ours := &line{name: "elicit, a command", unit: "ns", run: func(n int) {
		for range n {
			decide(chain)
		}
	}}
	return &contest{procs: 1, batch: batch, batches: batches, lines: []*line{ours}},
		row{path: "an agent's command decided", ours: ours, most: 35_000, kind: absolute,
			what: "three commands in a line, with impacts, inspection and policy"}
}
