package main_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestRealParts tests the command with servers and clients of other makers: the official Go SDK on both sides, the
// official TypeScript SDKs 1.x and 2.x as clients, and the protocol's reference server.
//
// At night every scenario first runs without the proxy and with a client that supports elicitation. This shows what the
// parts do by themselves. It runs through the proxy with a client that does not, and must end in the same way. The
// third run has both: the client keeps its forms behind a proxy without a surface of its own.
func TestRealParts(t *testing.T) {
	takesLong(t, "real parts take a minute")
	p := build(t)
	for _, how := range []string{direct, proxied, clientFirst} {
		t.Run(how, func(t *testing.T) {
			if how == direct {
				vectors.Night(t) // what the parts do by themselves changes with their versions alone
			}
			p.scenarios(t, how)
		})
	}
	t.Run("rounds", p.rounds)
	t.Run("timing", p.timing)
	t.Run("hostile", p.hostile)
}

// takesLong skips the test in a short run.
func takesLong(t *testing.T, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip(why)
	}
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
	takesLong(t, "real parts take a while")
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

// needNode skips the test when the TypeScript parts are missing.
func (p parts) needNode(t *testing.T) {
	t.Helper()
	needs(t, p.node)
}

// needs skips the test when a part is missing, but never in CI, because a skipped test proves nothing.
func needs(t *testing.T, missing error) {
	t.Helper()
	if missing == nil {
		return
	}
	why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", missing)
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

// TestConformance runs the protocol's official conformance suite against the proxy. The suite speaks only HTTP, so
// bridges connect it with standard input and output. Every scenario runs through the bridges alone and through the
// bridges with the proxy, and no check may have a worse result with the proxy.
//
// The server and the client are those with which the official Go SDK runs the suite.
func TestConformance(t *testing.T) {
	takesLong(t, "the conformance suite takes half a minute")
	s := newSuite(t)
	for _, date := range []struct {
		name  string
		asked int // how many questions the proxy's engine is asked
	}{{"2025-06-18", 1}, {"2025-11-25", 3}, {"2026-07-28", 12}} {
		t.Run("server "+date.name, func(t *testing.T) {
			if date.name == june {
				vectors.Night(t)
			}
			t.Parallel()
			journal := filepath.Join(t.TempDir(), "journal")
			bridged := s.examineServer(t, date.name, s.server)
			proxied := s.examineServer(t, date.name, s.elicit, "proxy", "--ui", "client", "--journal", journal, "--", s.server)
			bridged.allPassBut(t, ofTransport)
			proxied.noWorse(t, date.name, bridged)
			engineAsked(t, journal, date.asked)
			t.Logf("through bridges: %v", bridged.totals())
			t.Logf("with the proxy: %v", proxied.totals())
		})
	}
	for date, scenarios := range clientScenarios {
		t.Run("client "+date, func(t *testing.T) {
			t.Parallel()
			bridged := s.examineClient(t, date, s.bridge, "connect")
			proxied := map[string]outcomes{}
			journals := t.TempDir()
			for _, ui := range []string{"client", "answers=" + s.answers} {
				kind, _, _ := strings.Cut(ui, "=")
				// The suite starts the line in a shell, which puts the scenario's name into it.
				proxied[kind] = s.examineClient(t, date, s.elicit, "proxy", "--ui", ui, "--journal",
					filepath.Join(journals, kind+"-$MCP_CONFORMANCE_SCENARIO.journal"), "--", s.bridge, "connect")
			}
			for scenario, asked := range scenarios {
				t.Run(scenario, func(t *testing.T) {
					before := bridged.in(scenario)
					before.allPassBut(t, nil)
					if before.totals()["SUCCESS"] == 0 {
						t.Error("no check passed without the proxy")
					}
					for kind, o := range proxied {
						o.in(scenario).noWorse(t, date, before)
						engineAsked(t, filepath.Join(journals, kind+"-"+scenario+".journal"), asked)
					}
					t.Logf("through bridges: %v", before.totals())
				})
			}
		})
	}
}

// ofTransport are the scenarios about HTTP itself. The bridges answer them, and have no security and read no headers.
var ofTransport = []string{
	"dns-rebinding-protection", "http-header-validation", "http-custom-header-server-validation", "server-stateless",
}

// byDesign gives the reason for each check that has a worse result with the proxy on purpose.
var byDesign = map[string]string{
	"2026-07-28 input-required-result-ignore-extra-params sep-2322-ignore-unexpected-params": "the scenario answers a " +
		"question before the server has asked it. The proxy takes such answers out of the call, so the server asks: " +
		"neither policy nor a person has seen what they are answers to",
}

// clientScenarios are the scenarios about messages that pass the proxy, by date, with the number of questions that the
// proxy's engine is asked. The suite's others are about HTTP and OAuth.
var clientScenarios = map[string]map[string]int{
	"2025-11-25": {
		"initialize": 0, "tools_call": 0, "elicitation-sep1034-client-defaults": 1, "sse-retry": 0,
		"json-schema-2020-12-preservation": 0,
	},
	"2026-07-28": {
		"tools_call": 0, "request-metadata": 0, "json-schema-2020-12-preservation": 0, "json-schema-ref-no-deref": 0,
		"sep-2322-client-request-state": 2,
	},
}

// suite is the programs of a run.
type suite struct {
	line                           []string // that starts the suite
	elicit, bridge, server, client string
	answers                        string
}

func newSuite(t *testing.T) suite {
	t.Helper()
	p := build(t)
	index := filepath.Join(p.drivers, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
	if _, err := os.Stat(index); p.node == nil && err != nil {
		p.node = fmt.Errorf("the conformance suite is not installed")
	}
	p.needNode(t)
	const sdk = "github.com/modelcontextprotocol/go-sdk/conformance/"
	return suite{
		line:   []string{"node", "--import", filepath.Join(p.drivers, "conformance-node.mjs"), index},
		elicit: p.elicit, bridge: programtest.Built(t, "./testdata/httpbridge"),
		server: programtest.Built(t, sdk+"everything-server"), client: programtest.Built(t, sdk+"everything-client"),
		answers: answersFile(t, []rule{{Answer: accept(map[string]any{"confirmed": true})}}),
	}
}

// examineServer runs every scenario of a date against a server behind the bridge.
func (s suite) examineServer(t *testing.T, date string, server ...string) outcomes {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 3*patience)
	defer stop()
	bridge := exec.CommandContext(ctx, s.bridge, append([]string{"serve"}, server...)...)
	var errs notetest.Notes
	bridge.Stderr = &errs
	in, out := must.Start(t, bridge)
	var url string
	if _, err := fmt.Fscanln(out, &url); err != nil {
		t.Fatalf("the bridge gave no URL: %v", err)
	}
	got := s.run(t, ctx, "server", "--url", url, "--suite", "all", "--spec-version", date)
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := bridge.Wait(); err != nil {
		t.Errorf("the bridge: %v\n%s", err, clip(errs.String()))
	}
	return got
}

// examineClient runs the scenarios of a date with the client on this side of the command and the suite's server at its
// other end. The suite takes longer to start than a scenario to run, so one start runs all, side by side. It has no way
// to choose some; in the others no client starts, and nobody reads their results.
func (s suite) examineClient(t *testing.T, date string, command ...string) outcomes {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 3*patience)
	defer stop()
	chosen := strings.Join(slices.Sorted(maps.Keys(clientScenarios[date])), "|")
	line := append([]string{"case $MCP_CONFORMANCE_SCENARIO in " + chosen + ") ;; *) exit;; esac; exec",
		s.bridge, "between", s.client, "--"}, command...)
	return s.run(t, ctx, "client", "--command", strings.Join(line, " "), "--suite", "all", "--spec-version", date,
		"--timeout", strconv.FormatInt((2*patience).Milliseconds(), 10))
}

