package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// hookSeconds is how long a host waits for a decision. Guardians may take some of it.
const hookSeconds = 60

// hookFiles names the file of the person, and not of a project, in which a host looks for hooks.
var hookFiles = map[hooks.Host]string{
	hooks.ClaudeCode: "~/.claude/settings.json",
	hooks.Codex:      "~/.codex/hooks.json",
	hooks.Cursor:     "~/.cursor/hooks.json",
	hooks.Copilot:    "~/.copilot/hooks/elicit.json",
	hooks.VSCode:     ".github/hooks/elicit.json",
	hooks.Gemini:     "~/.gemini/settings.json",
}

// usualEvents are the events of Claude Code that ask only where Claude Code would ask itself. PreToolUse comes before
// every call, so a policy that asks about everything would ask about everything.
var usualEvents = []string{"PermissionRequest", "Elicitation", "ElicitationResult"}

// printConfiguration prints what the person puts into the host's file.
func (v *hookVerb) printConfiguration(cmd *cobra.Command, host hooks.Host) error {
	own, err := ownProgram()
	if err != nil {
		return err
	}
	events := hooks.Events(host)
	for _, event := range v.events {
		if !slices.Contains(events, event) {
			return fmt.Errorf("--event is %s; %s has %s", quoted(event), host, strings.Join(events, ", "))
		}
	}
	switch {
	case len(v.events) > 0:
		events = v.events
	case host == hooks.ClaudeCode:
		events = usualEvents
	}
	command := hookCommand(own, host, v.onFailure)
	entries := map[string]any{}
	for _, event := range events {
		entries[event] = []any{hookEntry(host, command)}
	}
	config := map[string]any{"hooks": entries}
	if host == hooks.Cursor || host == hooks.Copilot {
		config["version"] = 1
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "elicit: add this to %s\n", hookFiles[host])
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", text)
	return nil
}

// hookEntry is the entry of one event. Where a host has a word for it, a hook that fails blocks.
func hookEntry(host hooks.Host, command string) any {
	switch host {
	case hooks.Cursor:
		return map[string]any{"command": command, "timeout": hookSeconds, "failClosed": true}
	case hooks.Copilot:
		return map[string]any{"type": "command", "bash": command, "powershell": "& " + command, "timeoutSec": hookSeconds}
	case hooks.VSCode:
		return map[string]any{"type": "command", "command": command, "timeout": hookSeconds}
	case hooks.Gemini:
		return map[string]any{"matcher": "*", "hooks": []any{map[string]any{"type": "command", "name": "elicit",
			"command": command, "timeout": hookSeconds * 1000}}}
	}
	hook := map[string]any{"type": "command", "command": command, "timeout": hookSeconds}
	if host == hooks.ClaudeCode {
		hook["onFailure"] = "block"
	}
	return map[string]any{"hooks": []any{hook}}
}

// hookCommand is the command line that a host gives to a shell.
func hookCommand(program string, host hooks.Host, onFailure string) string {
	quote := "'" + strings.ReplaceAll(program, "'", `'\''`) + "'"
	if runtime.GOOS == "windows" {
		quote = `"` + program + `"`
	}
	line := quote + " hook " + string(host)
	if onFailure != "ask" {
		line += " --on-failure " + onFailure
	}
	return line
}
