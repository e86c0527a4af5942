package codex

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// TestRules translates rules files and decides commands by the policy.
func TestRules(t *testing.T) {
	const push = `prefix_rule(pattern=["git", "push"], decision="prompt", justification="others see it")` + "\n"
	const git = `prefix_rule(pattern = ["git", ["status", "diff"]])` + "\n"
	const force = "prefix_rule(\n    pattern = [\"git\", \"push\", \"--force\"],  # never\n" +
		"    decision = \"forbidden\",\n)\n"
	all := git + push + force
	tests := []struct{ name, rules, command, want string }{
		{"allowed", all, "git status -s", "accept"},
		{"an alternative", all, "git diff", "accept"},
		{"no prefix of it", all, "git statusx", "ask"},
		{"not named", all, "make", "ask"},
		{"prompt", all, "git push origin", "ask"},
		{"forbidden", all, "git push --force origin", "decline"},
		{"the strictest holds, in any order", force + push + git, "git push --force", "decline"},
		{"all commands of a line", all, "git status && git diff", "accept"},
		{"the strictest of a line", all, "git status && git push --force", "decline"},
		{"one of a line that nobody names", all, "git status && make", "ask"},
		{"two rules that allow", git + `prefix_rule(pattern=["make"])`, "git status; make test", "accept"},
		{"a substitution", all, "git status $(make)", "ask"},
		{"a bad line keeps the others",
			"prefix_rule(pattern=[\"a\", decision=\"allow\")\n" + all, "git push --force", "decline"},
		{"a line without a pattern may have forbidden it", "prefix_rule(patern=[\"x\"])\n" + all, "git status", "ask"},
		{"a bad decision asks about its own prefix",
			"prefix_rule(pattern=[\"make\"], decision=\"maybe\")\n" + all, "git status",
			"accept"},
		{"a bad decision asks",
			"prefix_rule(pattern=[\"make\"], decision=\"maybe\")\n" + all + `prefix_rule(pattern=["make"])`,
			"make", "ask"},
		{"an unknown argument asks", `prefix_rule(pattern=["make"], unless=["x"])` + "\n" + git, "make", "ask"},
		{"a call without an end keeps the next",
			"prefix_rule(pattern=[\"make\"],\n" + all, "git push --force x", "decline"},
		{"a statement that is no call", "X = [\"git\"]\n" + all, "git push --force", "decline"},
		{"a wrong example", `prefix_rule(pattern=["make"], match=["cmake x"])`, "make", "ask"},
		{"examples that fit",
			`prefix_rule(pattern=["make"], match=["make x", ["make"]], not_match=["cmake"])`, "make", "accept"},
		{"words with spaces", `prefix_rule(pattern=["echo", "a b"])`, `echo "a b" c`, "accept"},
		{"words with spaces, unquoted", `prefix_rule(pattern=["echo", "a b"])`, `echo a b`, "ask"},
		{"a star is no pattern", `prefix_rule(pattern=["ls", "*"])`, "ls x", "ask"},
		{"comments and texts",
			"# x\nprefix_rule(pattern=['make', r\"all\"], decision = '''allow''') # y\n", "make all", "accept"},
	}
	for _, tt := range tests {
		reports := Import(nil, nil, source("default.rules", tt.rules))
		facts := policy.Facts{Server: "codex", Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
			Does: elicit.DeedCommand, Command: tt.command}
		if got := stack(t, reports).Decide(&facts); got.Outcome.String() != tt.want {
			t.Errorf("%s: %q is %v; want %s\n%s", tt.name, tt.command, got.Outcome, tt.want, reports[0].Policy)
		}
	}
}

