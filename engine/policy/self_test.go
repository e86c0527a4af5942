package policy

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// selfFacts are the doors to one file of Elicit or of an agent.
func selfFacts(file string) (list []*Facts) {
	for _, line := range []string{"echo x > FILE", "rm -f FILE", "mv FILE /tmp/x", "sed -i s/a/b/ FILE", "tee -a FILE < x",
		"ln -sf /tmp/x FILE", "sudo bash -c 'cat x > FILE'", "python3 -c \"open('FILE','w')\""} {
		if !strings.Contains(file, " ") {
			list = append(list, &Facts{Does: elicit.DeedCommand, Command: strings.ReplaceAll(line, "FILE", file)})
		}
	}
	return append(list,
		&Facts{Does: elicit.DeedPatch, Paths: []string{"/srv/app/x", file}},
		&Facts{Does: elicit.DeedPermissions, Paths: []string{file}},
		&Facts{Does: elicit.DeedTool, Tool: "write_file", Paths: []string{file}})
}

var selfFiles = []string{"/home/ann/.claude/settings.json", "~/.codex/config.toml", "/srv/app/.mcp.json",
	"/home/ann/.config/elicit/policy.json", "/Users/ann/Library/Application Support/elicit/grants.json",
	"/home/ann/.local/state/elicit/journal/a.jsonl", "/run/user/1000/elicit/desk.sock", "/srv/app/.vscode/mcp.json",
	"/home/ann/.config/opencode/plugin/elicit.js", "/home/ann/.codeium/windsurf/mcp_config.json"}

// TestOneFileManyDoors: whatever way leads to a file of Elicit, the decision is the same. A grant and a reviewer change
// nothing, a decline stays, and a rule of the administrator decides.
func TestOneFileManyDoors(t *testing.T) {
	const all = `{"version":1,"reviewer":"auto_review","grants":"always",` +
		`"rules":[{"when":{"does":"*"},"then":"THEN"}]}`
	for _, tt := range []struct {
		layer Layer
		then  string
		want  Outcome
	}{{User, "accept", Ask}, {User, "review", Ask}, {User, "ask", Ask}, {User, "decline", Decline},
		{Managed, "accept", Accept}, {Managed, "ask", Ask}} {
		stack := NewStack(parse(t, tt.layer, strings.Replace(all, "THEN", tt.then, 1)))
		for _, file := range selfFiles {
			for _, f := range selfFacts(file) {
				f.Mode, f.Kind, f.Claim, f.Granted = elicit.Form, elicit.KindApproval, elicit.ClaimApproval, "g"
				f.Cwd, f.AutoReviewAllowed = "/srv/app", true
				if made := stack.Decide(f); made.Outcome != tt.want {
					t.Errorf("%v %s: %v for %q %q: %v", tt.layer, tt.then, made.Outcome, f.Command, f.Paths, made.Reasons)
				}
			}
		}
	}
	if made := NewStack().Decide(selfFacts("~/.codex/hooks.json")[0]); strings.Contains(
		string(made.AppendJSON(nil)), codeSelfProtection) {
		t.Errorf("without a policy: %v", made)
	}
}

// TestNoStackAcceptsTheEndOfElicit: no policies of user, project and session accept such a deed, whatever they say.
// What they decline is declined.
func TestNoStackAcceptsTheEndOfElicit(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	outcomes := map[Outcome]int{}
	for i := range 10_000 {
		layers := someLayers(r, User, 3)
		if len(layers) == 0 {
			continue
		}
		f := someFacts(r)
		doors := selfFacts(pick(r, selfFiles...))
		self := *pick(r, append(doors, &Facts{Does: elicit.DeedCommand, Command: pick(r, "elicit uninstall --yes",
			"pkill elicit", "claude --dangerously-skip-permissions", "claude mcp add x y",
			"git config core.hooksPath /x", "rm -rf ~/.cl*")})...)
		f.Does, f.Command, f.Paths, f.CommandCandidate = self.Does, self.Command, self.Paths, ""
		f.Annotations.ReadOnly, f.Candidates = elicit.Unsaid, nil
		made := NewStack(layers...).Decide(f)
		outcomes[made.Outcome]++
		if made.Outcome < Ask {
			t.Fatalf("round %d: %v\n%+v\n%v", i, made.Outcome, *f, made.Reasons)
		}
	}
	if outcomes[Ask] < 1000 || outcomes[Decline] < 1000 {
		t.Error(outcomes)
	}
}
