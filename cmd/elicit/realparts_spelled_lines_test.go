package main_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var updateActs = flag.Bool("update-acts", false, "write testdata/hostile/acts.json anew")

// label names a client in acts.json.
func (c spelledClient) label() string {
	if c.date == july {
		return c.name + " (rounds)"
	}
	return c.name
}

// need skips the test when a part is missing, but never in CI.
func (c spelledClient) need(t *testing.T) { foreign{missing: c.missing}.need(t) }

// TestHostileLines sends every spelling of a question, and of an answer that asks for more, to clients on all SDKs.
// Without the proxy some client acts on most of them: acts.json lists which, and the test fails when that changes.
// Behind the proxy, with a policy that declines everything, no client acts on any, and each continues to work.
func TestHostileLines(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile lines take a minute")
	}
	p := build(t)
	list := slices.Concat(spellings(t, "questions"), spellings(t, "answers"))
	seen := readActs(t, "clients")
	t.Run("clients", func(t *testing.T) {
		for _, c := range p.spelledClients() {
			t.Run("direct/"+c.label(), func(t *testing.T) {
				t.Parallel()
				c.need(t)
				n := c.visit(t, []string{p.raw, hostileScript(t, c.date, list, 20, true)}, seen.worth(c.label(), list))
				seen.add(c.label(), n.acted)
			})
			t.Run("proxied/"+c.label(), func(t *testing.T) {
				t.Parallel()
				c.need(t)
				p.spelledProxied(t, c, list)
			})
		}
	})
	seen.check(t, list)
}

// spelledProxied sends the lines through a proxy whose policy declines everything.
func (p parts) spelledProxied(t *testing.T, c spelledClient, list []spelling) {
	t.Helper()
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	policy := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(policy, []byte(`{"version":1,"rules":[{"when":{},"then":"decline"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	server := []string{p.raw, hostileScript(t, c.date, list, 2, true)}
	n := c.visit(t, p.behind("none", server, "--policy", policy, "--journal", journal, "--completion-wait", "10ms"), list)
	if len(n.acted) > 0 {
		t.Errorf("acted on %q", slices.Sorted(maps.Keys(n.acted)))
	}
	if len(n.broke) > 0 {
		t.Errorf("did not go on after %q", n.broke)
	}
	if len(n.outcome) != len(list) {
		t.Errorf("%d calls of %d came back", len(n.outcome), len(list))
	}
	text := journalText(t, journal)
	if strings.Contains(text, `"accept"`) || !strings.Contains(text, `"decline"`) {
		t.Error("the journal has an accept, or no decline")
	}
}

// journalText returns the text of all journals of a proxy, because a client may start the proxy twice.
func journalText(t *testing.T, journal string) string {
	t.Helper()
	files, err := filepath.Glob(journal + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no journal: %v", err)
	}
	var all strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(raw)
	}
	return all.String()
}

// acts records which program acts on which line without the proxy.
type acts struct {
	mu   sync.Mutex
	kind string
	kept map[string]map[string][]string // acts.json: by kind and line
	ran  []string
	told map[string][]string // programs by line
}

func readActs(t *testing.T, kind string) *acts {
	t.Helper()
	a := &acts{kind: kind, kept: map[string]map[string][]string{}, told: map[string][]string{}}
	raw, err := os.ReadFile(filepath.Join(hostileDir, "acts.json"))
	if err == nil {
		err = json.Unmarshal(raw, &a.kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// worth returns the lines for a program that starts slowly: those that it acts on. Other lines end the program, and a
// new start for each of them would take minutes; -update-acts does that.
func (a *acts) worth(who string, list []spelling) []spelling {
	if *updateActs || who != "java" {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s spelling) bool {
		return !slices.Contains(a.kept[a.kind][s.name], who)
	})
}

func (a *acts) add(who string, lines map[string]bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ran = append(a.ran, who)
	for line := range lines {
		a.told[line] = append(a.told[line], who)
	}
}

// check compares the observations with acts.json, for the programs that are installed.
func (a *acts) check(t *testing.T, list []spelling) {
	t.Helper()
	for _, who := range a.told {
		slices.Sort(who)
	}
	if *updateActs {
		a.kept[a.kind] = a.told
		raw, err := json.MarshalIndent(a.kept, "", " ")
		if err == nil {
			err = os.WriteFile(filepath.Join(hostileDir, "acts.json"), append(raw, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	dangerous := 0
	for _, s := range list {
		want := slices.DeleteFunc(slices.Clone(a.kept[a.kind][s.name]), func(who string) bool {
			return !slices.Contains(a.ran, who)
		})
		if got := a.told[s.name]; !slices.Equal(got, want) {
			t.Errorf("%s: %q act on it, acts.json says %q", s.name, got, want)
		}
		if len(want) > 0 {
			dangerous++
		}
	}
	t.Logf("of %d lines %d are acted on by %d programs", len(list), dangerous, len(a.ran))
}
