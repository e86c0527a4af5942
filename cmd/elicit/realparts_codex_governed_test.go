package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
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
			told:  []string{"too wide", "too wide"}, // the third denial ends the turn
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
	must.OK(t, os.Mkdir(filepath.Join(dir, "codex"), 0o755))
	must.Write(t, requirements+"\n", dir, "codex/requirements.toml")
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

// tries is how many commands Codex gets. A quiet machine needs one or two, and a busy one would run them in vain.
const tries = 10

// stopped takes turns until Codex asks: it notices that the sandbox stopped a command only if the command ends soon,
// which a busy machine does not promise. Otherwise the model is told, and a request that the proxy lost would not be.
func (r codexRig) stopped(t *testing.T, decision, turn, told string) {
	t.Helper()
	run := r.start(t, r.home(t, promptsGranular), answers(obj{"commandExecution": decides(decision)}))
	thread := run.Thread(nil)
	for range tries {
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
	t.Skipf("Codex noticed none of %d commands that the sandbox stopped: the machine is too busy for it", tries)
}

// runsShell is a step in which the model runs a command, and lets the sandbox be as it is.
func runsShell(command string) codextest.Step {
	return codextest.Step{Tool: "exec_command", Arguments: map[string]any{"cmd": command}}
}

// turn starts a turn of `codex exec`, which nobody attends, and returns what Codex printed.
func turn(t *testing.T, codex string, h *codextest.Home, script string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(codex, append(append([]string{"exec", "--skip-git-repo-check"}, flags...), script)...)
	cmd.Dir, cmd.Env = h.Project, h.Environ(t)
	out, _ := cmd.CombinedOutput() // the files and what the model was told say how it went
	return string(out)
}

// unattended are the modes of `codex exec`.
var unattended = [][]string{{"-s", "workspace-write"}, {"-s", "danger-full-access"},
	{"--dangerously-bypass-approvals-and-sandbox"}}

// TestRealCodexGateUnattended makes the row of hooks.Gates for `codex exec`.
func TestRealCodexGateUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	row := gateOf(t, hooks.Codex, true)
	h := codextest.NewHome(t, "")
	var steps []codextest.Step
	for _, word := range columns {
		steps = append(steps, runsShell("touch "+filepath.Join(h.Project, "made-"+word)))
	}
	program := filepath.Join(h.Project, "probe.sh")
	config, err := json.Marshal(probed(t, row.Host, row.Event, program))
	must.OK(t, errors.Join(err, os.WriteFile(program, []byte(probe(row.Host)), 0o700)))
	h.Write(t, "hooks.json", string(config))
	out := turn(t, r.codex, h, h.Model.Script(steps...), "-s", "workspace-write", "--dangerously-bypass-hook-trust")
	want, found := cells(row), made(t, h.Project)
	for _, word := range columns {
		if found[word] != (want[word] == hooks.OwnRules) {
			t.Errorf("%s: the file was made: %t; the table says %s", word, found[word], want[word])
		}
	}
	if t.Failed() {
		t.Logf("%s\n%q", out, h.Model.Told())
	}
}

// installed installs the hooks in a home of Codex as a person does, with a policy, and trusts them.
func (r codexRig) installed(t *testing.T, h *codextest.Home, policy string) {
	t.Helper()
	install(t, programtest.Built(t, "./cmd/elicit"), h.Environ(t), h.Project)
	h.Write(t, ".config/elicit/policy.json", policy)
	run := r.start(t, h, answers(nil))
	trustHooks(t, run)
	run.Close()
	<-run.Done
}

// shellSteps let a model run each command, in which $PROJECT is the project of the home.
func shellSteps(h *codextest.Home, commands []string) (steps []codextest.Step) {
	for _, command := range commands {
		steps = append(steps, runsShell(os.Expand(command, func(string) string { return h.Project })))
	}
	return steps
}

