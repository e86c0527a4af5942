package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
)

const (
	reviewed     = "approvals_reviewer = \"auto_review\"\n" + asksOnRequest
	allows       = `{"outcome":"allow"}`
	denies       = `{"outcome":"deny","risk_level":"high","rationale":"too wide"}`
	onlyNever    = `allowed_approval_policies = ["never"]`
	onlyReviewed = `allowed_approvals_reviewers = ["auto_review"]`

	// tagged is a confirmation of a server that asks for the reviewer of Codex.
	tagged = `{"message":"Wipe it?","requestedSchema":{"type":"object","properties":{}},"_meta":{` +
		`"codex_request_type":"approval_request","codex_approval_kind":"mcp_tool_call","tool_name":"wipe"}}`
)

// governedCases are the turns in which somebody else than Codex and its person has a say: its reviewer, which is a
// model, its sandbox, or an administrator.
func governedCases() []codexCase {
	const command = "commandExecution"
	byAdmin := func(decision string) string {
		return `rules = { prefix_rules = [{ pattern = [{ token = "touch" }], decision = "` + decision +
			`", justification = "no touching" }] }`
	}
	people := map[string]any{"requiredHumanApproval": true}
	touches := inSandbox("touch " + outside)
	return []codexCase{
		{name: "the reviewer allows", settings: reviewed, review: allows,
			steps: steps(escalates("touch "+outside), callsTool("wipe"), patches("../outside/other"),
				wantsPermission("/opt"), asksServer(tagged), asksServer(dayForm)),
			asked: []string{"form"}, answers: obj{"form": action("decline")}, told: []string{"Process exited with code 0",
				"wipe was called", "Success", `\"write\":[\"/opt\"]`, `\"approvals_reviewer\":\"auto_review\"`, `\"decline\"`},
			check: and(written(true), reviews("approved", "approved", "approved", "approved", "approved"))},
		{name: "the reviewer denies", settings: reviewed, review: denies,
			steps: steps(escalates("touch "+outside), asksServer(tagged)),
			told:  []string{"unacceptable risk", `\"action\":\"decline\"`},
			check: and(written(false), reviews("denied", "denied"))},
		{name: "the reviewer denies three times", settings: reviewed, review: denies, turn: "interrupted",
			steps: steps(escalates("touch "+outside), callsTool("wipe"), patches(outside), callsTool("write")),
			check: and(written(false), reviews("denied", "denied", "denied"))},
		{name: "the reviewer says nonsense", settings: reviewed, review: "I cannot say",
			steps: steps(escalates("touch " + outside)),
			told:  []string{"review could not be completed"}, check: and(written(false), reviews("denied"))},
		{name: "a person demands reviews", review: allows, steps: steps(wantsPermission("/opt"), touches),
			asked: []string{"permissions"}, told: []string{`\"write\":[\"/opt\"]`, "Process exited with code"},
			answers: obj{"permissions": obj{"permissions": writes("/opt"), "strictAutoReview": true}},
			check:   reviews("approved")},

		{name: "the sandbox has the last word", settings: asksGranular, steps: steps(touches),
			told: []string{"Read-only file system"}, check: written(false)},

		{name: "an administrator allows no questions", managed: onlyNever, check: written(false),
			steps: steps(escalates("touch "+outside), asksServer(dayForm)),
			told:  []string{"approval policy is Never", `[{\"action\":\"decline\"}]`}},
		{name: "an administrator demands the reviewer", managed: onlyReviewed, review: allows,
			steps: steps(escalates("touch " + outside)), told: []string{"Process exited with code 0"},
			check: and(written(true), reviews("approved"))},
		{name: "an administrator forbids", managed: byAdmin("forbidden"), steps: steps(escalates("touch " + outside)),
			told: []string{"no touching"}, check: written(false)},
		{name: "an administrator demands a person", managed: byAdmin("prompt-user"), settings: reviewed, review: allows,
			declares: people, steps: steps(escalates("touch " + outside)), asked: []string{command},
			answers: obj{command: decides("decline")}, told: []string{"rejected by user"},
			check: and(written(false), offers(`["accept","decline","cancel"]`), reviews())},
		{name: "an administrator demands a person who is not there", managed: byAdmin("prompt-user"),
			steps: steps(escalates("touch " + outside)), told: []string{"approval request failed"}, check: written(false)},
	}
}

// inSandbox is a step in which the model runs a command without asking for more.
func inSandbox(command string) codextest.Step {
	return codextest.Step{Tool: "exec_command", Arguments: map[string]any{"cmd": command}}
}

