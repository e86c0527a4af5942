package clientconfig

import (
	"cmp"
	"runtime"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// HookWait is how long a person may take by default to answer at a desk. Hosts end a hook that takes longer than its
// timeout.
const HookWait = 45 * time.Second

// HookMargin is how much longer a host waits for a decision than a person is asked. Guardians may take some of it.
const HookMargin = 15 * time.Second

// HookVersions has the version of a file, for hosts that want one there.
var HookVersions = map[hooks.Host]int{hooks.Cursor: 1, hooks.Copilot: 1}

// HookSetting is the entry of one event, which runs `elicit hook` with the flags. A person may take the time within to
// answer. Where a host has a word for it, a hook that fails blocks. ownCommand knows each member with a command.
func HookSetting(host hooks.Host, program string, flags []string, within time.Duration) any {
	command := HookCommand(host, program, flags)
	seconds := int((within + HookMargin + time.Second - 1) / time.Second)
	switch host {
	case hooks.Opencode:
		return command // its plugin starts it
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

// HookCommand is the command that a host gives to a shell.
func HookCommand(host hooks.Host, program string, flags []string) string {
	return strings.Join(append([]string{shellQuoted(program), "hook", string(host)}, flags...), " ")
}

// HookWord returns the value of a flag as a shell reads it. It quotes a value only if a shell would change it, so that
// the line stays easy to read.
func HookWord(value string) string {
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