// TestRuleEntries: each line of a rules file has an entry with its place.
func TestRuleEntries(t *testing.T) {
	const text = `prefix_rule(pattern=["git", ["status", "log"]], decision="allow")
prefix_rule(pattern=["bash", "-lc"], decision="allow")
prefix_rule(pattern=["git", "push"], decision="sometimes")
network_rule(host="API.example.com:443", protocol="https", decision="deny")
network_rule(host="api.example.com", protocol="https", decision="allow")
host_executable(name="git", paths=["/usr/bin/git"])
prefix_rule(pattern=["a" "b"])
load("x")
`
	want := `1 translated prefix_rule "git status|log" allow → rule allowed commands
2 too_broad prefix_rule "bash -lc" allow → rule allowed commands: this lets nearly everything run; allow s
3 wrong prefix_rule → rule x.rules:3: known decisions are "allow", "prompt" an
4 translated network_rule "api.example.com" deny → rule x.rules:4
5 no_equivalent network_rule "api.example.com" allow: a policy compares no protocols, so the h
6 no_equivalent host_executable: a pattern compares the program as it is 
7 wrong prefix_rule → rule x.rules:7: a comma is missing in a list; every comm
8 wrong load → rule x.rules:8: known are prefix_rule, network_rule and 
`
	var got strings.Builder
	reports := Import(nil, nil, source("/home/ann/x.rules", text))
	for _, e := range reports[0].Entries {
		got.WriteString(elicit.Num("", e.Line).Raw + " " + string(e.Status) + " " + e.Key)
		if e.Value != "" {
			got.WriteString(" " + e.Value)
		}
		if e.To != "" {
			got.WriteString(" → " + e.To)
		}
		if why := []rune(e.Why); len(why) > 0 {
			got.WriteString(": " + string(why[:min(len(why), 40)]))
		}
		got.WriteString("\n")
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestBroadPrefixes: Codex never proposes these.
func TestBroadPrefixes(t *testing.T) {
	broad := map[string]bool{
		"sudo": true, "bash": true, "/bin/bash": true, "python3 -c": true, "git": true, "rm": true,
		"rm -rf": true, "env": true, "node -e": true, "git push": false, "python3 -m": false, "ls": false,
		"rm build": false, "npm run": false,
	}
	for pattern, want := range broad {
		var tokens [][]string
		for _, word := range strings.Fields(pattern) {
			tokens = append(tokens, []string{word})
		}
		if tooBroad(tokens) != want {
			t.Errorf("%s: %v", pattern, !want)
		}
	}
}

// TestManagedRules: requirements restrict and never allow.
func TestManagedRules(t *testing.T) {
	const text = `[rules]
prefix_rules = [
  {pattern = [{token = "git"}, {any_of = ["push", "fetch"]}], decision = "prompt-user", justification = "ask first"},
  {pattern = [{token = "rm"}], decision = "forbidden"},
]
`
	user, _ := policy.Parse(policy.User, []byte(`{"version":1,"rules":[{"when":{},"then":"accept"}]}`))
	for command, want := range map[string]string{"git push": "ask", "git status": "accept", "rm x": "decline",
		"cd a && rm x": "decline"} {
		managed, problems := policy.Parse(policy.Managed, Import(nil, source("requirements.toml", text))[0].Policy)
		if problems != nil {
			t.Fatal(problems)
		}
		facts := policy.Facts{Server: "codex", Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
			Does: elicit.DeedCommand, Command: command}
		if got := policy.NewStack(managed, user).Decide(&facts); got.Outcome.String() != want {
			t.Errorf("%s: %v, want %s", command, got.Outcome, want)
		}
	}
	wrong := strings.Replace(text, "forbidden", "allow", 1)
	if r := Import(nil, source("requirements.toml", wrong))[0]; !r.Wrong() {
		t.Errorf("requirements that allow are not wrong: %s", r.Policy)
	}
}

// TestRulesBesideConfig: rules files and config.toml make one policy, and a reviewer gets the prompts.
func TestRulesBesideConfig(t *testing.T) {
	config := "approvals_reviewer = \"auto_review\"\napproval_policy = \"on-request\""
	reports := Import(source("config.toml", config), nil,
		source("a.rules", `prefix_rule(pattern=["git", "push"], decision="prompt")`),
		source("b.rules", `prefix_rule(pattern=["ls"])`))
	if len(reports) != 3 || reports[0].Policy == nil || reports[1].Policy != nil || reports[2].Policy != nil {
		t.Fatalf("%d reports", len(reports))
	}
	for command, want := range map[string]string{"git push": "review", "ls": "accept", "make": "review"} {
		facts := policy.Facts{Server: "codex", Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
			Does: elicit.DeedCommand, Command: command}
		if got := stack(t, reports[:1]).Decide(&facts); got.Outcome.String() != want {
			t.Errorf("%s: %v, want %s", command, got.Outcome, want)
		}
	}
}

// FuzzRules: no rules file makes the import panic, and every policy that it writes has no problems.
func FuzzRules(f *testing.F) {
	f.Add("prefix_rule(pattern=[\"a\", [\"b\", 'c']], decision=\"prompt\")\nx = 1\n" +
		"network_rule(host=\"a.b\", decision=\"deny\")")
	f.Add("prefix_rule(pattern=[\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range Import(nil, nil, source("x.rules", " "+text)) {
			if _, problems := policy.Parse(policy.User, r.Policy); problems != nil {
				t.Errorf("%q: %v", text, problems)
			}
		}
	})
}
