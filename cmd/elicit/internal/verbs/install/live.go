package install

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/processgroup"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// probeWithin is how long a configured hook may take for a marked call, about which it asks nobody.
const probeWithin = 30 * time.Second

// checkLive sends a marked call through what each host has configured. A shell runs the command of each hook. The
// host's own program runs with a scripted model, if it works without its service. checkLive says what neither proves.
func (d *doctor) checkLive() {
	files, _, err := (&clientFlags{}).readHooks()
	if err != nil {
		d.problem("live", "", "%s", err)
		return
	}
	for _, f := range files {
		if f.err != nil || f.doc == nil || len(f.doc.Hooks) == 0 {
			continue
		}
		d.lastFired(&f)
		whole := true
		for _, hook := range f.doc.Hooks {
			whole = d.probe(&f, hook) && whole
		}
		if whole {
			d.runAgent(&f)
		}
	}
	d.fine("live", "not proved: servers behind elicit proxy, which were not started; `elicit log` tells what passed")
}

// lastFired tells when a host last started a hook.
func (d *doctor) lastFired(f *hostHooks) {
	var last time.Time
	dir, _ := places.Journals()
	names, _ := filepath.Glob(filepath.Join(dir, "session-"+journals.FileWord(f.Host)+"-*.jsonl"))
	for _, name := range names {
		if at, err := os.Stat(name); err == nil && at.ModTime().After(last) {
			last = at.ModTime()
		}
	}
	if last.IsZero() {
		d.warn("live", "let it run a command, then look at `elicit log`", "%s: no hook has fired yet", f.Title)
		return
	}
	d.fine("live", "%s: a hook last fired %s", f.Title, last.Format(time.DateTime))
}

// newMark is a word that no other call has. Hooks know it by its beginning.
func newMark() string { return hooks.ProbeSession + rand.Text() }

// probe runs one configured command with a marked call, as its host would.
func (d *doctor) probe(f *hostHooks, hook clientconfig.Hook) bool {
	mark, begun := newMark(), time.Now()
	out, err := runProbe(hook.Command, probeInput(hooks.Host(f.Host), hook.Event, mark))
	took := time.Since(begun).Round(time.Millisecond)
	var answer map[string]any
	switch {
	case err != nil:
		d.problem("live", "run `elicit install --hooks`", "%s %s: the configured command fails: %s", f.Title, hook.Event, err)
		return false
	case json.Unmarshal(out, &answer) != nil:
		d.problem("live", "run `elicit install --hooks`", "%s %s: the configured command answers no JSON: %s", f.Title,
			hook.Event, cli.OneLine(string(out[:min(len(out), 80)])))
		return false
	case strings.Contains(hook.Command, " --journal "):
		d.fine("live", "%s %s: the configured command answers in %s; its journal was not read", f.Title, hook.Event, took)
	case !takeMarked(mark, begun):
		d.warn("live", "look at the journal above", "%s %s: the configured command answers in %s, and the journal has no "+
			"such call", f.Title, hook.Event, took)
	default:
		d.fine("live", "%s %s: the configured command answers in %s, and the journal has the call", f.Title, hook.Event, took)
	}
	return true
}

// runProbe runs a command with the shell that hosts use.
func runProbe(command string, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), probeWithin)
	defer cancel()
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"powershell", "-NoProfile", "-Command"}
	}
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], command)...)
	return output(ctx, cmd, input)
}

// output runs a program and all that it starts until its time is up.
func output(ctx context.Context, cmd *exec.Cmd, input []byte) ([]byte, error) {
	processgroup.Own(cmd)
	cmd.Cancel = func() error { return processgroup.Kill(cmd) }
	cmd.WaitDelay = time.Second
	var out, notes bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &notes
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("it does not end")
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, cli.OneLine(notes.String()[:min(notes.Len(), 200)]))
	}
	return out.Bytes(), nil
}

// takeMarked reports whether a journal has the mark. It removes the journals and labels of a marked session, so that
// they count as no call of the host.
func takeMarked(mark string, since time.Time) (found bool) {
	dir, err := places.Journals()
	if err != nil {
		return false
	}
	names, _ := filepath.Glob(filepath.Join(dir, "session-*.jsonl"))
	for _, name := range names {
		at, err := os.Stat(name)
		if err != nil || at.ModTime().Before(since.Add(-time.Second)) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(mark)) {
			continue
		}
		found = true
		if bytes.Contains(text, []byte(`"session":"`+mark)) {
			_ = os.Remove(name)
			if labels, err := places.Labels(); err == nil {
				base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
				_ = os.Remove(filepath.Join(labels, base+".labels"))
			}
		}
	}
	return found
}

// probeInput is a harmless call in the words of a host.
func probeInput(host hooks.Host, event, mark string) []byte {
	dir, _ := os.Getwd()
	command := "true " + mark
	shell := map[string]any{"command": command}
	in := map[string]any{"hook_event_name": event, "cwd": dir, "session_id": mark, "tool_name": "Bash",
		"tool_input": shell}
	switch host {
	case hooks.Gemini, hooks.Qwen:
		in["tool_name"] = "run_shell_command"
	case hooks.VSCode:
		in["tool_name"] = "run_in_terminal"
	case hooks.Copilot:
		in = map[string]any{"sessionId": mark, "cwd": dir, "toolName": "bash", "toolArgs": shell}
	case hooks.Opencode:
		in = map[string]any{"hook_event_name": event, "cwd": dir, "sessionID": mark, "id": mark, "permission": "bash",
			"patterns": []any{command}, "metadata": shell,
			"questions": []any{map[string]any{"question": "Is this " + mark + "?", "header": "Doctor",
				"options": []any{map[string]any{"label": "Yes"}, map[string]any{"label": "No"}}}}}
	case hooks.Cursor:
		in["conversation_id"], in["command"], in["file_path"] = mark, command, filepath.Join(dir, mark)
		in["subagent_type"], in["task"] = "doctor", mark
		if event == "beforeMCPExecution" {
			in["tool_input"], in["url"] = "{}", "http://127.0.0.1/"+mark
			delete(in, "command")
		} else if event == "preToolUse" {
			in["tool_name"] = "Shell"
		}
	case hooks.ClaudeCode:
		if strings.HasPrefix(event, "Elicitation") {
			in["mcp_server_name"], in["message"], in["action"] = "elicit doctor", mark, "decline"
			in["requested_schema"] = map[string]any{"type": "object", "properties": map[string]any{}}
		}
	}
	text, _ := json.Marshal(in)
	return text
}