// managed returns a command that runs another one under what an administrator demands of Codex, which is a file in
// /etc. The process gets an /etc of its own.
func managed(t *testing.T, requirements string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "codex"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "codex/requirements.toml"), []byte(requirements+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command := []string{"unshare", "--mount"}
	if os.Geteuid() != 0 {
		command = append(command, "--map-root-user")
	}
	command = append(command, "sh", "-c", `mount -t overlay overlay -o "lowerdir=$0:/etc" /etc && exec "$@"`, dir)
	if out, err := exec.Command(command[0], append(command[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("a process cannot have an /etc of its own on this machine: %v: %s", err, out)
	}
	return command
}

// and checks everything.
func and(checks ...func(*testing.T, *codextest.Running)) func(*testing.T, *codextest.Running) {
	return func(t *testing.T, run *codextest.Running) {
		t.Helper()
		for _, check := range checks {
			check(t, run)
		}
	}
}

// reviews checks what the front end hears of the reviewer.
func reviews(want ...string) func(*testing.T, *codextest.Running) {
	return func(t *testing.T, run *codextest.Running) {
		t.Helper()
		var got []string
		for _, m := range run.Got() {
			if m.Method == "item/autoApprovalReview/completed" {
				got = append(got, m.Param("review.status"))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the reviewer said %q, want %q", got, want)
		}
	}
}

// TestRealCodexHuman tests a command for which an administrator demands a person: no rule of the policy accepts it. The
// proxy declares that a person can be asked if one can, and Codex then asks.
func TestRealCodexHuman(t *testing.T) {
	t.Parallel()
	direct := newCodexRig(t)
	file := answersFile(t, []rule{{Answer: accept(obj{"decision": "accept"})}})
	for _, c := range []struct {
		name  string
		flags []string
		codexCase
		outcomes []string
	}{
		{"our own person", []string{"--ui", "answers=" + file}, codexCase{told: []string{"Process exited with code 0"},
			check: written(true)}, []string{"accept"}},
		{"the front end's person", nil, codexCase{told: []string{"rejected by user"}, check: written(false),
			declares: map[string]any{"requiredHumanApproval": true}, asked: []string{"commandExecution"},
			answers: obj{"commandExecution": decides("decline")}}, []string{"decline"}},
		{"nobody", []string{"--ui", "none"}, codexCase{told: []string{"approval request failed"}, check: written(false)},
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, journal := direct.proxied(t, `{"version":1,"rules":[{"when":{"command":"touch *"},"then":"accept"}]}`, c.flags...)
			c.managed = `rules = { prefix_rules = [{ pattern = [{ token = "touch" }], decision = "prompt-user" }] }`
			c.steps = steps(escalates("touch " + outside))
			end(r.run(t, c.codexCase))
			if got := recordedOutcomes(t, journal); !slices.Equal(got, c.outcomes) {
				t.Errorf("the journal has %v, want %v", got, c.outcomes)
			}
			if c.outcomes != nil {
				contains(t, "elicit log", log(t, journal), "A rule would accept this, but only you can fill it in")
			}
		})
	}
}

// TestRealCodexSandbox tests a command that the sandbox stops, with and without the proxy: Codex asks whether it may
// run again outside. It runs before the parallel tests, because Codex only notices a command that ends soon.
func TestRealCodexSandbox(t *testing.T) {
	direct := newCodexRig(t)
	proxied, _ := direct.proxied(t, asksAll)
	for name, r := range map[string]codexRig{"direct": direct, "proxied": proxied} {
		t.Run(name, func(t *testing.T) {
			r.stopped(t, "accept", "completed", "Process exited with code 0")
			r.stopped(t, "decline", "completed", "rejected by user")
			r.stopped(t, "cancel", "interrupted", "")
		})
	}
}

// stopped takes turns until Codex asks: it notices that the sandbox stopped a command only if the command ends soon,
// which a busy machine does not promise. Otherwise the model is told.
func (r codexRig) stopped(t *testing.T, decision, turn, told string) {
	t.Helper()
	run := r.start(t, r.home(t, promptsGranular), answers(obj{"commandExecution": decides(decision)}))
	thread := run.Thread(nil)
	for range 100 {
		ends := run.TurnEnds(run.Turn(thread, inSandbox("touch "+outside)))
		all := run.Home.Model.Told()
		if len(run.Requests()) == 0 && len(all) > 0 && strings.Contains(all[len(all)-1], "Read-only file system") {
			continue
		}
		if reason := run.Requests()[0].Param("reason"); !strings.Contains(reason, "retry without sandbox") {
			t.Errorf("Codex asks because of %q", reason)
		}
		if ends != turn || told != "" && !strings.Contains(all[len(all)-1], told) {
			t.Errorf("%s: the turn is %s, and the model was told %q", decision, ends, all)
		}
		written(decision == "accept")(t, run)
		return
	}
	t.Error("Codex never asked whether the command may run again")
}
