package hook

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
)

func TestMain(m *testing.M) { os.Exit(verbtest.Apart{M: m}.Run()) }

// answerHook runs the verb in this process.
func answerHook(in io.Reader, args ...string) (code int, out, notes string) {
	var stdout, stderr bytes.Buffer
	code = verbtest.Run(NewCommand(), append([]string{"hook", "--ui", "host", "--journal", "none"}, args...), in, &stdout,
		&stderr)
	return code, stdout.String(), stderr.String()
}

type brokenInput struct{ panics bool }

func (b brokenInput) Read([]byte) (int, error) {
	if b.panics {
		panic("a bug")
	}
	return 0, errors.New("the pipe broke")
}

// Whatever goes wrong before the event is known, a host that can be answered is asked or denied, and another is
// blocked by the exit code.
func TestHookFailsClosed(t *testing.T) {
	huge := `{"toolName":"bash","toolArgs":{"command":"` + strings.Repeat("x", hooks.MaxInput) + `"}}`
	for name, in := range map[string]func() io.Reader{
		"broken": func() io.Reader { return brokenInput{} },
		"panics": func() io.Reader { return brokenInput{panics: true} },
		"huge":   func() io.Reader { return strings.NewReader(huge) },
		"empty":  func() io.Reader { return strings.NewReader("") },
		"binary": func() io.Reader { return strings.NewReader("\xff\xfe\x00") },
		"half":   func() io.Reader { return strings.NewReader(`{"hook_event_name":"PreToolUse","tool_name":"Ba`) },
		"twice":  func() io.Reader { return strings.NewReader(`{"toolName":"bash"}{"toolName":"bash"}`) },
	} {
		for _, host := range hooks.Hosts() {
			for _, mode := range []string{"ask", "deny"} {
				code, out, notes := answerHook(in(), "--on-failure", mode, string(host))
				blocked := code == cli.Invalid && out == ""
				says := func(d hooks.Decision) bool {
					begins, ok := hooks.Append(nil, host, hooks.Unread(host), hooks.Verdict{Decision: d})
					return ok && strings.HasPrefix(out, strings.TrimRight(string(begins), "}"))
				}
				denies := !hooks.CanAsk(host, hooks.Unread(host)) && says(hooks.Deny)
				asks := mode == "ask" && (out == "{}\n" || denies)
				spelled := code == 0 && (asks || says(hooks.Decision(mode)))
				if !blocked && !spelled || says(hooks.Allow) || notes == "" {
					t.Errorf("%s, %s, %s: exit code %d, %s%s", name, host, mode, code, out, notes)
				}
			}
		}
	}
}

// A host that is gone gets no answer, and the exit code blocks.
func TestHookWithoutReader(t *testing.T) {
	in := strings.NewReader(`{"toolName":"bash","toolArgs":{"command":"ls"}}`)
	var notes bytes.Buffer
	code := verbtest.Run(NewCommand(), []string{"hook", "--journal", "none", "copilot"}, in, brokenOutput{}, &notes)
	if code != cli.Invalid {
		t.Errorf("exit code %d: %s", code, notes.String())
	}
}

type brokenOutput struct{}

func (brokenOutput) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

// A journal that cannot be written decides nothing.
func TestHookWithoutJournal(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	policy := filepath.Join(dir, "policy.json")
	for path, text := range map[string]string{blocked: "x",
		policy: `{"version":1,"rules":[{"when":{"command":"*"},"then":"accept"}]}`} {
		must.Write(t, text, path)
	}
	in := `{"toolName":"bash","toolArgs":{"command":"ls"}}`
	var out, notes bytes.Buffer
	code := verbtest.Run(NewCommand(), []string{"hook", "--policy", policy, "--journal",
		filepath.Join(blocked, "below"), "copilot"},
		strings.NewReader(in), &out, &notes)
	if code != 0 || !strings.Contains(out.String(), `"permissionDecision":"ask"`) {
		t.Errorf("exit code %d: %s%s", code, out.String(), notes.String())
	}
	if code, out, notes := answerHook(strings.NewReader(in), "--policy", policy, "copilot"); code != 0 ||
		!strings.Contains(out, `"permissionDecision":"allow"`) {
		t.Errorf("without a journal: exit code %d: %s%s", code, out, notes)
	}
}
