package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var update = flag.Bool("update", false, "write the scenarios")

const scenarioFile = "../hostscript/scenarios.json"

// most is the number of scenarios that are chosen from the scripts.
const most = 140

// TestScenariosAreFresh chooses the scenarios of `elicit hostkit` from all scripts: first one for each effect, cause
// and event, then those that show something new to a host, then short ones. -update writes them.
func TestScenariosAreFresh(t *testing.T) {
	all, _, err := loops.Read(vectors.Root(t))
	must.OK(t, err)
	about := map[string]string{}
	for _, v := range vectors.Read(t) {
		about[v.String()] = v.About
	}
	size := func(s hostscript.Script) int {
		text, _ := json.Marshal(s)
		return len(text)
	}
	slices.SortStableFunc(all, func(a, b hostscript.Script) int { return size(a) - size(b) })
	all = slices.DeleteFunc(all, func(s hostscript.Script) bool { return len(s.Steps) < 2 })
	chosen, seen := []hostscript.Script{}, map[string]bool{}
	choose := func(s hostscript.Script, anew []string, others ...string) {
		if seen[s.Name] || !slices.ContainsFunc(anew, func(one string) bool { return !seen[one] }) {
			return
		}
		base, _, _ := strings.Cut(s.Name, " with ")
		for _, trait := range slices.Concat(anew, others, []string{base, s.Name}) {
			seen[trait] = true
		}
		s.About = about[base]
		_, s.Name, _ = strings.Cut(s.Name, "#")
		chosen = append(chosen, s)
	}
	first, met := []hostscript.Script{}, map[string]bool{}
	for _, s := range all {
		if list := shows(s); slices.ContainsFunc(list, func(one string) bool { return !met[one] }) {
			first = append(first, s)
			for _, one := range list {
				met[one] = true
			}
		}
	}
	for _, s := range slices.Backward(first) { // a long one shows what many short ones show
		choose(s, shows(s), traits(s)...)
	}
	for _, of := range []func(hostscript.Script) []string{traits, base} {
		for _, s := range all {
			if len(chosen) < most {
				choose(s, of(s), traits(s)...)
			}
		}
	}
	chosen = append(chosen, special(all)...)
	slices.SortFunc(chosen, func(a, b hostscript.Script) int { return strings.Compare(a.Name, b.Name) })
	chosen = slices.CompactFunc(chosen, func(a, b hostscript.Script) bool { return a.Name == b.Name })
	var fresh bytes.Buffer
	for i, s := range chosen {
		text := new(bytes.Buffer)
		write := json.NewEncoder(text)
		write.SetEscapeHTML(false)
		must.OK(t, write.Encode(s))
		fresh.WriteString(map[bool]string{true: "[", false: ","}[i == 0] + text.String())
	}
	fresh.WriteString("]\n")
	pages.File(t, scenarioFile, "go test ./internal/hostkit -run TestScenarios -update", fresh.String(), *update)
	if len(chosen) < 80 || len(chosen) > 200 || fresh.Len() > 1<<20 {
		t.Errorf("%d scenarios, %d bytes", len(chosen), fresh.Len())
	}
}

// base is the vector of a script.
func base(s hostscript.Script) []string {
	name, _, _ := strings.Cut(s.Name, " with ")
	return []string{name}
}

// shows are the effects of a script with their causes and outcomes, and its events. They count again in a host that
// asks no guardians.
func shows(s hostscript.Script) (list []string) {
	kind := s.Steps[0].Kind + " "
	for _, name := range s.Effects() {
		list = append(list, kind+name)
	}
	for _, step := range s.Steps {
		for _, text := range append(step.Want, step.Input) {
			var of struct {
				Effect, Cause, Outcome, Resolution, About, Phase string

				Reply struct{ Cause, Outcome string }
				Event struct{ Event, End string }
			}
			if json.Unmarshal([]byte(text), &of) == nil {
				list = append(list, fmt.Sprint(kind, of))
			}
		}
	}
	return list
}

// traits are what a script asks of a host.
func traits(s hostscript.Script) (list []string) {
	_, variant, _ := strings.Cut(s.Name, " with ")
	for _, step := range s.Steps {
		list = append(list, variant+step.Kind)
		before := ""
		for _, item := range step.Want {
			word, _, _ := strings.Cut(item, " ")
			var ef struct{ Effect string }
			if json.Unmarshal([]byte(item), &ef) == nil {
				word = ef.Effect
			}
			list = append(list, variant+step.Kind+" "+before+word)
			before = word + ", "
		}
	}
	return list
}

// special are messages that no vector holds: one as long as a message may be, and texts that are no Unicode.
func special(all []hostscript.Script) (list []hostscript.Script) {
	for _, s := range all {
		if strings.Contains(s.Name, " with ") || len(s.Relay) > 120 || len(s.Steps) < 2 {
			continue
		}
		open := s.Steps[0]
		for _, m := range []struct {
			name, about, message string
			fill                 int
		}{
			{"a-message-of-64-mib", "A message as long as a message may be passes, and every byte of it.",
				`{"jsonrpc":"2.0","method":"n","params":{"x":"FILL"}}`, 64<<20 - 48},
			{"lone-surrogates", "Escapes of lone surrogates pass as they came; a host that decodes them would lose them.",
				`{"jsonrpc":"2.0","method":"n","params":{"x":["\ud800","\udc00x","\ud83d\ude00"]}}`, 0},
			{"spelling-of-numbers", "Numbers and white space pass in their spelling.",
				`{"jsonrpc":"2.0", "method":"n","params":{"x":[1.0,1e400,-0,12345678901234567890]}}`, 0},
		} {
			list = append(list, hostscript.Script{Name: m.name, About: m.about, Relay: s.Relay, Keeps: -1,
				Steps: []hostscript.Step{open, {Kind: "server", Elapsed: open.Elapsed, Input: m.message, Fill: m.fill,
					Want: []string{"client " + m.message}, Wait: -1}}})
		}
		return list
	}
	return nil
}
