package policy

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
)

//go:embed testdata/attacks.txt
var attacks string

//go:embed testdata/harmless.txt
var harmless string

// everything accepts what it may.
const everything = `{"version":1,"approval_policy":"never","access":"full",
  "rules":[{"when":{"does":"*"},"then":"accept"}]}`

// TestNothingSwitchesElicitOff tries each way under each preset, and the ways that can be seen under a policy that
// accepts everything.
func TestNothingSwitchesElicitOff(t *testing.T) {
	stacks := map[string]policy.Stack{"everything": stackOf(t, []byte(everything))}
	for _, name := range presetNames {
		text, err := presets.ReadFile("presets/" + name + ".json")
		must.OK(t, err)
		stacks[name] = stackOf(t, text)
	}
	seen, unseen, _ := strings.Cut(attacks, "\n\n") // a policy that accepts everything sees the first part
	for part, text := range []string{seen, unseen} {
		commands := linesOf(text)
		for _, command := range commands {
			for name, stack := range stacks {
				if made := decideCommand(stack, command); made.Outcome == policy.Accept && (part == 0 || name != "everything") {
					t.Errorf("%s accepts: %s\n%v", name, command, made.Reasons)
				}
			}
		}
		if len(commands) < 10 || part == 0 && len(commands) < 150 {
			t.Errorf("only %d tried", len(commands))
		}
	}
}

// TestHarmlessCommandsPass: the built-in rule asks about nothing else.
func TestHarmlessCommandsPass(t *testing.T) {
	stack := stackOf(t, []byte(everything))
	for _, command := range linesOf(harmless) {
		if made := decideCommand(stack, command); made.Outcome != policy.Accept {
			t.Errorf("%v: %s\n%v", made.Outcome, command, made.Reasons)
		}
	}
}

func linesOf(text string) (commands []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			commands = append(commands, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	return commands
}

func decideCommand(stack policy.Stack, command string) policy.Decision {
	facts, findings, _ := engine.Consider(elicit.Request{Mode: elicit.Form, Claim: elicit.ClaimApproval,
		Does: elicit.DeedCommand, Command: command, Cwd: "/home/ann/app",
		Schema: []byte(`{"type":"object","properties":{}}`)},
		schema.Options{}, engine.Known{})
	return stack.Tighten(stack.Decide(&facts), findings)
}

func stackOf(t *testing.T, text []byte) policy.Stack {
	t.Helper()
	p, problems := policy.Parse(policy.User, text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return policy.NewStack(p)
}