// eachMode lets a model run commands in each unattended mode, in a home that is made ready, and checks what came of it.
func (r codexRig) eachMode(t *testing.T, commands []string, ready func(*testing.T, *codextest.Home),
	check func(t *testing.T, project string, told []string)) {
	for _, flags := range unattended {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			h := codextest.NewHome(t, "")
			ready(t, h)
			out := turn(t, r.codex, h, h.Model.Script(shellSteps(h, commands)...), flags...)
			check(t, h.Project, h.Model.Told())
			if t.Failed() {
				t.Logf("%s\n%q", out, h.Model.Told())
			}
		})
	}
}

// TestRealCodexRulesUnattended is TestRealRulesUnattended for Codex.
func TestRealCodexRulesUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	r.eachMode(t, ruledSteps, func(t *testing.T, h *codextest.Home) { r.installed(t, h, ruledPolicy) }, rulesHeld)
}

// TestRealCodexPatchUnattended tests that a rule about files holds for a patch that Codex applies without asking. Codex
// offers the other tool for patches to no scripted model.
func TestRealCodexPatchUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	h := codextest.NewHome(t, "")
	r.installed(t, h, `{"version":1,"rules":[{"name":"closed","when":{"path":"*/made-*"},"then":"decline"}]}`)
	out := turn(t, r.codex, h, h.Model.Script(patches("made-closed"), patches("open")), "-s", "workspace-write")
	if found := made(t, h.Project); len(found) > 0 {
		t.Errorf("these were made: %v", found)
	}
	if _, err := os.Stat(filepath.Join(h.Project, "open")); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		t.Logf("%s\n%q", out, h.Model.Told())
	}
}

// hooked writes the configuration that `elicit hook --print-config` prints with the flags, starts Codex, and trusts the
// hooks as a person does with /hooks.
func (r codexRig) hooked(t *testing.T, h *codextest.Home, answer answerer, flags ...string) *codextest.Running {
	t.Helper()
	config, err := exec.Command(programtest.Built(t, "./cmd/elicit"),
		append([]string{"hook", "--print-config", "codex"}, flags...)...).Output()
	must.OK(t, err)
	h.Write(t, "hooks.json", string(config))
	run := r.start(t, h, answer)
	trustHooks(t, run)
	return run
}

// trustHooks trusts every hook that Codex lists.
func trustHooks(t *testing.T, run *codextest.Running) {
	t.Helper()
	var list struct {
		Data []struct {
			Hooks []struct{ Key, CurrentHash, TrustStatus string }
		}
	}
	must.Unmarshal(t, run.Call("hooks/list", obj{"cwds": []string{run.Home.Project}}), &list)
	trusted := 0
	for _, entry := range list.Data {
		for _, hook := range entry.Hooks {
			run.Call("config/batchWrite", obj{"reloadUserConfig": true, "edits": []obj{{"keyPath": "hooks.state",
				"value": obj{hook.Key: obj{"trusted_hash": hook.CurrentHash}}, "mergeStrategy": "upsert"}}})
			trusted++
		}
	}
	if trusted == 0 {
		t.Fatal("Codex lists no hook")
	}
}

