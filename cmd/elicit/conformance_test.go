package main_test

import (
	"cmp"
	"context"
	"encoding/json"
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
)

// TestConformance runs the protocol's official conformance suite against the proxy. The suite speaks only HTTP, so
// bridges connect it with standard input and output. Every scenario runs through the bridges alone and through the
// bridges with the proxy, and no check may have a worse result with the proxy.
//
// The server and the client are those with which the official Go SDK runs the suite.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("the conformance suite takes half a minute")
	}
	s := newSuite(t)
	for _, date := range []struct {
		name  string
		asked int // how many questions the proxy's engine is asked
	}{{"2025-06-18", 1}, {"2025-11-25", 3}, {"2026-07-28", 12}} {
		t.Run("server "+date.name, func(t *testing.T) {
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
