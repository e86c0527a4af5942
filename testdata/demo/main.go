// Command demo connects an MCP client without elicitation through `elicit proxy` to real servers of three protocol
// dates, calls the hook of an agent, and asks as a server. It prints in plain words each question, the decision and its
// reasons, the answer and the reply. It fails if an act ends in another way than it must.
//
//	demo -bin dist      the directory of elicit, demoserver and rawserver
//	demo -ui terminal   who is asked, as for `elicit proxy`
//
// With a terminal, a person answers: on a page in their browser if there is a display, else in the terminal. Without a
// terminal the answers come from answers.json.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	bin := flag.String("bin", "dist", "where elicit, demoserver and rawserver were built")
	ui := flag.String("ui", "", "who is asked, as for elicit proxy; found out by default")
	flag.Parse()
	if err := run(*bin, *ui); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(bin, ui string) error {
	folder := filepath.Join(bin, "journals")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
		return err
	}
	d := demo{bin: bin, folder: folder, ui: ui}
	if ui == "" {
		d.ui = whoIsThere()
	}
	who := "The answers come from --ui " + d.ui + "."
	switch d.ui {
	case prepared:
		who = "A file of prepared answers stands in for the person (testdata/demo/answers.json)."
	case "terminal":
		who = "You are the person who is asked, here in the terminal."
	case "browser":
		who = "You are the person who is asked, on a page that opens in your browser; each server has its own. " +
			"`-ui terminal` asks here instead."
	}
	say("Elicit stands between an MCP client and an MCP server. The client of this demo declares no elicitation at all:",
		"whatever a server asks is decided, shown, checked and answered by the proxy in between.", who, "",
		"The policy (testdata/demo/policy.json): ask on request; decline every form with a sensitive field, "+
			"and git push --force.")
	for i, s := range scenes() {
		if err := d.play(i, s); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
	}
	for _, play := range []func() error{d.hook, d.asking, d.epilogue} {
		if err := play(); err != nil {
			return err
		}
	}
	if d.wrong != nil {
		return fmt.Errorf("%d of %d acts ended in another way than they must:\n  %s", len(d.wrong), d.acts,
			strings.Join(d.wrong, "\n  "))
	}
	return nil
}

type demo struct {
	bin, folder, ui string
	acts            int
	wrong           []string // acts that ended in another way than they must
}

func (d *demo) program(name string) string { return filepath.Join(d.bin, name) }

func (d *demo) journal(scene int) string {
	return filepath.Join(d.folder, fmt.Sprintf("scene-%d.jsonl", scene+1))
}

// play runs one scene: `elicit proxy … -- server`, a client of the official SDK in front of it, and a call for each
// act.
func (d *demo) play(n int, s scene) error {
	server := append([]string{d.program(s.server[0])}, s.server[1:]...)
	args := append([]string{"proxy", "--policy", "testdata/demo/policy.json", "--ui", d.ui, "--journal", d.journal(n),
		"--name", "demo", "--completion-wait", "1s"}, s.flags...)
	args = append(append(args, "--"), server...)
	heading(s.title, "elicit "+strings.Join(args, " "))
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Minute)
	defer stop()
	command := exec.Command(d.program("elicit"), args...)
	command.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "demo-client", Version: "1"},
		&mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command, TerminateDuration: 5 * time.Second},
		&mcp.ClientSessionOptions{ProtocolVersion: s.protocol})
	if err != nil {
		return err
	}
	defer session.Close()
	seen := narrator{journal: d.journal(n)}
	for _, a := range s.acts {
		d.acts++
		actHeading(d.acts, a)
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: a.tool, Arguments: a.arguments})
		outcomes, e := seen.tell()
		if e != nil {
			return e
		}
		text, err := resultText(result, err)
		if err != nil {
			return err
		}
		line("tool says", text)
		d.compare(a, outcomes, text)
	}
	return nil
}

// compare notes an act that ended in another way than it must. A person may answer as they like.
func (d *demo) compare(a act, outcomes, text string) {
	if d.ui == prepared || a.certain {
		d.must(outcomes == a.outcomes && strings.Contains(text, a.says),
			fmt.Sprintf("%s: the outcome is %q and must be %q, and the tool must say %q", a.tool, outcomes, a.outcomes, a.says))
	}
}

// must notes what did not happen as it must.
func (d *demo) must(held bool, fault string) {
	if !held {
		fault = fmt.Sprintf("act %d, %s", d.acts, fault)
		line("WRONG", fault)
		d.wrong = append(d.wrong, fault)
	}
}

// resultText returns the result that the client got: the tool's text, or the protocol error.
func resultText(result *mcp.CallToolResult, err error) (string, error) {
	if err != nil {
		return "error: " + err.Error(), nil
	}
	var words []string
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			words = append(words, t.Text)
		}
	}
	if len(words) == 0 {
		return "", errors.New("the tool said nothing")
	}
	return strings.Join(words, " "), nil
}

// epilogue shows the journal, its replay, and that a changed byte breaks it.
func (d *demo) epilogue() error {
	journal := d.journal(0)
	heading("The journal of the first scene", "elicit log "+journal)
	if err := d.elicit(0, "log", journal); err != nil {
		return err
	}
	heading("The same run again, to the byte", "elicit replay "+journal)
	if err := d.elicit(0, "replay", journal); err != nil {
		return err
	}
	raw, err := os.ReadFile(journal)
	if err != nil {
		return err
	}
	forged := filepath.Join(d.folder, "forged.jsonl")
	changed := strings.Replace(string(raw), `"outcome":"decline"`, `"outcome":"accept"`, 1)
	if changed == string(raw) {
		return errors.New("nothing was declined, so there is nothing to forge")
	}
	if err := os.WriteFile(forged, []byte(changed), 0o600); err != nil {
		return err
	}
	heading("Somebody turns a decline into an accept", "elicit replay "+forged)
	if err := d.elicit(1, "replay", forged); err != nil {
		return err
	}
	say("", fmt.Sprintf("That was the demo: %d acts, three protocol dates and a draft, one engine. "+
		"The journals are in %s;", d.acts, d.folder),
		"try `"+d.program("elicit")+" log` on them, or `"+d.program("elicit")+" --help`.")
	return nil
}

// elicit runs one verb of the command, prints its output, and checks its exit code.
func (d *demo) elicit(want int, args ...string) error {
	command := exec.Command(d.program("elicit"), args...)
	command.Stdout, command.Stderr = os.Stdout, os.Stdout
	err := command.Run()
	if got := command.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("elicit %s ended with %d, not %d: %v", args[0], got, want, err)
	}
	return nil
}

const prepared = "answers=testdata/demo/answers.json"

// whoIsThere chooses who answers: the person at this terminal, on a page if there is a display.
func whoIsThere() string {
	switch {
	case !terminal():
		return prepared
	case display():
		return "browser"
	}
	return "terminal"
}

// display reports whether the person would see a browser that this process starts.
func display() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return os.Getenv("SSH_CONNECTION") == ""
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// terminal reports whether there is a person to ask. Who reads from the null device wants no question.
func terminal() bool {
	stat, err := os.Stdin.Stat()
	if err != nil || stat.Mode()&os.ModeCharDevice == 0 || os.Getenv("CI") != "" {
		return false
	}
	if null, err := os.Stat(os.DevNull); err == nil && os.SameFile(stat, null) {
		return false
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return tty.Close() == nil
}

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
