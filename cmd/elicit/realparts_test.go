package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestRealParts tests the command with servers and clients of other makers: the official Go SDK on both sides, the
// official TypeScript SDKs 1.x and 2.x as clients, and the protocol's reference server.
//
// Every scenario first runs without the proxy and with a client that supports elicitation, which shows what the parts
// do by themselves. Then it runs through the proxy with a client that does not, and must end in the same way. The third
// run has both: the client keeps its forms behind a proxy without a surface of its own.
func TestRealParts(t *testing.T) {
	if testing.Short() {
		t.Skip("real parts take a minute")
	}
	p := build(t)
	for _, how := range []string{direct, proxied, clientFirst} {
		t.Run(how, func(t *testing.T) { p.scenarios(t, how) })
	}
	t.Run("rounds", p.rounds)
	t.Run("timing", p.timing)
	t.Run("hostile", p.hostile)
}

// parts are the programs under test.
type parts struct {
	elicit, demo, raw string
	goClient          string // the official Go SDK as the client of hostile lines
	scripts           string // of rawserver
	drivers           string // directory of the TypeScript clients
	node              error  // why they are missing, nil when they are installed
	clients           map[string]*nodeClient
}

// realParts returns the directory of the programs that setup.sh installs. A short run skips the tests that need them.
func realParts(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real parts take a while")
	}
	root, err := filepath.Abs("../../testdata/realparts")
	must.OK(t, err)
	return root
}

func build(t *testing.T) parts {
	t.Helper()
	root, err := filepath.Abs("../..")
	must.OK(t, err)
	p := parts{
		elicit: programtest.Built(t, "./cmd/elicit"), demo: programtest.DemoServer(t),
		raw:      programtest.Built(t, "./testdata/rawserver"),
		goClient: programtest.Built(t, "./testdata/hostileclient"),
		scripts:  filepath.Join(root, "testdata/rawserver/scripts"),
		drivers:  filepath.Join(root, "testdata/realparts"),
	}
	p.node, p.clients = nodeReady(p.drivers), nodeClients(t, p.drivers)
	return p
}

// buildElicit builds the command alone.
func buildElicit(t *testing.T) parts {
	t.Helper()
	return parts{elicit: programtest.Built(t, "./cmd/elicit")}
}

func nodeReady(drivers string) error {
	if _, err := exec.LookPath("node"); err != nil {
		return errors.New("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(drivers, "node_modules", ".installed-from")); err != nil {
		return errors.New("the TypeScript packages are not installed")
	}
	return nil
}

// needNode skips the test when the TypeScript parts are missing, but never in CI, because a skipped test proves
// nothing.
func (p parts) needNode(t *testing.T) {
	t.Helper()
	if p.node == nil {
		return
	}
	why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", p.node)
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// everything returns the command line of the reference server.
func (p parts) everything() []string {
	return []string{"node",
		filepath.Join(p.drivers, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"}
}

func (p parts) script(name string) []string {
	return []string{p.raw, filepath.Join(p.scripts, name+".jsonl")}
}

// behindAuto puts a server behind a proxy as `elicit install` writes it, where there is neither a terminal nor a
// display.
func (p parts) behindAuto(t *testing.T, server []string) []string {
	t.Helper()
	dir := t.TempDir()
	bare := []string{"env", "ELICIT_TTY=" + filepath.Join(dir, "none"), "DISPLAY=", "WAYLAND_DISPLAY=",
		"SSH_CONNECTION=1", "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir}
	return append(bare, p.behind("auto", server)...)
}

// behind puts a server behind the proxy.
func (p parts) behind(ui string, server []string, flags ...string) []string {
	line := append([]string{p.elicit, "proxy", "--ui", ui}, flags...)
	return append(append(line, "--"), server...)
}

// rule is one entry of an answers file, for the proxy and for the clients.
type rule struct {
	When   map[string]string `json:"when,omitempty"`
	Answer any               `json:"answer"`

	// AfterProgress delays the answer until so many progress notifications came. Only the TypeScript clients use it.
	AfterProgress int `json:"after_progress,omitempty"`
}

type answer struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

// never is an action that leaves a question open. Only the clients support it, and not the proxy.
const never = "never"

func accept(content map[string]any) answer { return answer{"accept", content} }

func answersFile(t *testing.T, rules []rule) string {
	t.Helper()
	if rules == nil {
		rules = []rule{}
	}
	b, err := json.Marshal(rules)
	must.OK(t, err)
	return must.Write(t, b, t.TempDir(), "answers.json")
}

// contains checks that each piece is in the text, in any order.
func contains(t *testing.T, what, text string, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%s: got %s\nwant it to contain %s", what, clip(text), piece)
		}
	}
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + fmt.Sprintf("… (%d bytes)", len(s))
	}
	return s
}
