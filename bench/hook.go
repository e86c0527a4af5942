package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// What Claude Code gives a hook before it runs a command, and a policy that decides it.
const (
	hookInput = `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/project","hook_event_name":"PreToolUse",` +
		`"tool_name":"Bash","tool_input":{"command":"git push origin main"}}`
	hookRules = `{"version":1,"rules":[{"name":"no-push","when":{"command":"git push*"},"then":"decline"}]}`
)

// commandHooks measures a hook from its start to its end, with a journal, beside a script that decides nothing.
func commandHooks() ([]*contest, []row) {
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	policy, script := filepath.Join(dir, "policy.json"), filepath.Join(dir, "hook.mjs")
	must(os.WriteFile(policy, []byte(hookRules), 0o600))
	must(os.WriteFile(script, []byte("process.stdout.write('{}')\n"), 0o600))
	of := func(name, said string, command ...string) *line {
		return &line{name: name, unit: "ms", once: func() float64 {
			hook := exec.Command(command[0], command[1:]...)
			hook.Stdin = strings.NewReader(hookInput)
			start := time.Now()
			out, err := hook.Output()
			took := float64(time.Since(start)) / 1e6
			must(err)
			mustHold(bytes.Contains(out, []byte(said)), name+" says something else")
			return took
		}}
	}
	ours := of("elicit hook", `"permissionDecision":"deny"`, "../dist/elicit", "hook", "--policy", policy, "--journal",
		filepath.Join(dir, "journal"), "claude-code")
	node := of("a Node script that prints {}", "{}", "node", script)
	c := &contest{procs: 2, batches: batches, lines: []*line{ours, node}, close: func() { os.RemoveAll(dir) }}
	return []*contest{c}, []row{
		{path: "a hook that policy decides", ours: ours, against: node, most: 0.6},
		{path: "a hook that policy decides", ours: ours, kind: absolute, most: 30, what: "from its start to its end"},
	}
}
