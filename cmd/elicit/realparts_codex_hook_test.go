package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// hooked writes the configuration that `elicit hook --print-config` prints with the flags, starts Codex, and trusts the
// hooks as a person does with /hooks.
func (r codexRig) hooked(t *testing.T, h *codextest.Home, answer answerer, flags ...string) *codextest.Running {
	t.Helper()
	config, err := exec.Command(programtest.Built(t, "./cmd/elicit"),
		append([]string{"hook", "--print-config", "codex"}, flags...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
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
	if err := json.Unmarshal(run.Call("hooks/list", obj{"cwds": []string{run.Home.Project}}), &list); err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(policy, []byte(`{"version":1,"rules":[
		{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-wiping","when":{"tool":"wipe"},"then":"decline"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
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
	policy := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(policy, []byte(`{"version":1,"rules":[
		{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-wiping","when":{"tool":"wipe"},"then":"decline"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	h := r.home(t, reviewed)
	h.Model.Reviews(denies)
	c := codexCase{steps: steps(escalates("touch "+outside), callsTool("wipe"), callsTool("write")),
		told:  []string{"Process exited with code 0", "no-wiping", "unacceptable risk"},
		check: and(written(true), reviews("denied"))}
	c.follow(t, r.hooked(t, h, answers(nil), "--policy", policy))
}
