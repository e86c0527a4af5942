package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// hookMargin is how much longer a host waits for a decision than a person is asked. Guardians may take some of it.
const hookMargin = 15 * time.Second

// hookEnd is how long before the host's time limit a hook gives up by itself.
const hookEnd = 3 * time.Second

// hookFiles names the file of the person, and not of a project, in which a host looks for hooks.
var hookFiles = map[hooks.Host]string{
	hooks.ClaudeCode: "~/.claude/settings.json",
	hooks.Codex:      "~/.codex/hooks.json",
	hooks.Cursor:     "~/.cursor/hooks.json",
	hooks.Copilot:    "~/.copilot/hooks/elicit.json",
	hooks.VSCode:     ".github/hooks/elicit.json",
	hooks.Gemini:     "~/.gemini/settings.json",
	hooks.Qwen:       "~/.qwen/settings.json",
}

// hookVersions has the version of a file, for hosts that want one there.
var hookVersions = map[hooks.Host]int{hooks.Cursor: 1, hooks.Copilot: 1}

// printConfiguration prints what the person puts into the host's file.
func (v *hookVerb) printConfiguration(cmd *cobra.Command, host hooks.Host) error {
	own, err := cli.OwnProgram()
	if err != nil {
		return err
	}
	if v.given, err = givenFlags(cmd); err != nil {
		return err
	}
	events := hooks.Events(host)
	for _, event := range v.events {
		if !slices.Contains(events, event) {
			return fmt.Errorf("--event is %s; %s has %s", cli.Quoted(event), host, strings.Join(events, ", "))
		}
	}
	entries := map[string]any{}
	for _, event := range v.eventsOf(host) {
		entries[event] = []any{v.entry(host, own)}
	}
	config := map[string]any{"hooks": entries}
	if version := hookVersions[host]; version > 0 {
		config["version"] = version
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "elicit: add this to %s\n", hookFiles[host])
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", text)
	return nil
}

// eventsOf are the events that a host's configuration gets.
func (v *hookVerb) eventsOf(host hooks.Host) []string {
	if len(v.events) > 0 {
		return v.events
	}
	return hooks.Events(host)
}

// entry is the entry of one event. Where a host has a word for it, a hook that fails blocks.
func (v *hookVerb) entry(host hooks.Host, program string) any {
	command := v.commandLine(host, program)
	seconds := int((v.answerWithin + hookMargin + time.Second - 1) / time.Second)
	switch host {
	case hooks.Cursor:
		return map[string]any{"command": command, "timeout": seconds, "failClosed": true}
	case hooks.Copilot:
		return map[string]any{"type": "command", "bash": command, "powershell": "& " + command, "timeoutSec": seconds}
	case hooks.VSCode:
		return map[string]any{"type": "command", "command": command, "timeout": seconds}
	case hooks.Gemini, hooks.Qwen:
		return map[string]any{"matcher": "*", "hooks": []any{map[string]any{"type": "command", "name": "elicit",
			"command": command, "timeout": seconds * 1000}}}
	}
	hook := map[string]any{"type": "command", "command": command, "timeout": seconds}
	if host == hooks.ClaudeCode {
		hook["onFailure"] = "block"
	}
	return map[string]any{"hooks": []any{hook}}
}

// commandLine is the command that a host gives to a shell, with the flags that the person gave.
func (v *hookVerb) commandLine(host hooks.Host, program string) string {
	return strings.Join(append([]string{shellQuoted(program), "hook", string(host)}, v.given...), " ")
}

// placeFlags are the flags that name a file or a directory. A host runs the hook in the directory of a project, so the
// places are written absolute.
var placeFlags = []string{"grants", "guardian", "journal", "journal-key", "managed", "policy", "project", "session",
	"user"}

// givenFlags are the flags of the hook itself, as a shell reads them. The value none names no place.
func givenFlags(cmd *cobra.Command) (given []string, err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "print-config" || f.Name == "event" {
			return
		}
		for _, value := range cli.FlagValues(f) {
			if slices.Contains(placeFlags, f.Name) && value != "none" {
				place, no := filepath.Abs(value)
				if value, err = place, cmp.Or(err, no); err != nil {
					return
				}
			}
			given = append(given, "--"+f.Name, flagWord(value))
		}
	})
	return given, err
}

// flagWord quotes a value only if a shell would change it, so that the line stays easy to read.
func flagWord(value string) string {
	for _, r := range value {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r)) {
			return shellQuoted(value)
		}
	}
	return cmp.Or(value, shellQuoted(value))
}

func shellQuoted(word string) string {
	if runtime.GOOS == "windows" {
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
