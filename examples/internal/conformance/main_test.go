package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// scenarios are those of the suite that ask a person, and those of rounds, which may ask the client's model or for its
// roots too.
var scenarios = map[string][]string{
	"2025-06-18": {"tools-call-elicitation"},
	"2025-11-25": {"tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"},
	"2026-07-28": {
		"input-required-result-basic-elicitation", "input-required-result-request-state",
		"input-required-result-multi-round", "input-required-result-missing-input-response",
		"input-required-result-result-type", "input-required-result-unsupported-methods",
		"input-required-result-tampered-state", "input-required-result-ignore-extra-params",
		"input-required-result-validate-input", "input-required-result-non-tool-request",
		"input-required-result-basic-sampling", "input-required-result-basic-list-roots",
		"input-required-result-multiple-input-requests", "input-required-result-capability-check",
		"server-stateless",
	},
}

// some names the checks of a scenario that concern asking. The others examine the SDK.
var some = map[string][]string{"server-stateless": {"sep-2575-server-rejects-undeclared-capability",
	"sep-2575-missing-capability-http-400", "sep-2575-http-server-no-independent-requests-on-stream"}}

// byDesign has the checks that warn on purpose, with the reason.
var byDesign = map[string]string{
	"sep-2322-ignore-unexpected-params": "the scenario answers before it was asked, without a state. Such an answer " +
		"belongs to no question, so the server asks",
}

// TestConformance runs the official suite against a server that asks with package ask, over Streamable HTTP.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("the conformance suite takes ten seconds")
	}
	parts := "../../../testdata/realparts/"
	index := parts + "node_modules/@modelcontextprotocol/conformance/dist/index.js"
	if _, err := os.Stat(index); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("%v; run testdata/realparts/setup.sh", err)
	}
	endpoint := start(t)
	hook, err := filepath.Abs(parts + "conformance-node.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for date, names := range scenarios {
		t.Run(date, func(t *testing.T) {
			t.Parallel() // one of the scenarios of 2026-07-28 waits for five seconds
			ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
			defer stop()
			dir := t.TempDir()
			// The suite takes longer to start than a scenario to run. Scenarios that ask nobody run too, and are not read.
			said, err := exec.CommandContext(ctx, "node", "--import", hook, index, "server", "--url", endpoint,
				"--suite", "all", "--spec-version", date, "--output-dir", dir).CombinedOutput()
			for _, scenario := range names {
				t.Run(scenario, func(t *testing.T) {
					// A folder's name ends with the time. No scenario that runs has another one's name and a year.
					files, _ := filepath.Glob(filepath.Join(dir, "server-"+scenario+"-20??-*", "checks.json"))
					if len(files) != 1 { // the exit code tells of checks, which are read below
						t.Fatalf("the suite: %v, %d results\n%s", err, len(files), said)
					}
					read(t, files[0], some[scenario])
				})
			}
		})
	}
}

// read checks the results of a scenario, those that are named or, without names, all.
func read(t *testing.T, file string, names []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct{ ID, Status, ErrorMessage string }
	if err := json.Unmarshal(text, &checks); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range checks {
		if names != nil && !slices.Contains(names, c.ID) {
			continue
		}
		_, expected := byDesign[c.ID]
		switch {
		case c.Status == "SUCCESS" && expected:
			t.Errorf("%s passes now; take it out of the list", c.ID)
		case c.Status == "SUCCESS":
			passed++
		case !expected:
			t.Errorf("%s: %s: %s", c.ID, c.Status, c.ErrorMessage)
		case c.Status != "WARNING":
			t.Errorf("%s: %s, and not only a warning: %s", c.ID, c.Status, c.ErrorMessage)
		}
	}
	if passed == 0 || passed < len(names) {
		t.Errorf("%d checks passed", passed)
	}
}

// start builds and starts the server, and returns its endpoint.
func start(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "conformance")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := exec.Command(program)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(fmt.Errorf("the server: %w", err))
	}
	return strings.TrimSpace(line)
}