// run runs the suite and reads its results. It ignores the exit code, because a failed check may be expected.
func (s suite) run(t *testing.T, ctx context.Context, args ...string) outcomes {
	t.Helper()
	dir := t.TempDir()
	line := slices.Concat(s.line, args, []string{"--output-dir", dir})
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.WaitDelay = time.Second
	said, err := cmd.CombinedOutput()
	files, globErr := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if globErr != nil || len(files) == 0 || ctx.Err() != nil {
		t.Fatalf("the suite: %v, %d results\n%s", err, len(files), clip(string(said)))
	}
	found := outcomes{}
	for _, file := range files {
		text := must.Read(t, file)
		var checks []check
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := timeOfRun.ReplaceAllString(filepath.Base(filepath.Dir(file)), "")
		for _, c := range checks {
			key := strings.TrimPrefix(name, "server-") + " " + c.ID
			found[key] = append(found[key], c)
		}
	}
	return found
}

var timeOfRun = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[-\dZ]+$`)

// check is one result of the suite. A scenario may have several results of one name.
type check struct{ ID, Status, ErrorMessage string }

// rank orders statuses from good to bad; 0 is for a check that did not run.
func (c check) rank() int {
	return slices.Index([]string{"", "SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE"}, c.Status)
}

// outcomes are the checks of a run by scenario and name.
type outcomes map[string][]check

// in returns the outcomes in one scenario.
func (o outcomes) in(scenario string) outcomes {
	found := maps.Clone(o)
	maps.DeleteFunc(found, func(key string, _ []check) bool { return !strings.HasPrefix(key, scenario+" ") })
	return found
}

func (o outcomes) of(key string) (worst check, passed int) {
	for _, c := range o[key] {
		if c.Status == "SUCCESS" {
			passed++
		}
	}
	if len(o[key]) > 0 {
		worst = slices.MaxFunc(o[key], func(a, b check) int { return cmp.Compare(a.rank(), b.rank()) })
	}
	return worst, passed
}

// allPassBut checks that only the named scenarios have checks that do not pass.
func (o outcomes) allPassBut(t *testing.T, scenarios []string) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(o)) {
		scenario, _, _ := strings.Cut(key, " ")
		if worst, _ := o.of(key); worst.rank() > 3 && !slices.Contains(scenarios, scenario) {
			t.Errorf("%s without the proxy: %s: %s", key, worst.Status, worst.ErrorMessage)
		}
	}
}

// noWorse compares a run with the proxy with a run without it.
func (o outcomes) noWorse(t *testing.T, date string, without outcomes) {
	t.Helper()
	keys := maps.Clone(o)
	maps.Copy(keys, without)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		now, passed := o.of(key)
		before, passedBefore := without.of(key)
		worse := now.rank() > max(before.rank(), 1) || passed < passedBefore
		why, known := byDesign[date+" "+key]
		switch {
		case worse && !known:
			t.Errorf("%s: %q with the proxy (%d passed): %s; %q without (%d passed)",
				key, now.Status, passed, now.ErrorMessage, before.Status, passedBefore)
		case known && !worse:
			t.Errorf("%s passes now; take it out of the list: %s", key, why)
		}
	}
}

// totals counts the checks by their status.
func (o outcomes) totals() map[string]int {
	count := map[string]int{}
	for _, checks := range o {
		for _, c := range checks {
			count[c.Status]++
		}
	}
	return count
}

// engineAsked checks the number of questions in the journals of a run, which proves that the proxy's engine got them.
func engineAsked(t *testing.T, journal string, want int) {
	t.Helper()
	files, err := filepath.Glob(journal + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no journals: %v", err)
	}
	got := 0
	for _, file := range files {
		got += strings.Count(must.Text(t, file), `"event":{"event":"asked"`)
	}
	if got != want {
		t.Errorf("the engine was asked %d questions, want %d", got, want)
	}
}
