package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// guardedCall runs a tool of the demonstration server behind a proxy that hears a guardian and answers yes to what
// reaches it. It returns what the tool said, what the proxy noted, and the journal's path.
func guardedCall(t *testing.T, tool string, flags ...string) (said, noted, journal string) {
	t.Helper()
	dir := t.TempDir()
	server := programtest.DemoServer(t)
	answers := must.Write(t, `[{"answer":{"action":"accept"}}]`, dir, "answers.json")
	journal = filepath.Join(dir, "run.jsonl")
	words := append([]string{tool, "elicit", "proxy", "-v", "--name", "demo",
		"--grants", filepath.Join(dir, "grants.json"),
		"--ui", "answers=" + answers, "--journal", journal}, flags...)
	run := exec.Command("calltool", append(words, "--", server)...)
	var notes strings.Builder
	run.Stderr = &notes
	out, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, notes.String())
	}
	return string(out), notes.String(), journal
}

// TestProxyHearsGuardians: a real server asks to open a page, a guardian in Wasm denies it, and the server sees the
// decline. The journal names the guardian, its module and the fuel that it used, and replays.
func TestProxyHearsGuardians(t *testing.T) {
	t.Parallel()
	const module = "../../testdata/guests/no-links.wasm"
	digest := guardian.Digest(must.Read(t, module))

	said, noted, journal := guardedCall(t, "connect", "--guardian", module)
	if want := "said: Declined: nothing was done.\n"; said != want {
		t.Errorf("the tool said %q, want %q", said, want)
	}
	for _, want := range []string{`guardian no-links, before_show: deny; \d+ fuel`,
		`decline, cause guardian \(.*guardian no-links denies it: No links here`} {
		if !regexp.MustCompile(want).MatchString(noted) {
			t.Errorf("the proxy did not note %s:\n%s", want, noted)
		}
	}
	records := must.Read(t, journal)
	for _, want := range []string{
		`{"effect":"consult","session":"[^"]+","id":"[0-9a-f]+","round":1,"guardian":"no-links","digest":"` + digest +
			`","phase":"before_show","fuel":5000000,`,
		`"event":{"event":"consulted",[^\n]*"fuel":\d+}`,
		`"code":"guardian_denied","args":{"guardian":"no-links","because":"No links here","fuel":\d+,` +
			`"digest":"` + digest + `","of":"question"}`,
	} {
		if !regexp.MustCompile(want).Match(records) {
			t.Errorf("the journal does not hold %s:\n%s", want, records)
		}
	}
	for _, flags := range [][]string{nil, {"--guardian", module}} {
		out, err := exec.Command("elicit", append([]string{"replay", journal}, flags...)...).CombinedOutput()
		want := "identical"
		if flags != nil {
			want = "repeats its 1 recorded verdict"
		}
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("replay %v: %v\n%s", flags, err, out)
		}
	}

	said, _, journal = guardedCall(t, "deploy", "--guardian", module)
	if want := "said: Deployed shop to production.\n"; said != want {
		t.Errorf("the tool said %q, want %q", said, want)
	}
	must.Run(t, exec.Command("elicit", "replay", journal, "--guardian", module))
}

// TestProxyAsksPrograms has a program look at what is about to be sent, and another find a second person.
func TestProxyAsksPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	permits := filepath.Join(dir, "permits.json")
	const secondPerson = `{\"v\":1,\"decision\":\"pass\",\"obligations\":[{\"do\":\"second_person\"}]}`
	permit := `{"name":"twice","phases":["before_send"],"reads":["/request/message"],"command":["sh","-c",
		"case $(cat) in *production*) echo '` + secondPerson + `';; *) echo '{\"v\":1,\"decision\":\"pass\"}';; esac"]}`
	must.Write(t, permit, permits)
	for _, c := range []struct{ decision, said string }{
		{"allow", "said: Deployed shop to production.\n"},
		{"deny", "said: Declined: nothing was done.\n"},
	} {
		second := filepath.Join(dir, c.decision)
		script := "#!/bin/sh\ncat >/dev/null\necho '{\"principal\":\"bob\",\"decision\":\"" + c.decision + "\"}'\n"
		must.OK(t, os.WriteFile(second, []byte(script), 0o700))
		said, noted, journal := guardedCall(t, "deploy", "--guardian", permits, "--second-person", second)
		if said != c.said {
			t.Errorf("with %s the tool said %q, want %q\n%s", c.decision, said, c.said, noted)
		}
		must.Run(t, exec.Command("elicit", "replay", journal))
	}
}

// TestProxyRefusesAGuardianThatDoesNotFit says before the server runs what nobody could mend afterwards.
func TestProxyRefusesAGuardianThatDoesNotFit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	module, err := filepath.Abs("../../testdata/guests/no-links.wasm")
	must.OK(t, err)
	permits := must.Write(t, fmt.Appendf(nil, `[{"module":%q,"settings":{"a":1}}]`, module), dir, "permits.json")
	started := filepath.Join(dir, "started")
	run := exec.Command("elicit", "proxy", "--ui", "none", "--guardian", permits, "--", "touch", started)
	out, _ := run.CombinedOutput()
	if code := run.ProcessState.ExitCode(); code != cli.Invalid ||
		!strings.Contains(string(out), "there is nothing to set") {
		t.Errorf("exit code %d: %s", code, out)
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("the server was started")
	}
}