// TestRealCodexHook runs `elicit hook codex` as the hook of the real Codex.
func TestRealCodexHook(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	dir := t.TempDir()
	policy, journal := filepath.Join(dir, "policy.json"), filepath.Join(dir, "journal")
	must.Write(t, `{"version":1,"rules":[
		{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-wiping","when":{"tool":"wipe"},"then":"decline"}]}`, policy)
	h := r.home(t, "")
	c := codexCase{
		steps: steps(escalates("touch "+outside), callsTool("wipe"), callsTool("write"), patches("../outside/other")),
		asked: []string{"mcp_tool_call", "fileChange"},
		told:  []string{"Process exited with code 0", "no-wiping", "write was called", "rejected by user"},
		check: written(true)}
	run := r.hooked(t, h, answers(obj{"mcp_tool_call": accepted(nil), "fileChange": decides("decline")}),
		"--policy", policy, "--journal", journal)
	c.follow(t, run)
	var outcomes []string
	files, err := filepath.Glob(filepath.Join(journal, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the hook wrote %q, %v; want one journal of the session", files, err)
	}
	for _, file := range files {
		outcomes = append(outcomes, recordedOutcomes(t, file)...)
	}
	slices.Sort(outcomes)
	want := []string{"accept", "accept", "cancel", "cancel", "cancel", "cancel", "decline"}
	if !slices.Equal(outcomes, want) {
		t.Errorf("the journals have %v, want %v", outcomes, want)
	}
}

// TestRealCodexHookBeforeReviewer tests that the hook decides before the reviewer of Codex, which gets what policy
// leaves open.
func TestRealCodexHookBeforeReviewer(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	policy := must.Write(t, `{"version":1,"rules":[
		{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-wiping","when":{"tool":"wipe"},"then":"decline"}]}`, t.TempDir(), "policy.json")
	h := r.home(t, reviewed)
	h.Model.Reviews(denies)
	c := codexCase{steps: steps(escalates("touch "+outside), callsTool("wipe"), callsTool("write")),
		told:  []string{"Process exited with code 0", "no-wiping", "unacceptable risk"},
		check: and(written(true), reviews("denied"))}
	c.follow(t, r.hooked(t, h, answers(nil), "--policy", policy))
}

// TestRealCodexQuestion tests that the model reads the label that a person chooses at an interface of Elicit, and the
// note of a person who declines its questions.
func TestRealCodexQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ answer, told, logged string }{
		{`{"action":"accept","content":{"day":"Tuesday"}}`, "Tuesday", "replied accept"},
		{`{"action":"decline","note":"Any day but these."}`, "user_note: Any day but these.", "replied decline"},
	} {
		t.Run(c.logged, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "answers.json")
			err := os.WriteFile(file, []byte(`[{"when":{"tool":"request_user_input"},"answer":`+c.answer+`}]`), 0o600)
			must.OK(t, err)
			r, journal := newCodexRig(t).proxied(t, asksAll, "--ui", "answers="+file)
			end(r.run(t, codexCase{steps: steps(asksUser()),
				told: []string{`{\"answers\":{\"day\":{\"answers\":[\"` + c.told + `\"]}}}`}}))
			contains(t, "elicit log", log(t, journal), c.logged)
		})
	}
}

// fiveMegabytes are the lines of a patch.
var fiveMegabytes = strings.Repeat("+0123456789 0123456789\n", 5<<20/23)

// TestRealCodexHostile tests what a hostile model lets Codex ask: a command that paints the terminal, a patch that does
// so, long commands, and a patch of five megabytes. A policy that accepts everything leaves to a person what cannot be
// shown in full. The log prints no control characters.
func TestRealCodexHostile(t *testing.T) {
	t.Parallel()
	r, journal := newCodexRig(t).proxied(t, `{"version":1,"rules":[
		{"name":"all","when":{"does":["command","patch"]},"then":"accept"}]}`)
	long := func(n int) codextest.Step { return escalates("touch " + outside + " #" + strings.Repeat("x", n)) }
	run := r.run(t, codexCase{
		steps: steps(escalates("true # \x1b[2J\x1b[H \u202e dlrow"), patchesWith("../outside/painted", "+\x01\x1b[2J\n"),
			long(2<<20), long(100<<10), patchesWith(outside, fiveMegabytes)),
		asked:   []string{"commandExecution", "commandExecution", "fileChange"},
		answers: obj{"commandExecution": decides("decline"), "fileChange": decides("decline")},
		told: []string{"Process exited with code 0", "Success", "rejected by user", "rejected by user",
			"rejected by user"}, check: written(false)})
	end(run)
	got, want := recordedOutcomes(t, journal), []string{"accept", "accept", "decline", "decline", "decline"}
	if !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
	if text := log(t, journal); strings.ContainsAny(text, "\x1b\x01\u202e") {
		t.Errorf("elicit log printed control characters: %q", text)
	}
}
