package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// commands are what an agent wants to run, and what its hook must print.
var commands = []struct{ command, about, prints string }{
	{"git push --force", "A rule of the policy declines it, and the model reads why.", `"permissionDecision":"deny"`},
	{"git status", "A rule accepts it.", `"permissionDecision":"allow"`},
}

// hook asks the hook of Claude Code about shell commands, as that agent does.
func (d *demo) hook() error {
	args := []string{"hook", "claude-code", "--policy", "testdata/demo/policy.json",
		"--journal", filepath.Join(d.folder, "hook.jsonl")}
	heading("The command hook of an agent", "elicit "+strings.Join(args, " "))
	for _, c := range commands {
		d.acts++
		fmt.Printf("\n%2d  %s: %s\n", d.acts, c.command, c.about)
		call, err := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "demo", "cwd": "/srv/shop",
			"permission_mode": "default", "tool_name": "Bash", "tool_input": map[string]string{"command": c.command}})
		if err != nil {
			return err
		}
		command := exec.Command(d.program("elicit"), args...)
		command.Stdin, command.Stderr = strings.NewReader(string(call)), os.Stderr
		out, err := command.Output()
		if err != nil {
			return err
		}
		line("prints", strings.TrimSpace(string(out)))
		d.must(strings.Contains(string(out), c.prints), fmt.Sprintf("%s: the hook must print %s", c.command, c.prints))
	}
	return nil
}
