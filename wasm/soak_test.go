package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// soakQuestions returns the number of questions that are asked and answered, with two steps each.
func soakQuestions() int {
	if vectors.Nightly() {
		return 12_000
	}
	return 3_000 // more than the things that the engine remembers of the past
}

// TestSoak steps one instance as often as a busy editor does in a week, and at night in a month. The memory of the
// first third must be enough for the whole test, plus a tenth and 256 KiB for the pace of the garbage collector.
func TestSoak(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	d := newInstance(t, whole)
	engine := d.open(`{"limits":{"per_minute":60000,"burst":60000}}`)
	d.step(engine, 0, opened, abi.OK)
	id := regexp.MustCompile(`"effect":"show".*?"id":"([0-9a-f]+)"`)
	const question = `{"event":{"event":"asked","session":"s","ref":"%d","mode":"form","message":"Question %d?",` +
		`"schema":{"type":"object","properties":{"name":{"type":"string","minLength":1},"n":{"type":"integer"},` +
		`"note%d":{"type":"string"}},"required":["name"]}}}`
	var early uint32
	questions := soakQuestions()
	for i := range questions {
		at := int64(2000 + 10_000*i)
		shown := d.step(engine, at, fmt.Sprintf(question, i, i, i%500), abi.OK)
		found := id.FindStringSubmatch(shown)
		if found == nil {
			t.Fatalf("question %d is not shown: %s", i, shown)
		}
		answer := `{"event":{"event":"answered","session":"s","id":"` + found[1] + `","action":"accept","content":{"name":"` +
			strings.Repeat("x", i%2000) + `y","n":7}}}`
		if got := d.step(engine, at+5000, answer, abi.OK); !strings.Contains(got, `"outcome":"accept"`) {
			t.Fatalf("answer %d: %s", i, got)
		}
		if i == questions/3 {
			early = d.Memory().Size()
		}
	}
	late := d.Memory().Size()
	t.Logf("%d steps; memory %.1f MiB after a third, %.1f MiB at the end", 2*questions, float64(early)/(1<<20),
		float64(late)/(1<<20))
	if late > early+early/10+256<<10 {
		t.Errorf("memory grew from %d to %d bytes", early, late)
	}
}

// TestLargeInputs checks texts of 4 MiB. A collector that takes a number for the address of one keeps it, and its
// memory doubles and doubles. By day there are a third of them.
func TestLargeInputs(t *testing.T) {
	t.Parallel()
	texts, step := 20, 12<<20
	if vectors.Nightly() {
		texts, step = 60, 4<<20
	}
	for name, made := range map[string]func() (host, error){"core": core, "browser": browser, "whole": whole} {
		if name != "whole" && !vectors.Nightly() {
			continue
		}
		d := newInstance(t, made)
		form, _ := d.call(abi.OpForm, 0, 0, `{"schema":{"type":"object","properties":{"a":{"type":"string"}}}}`, abi.OK)
		content := `{"a":"` + strings.Repeat("word", 1<<20) + `"}`
		for range texts {
			d.call(abi.OpCheck, form, 0, content, abi.OK)
		}
		if size := d.Memory().Size(); size > 100<<20 {
			t.Errorf("%s: %d texts of 4 MiB take %d MiB", name, texts, size>>20)
		}
		// A peer may send the longest message again and again, and ever longer ones before.
		for size := 12 << 20; size <= 5*relay.DefaultMaxMessage; size += step {
			d.call(abi.OpCheck, form, 0, strings.Repeat(" ", min(size, relay.DefaultMaxMessage)), abi.TooLarge)
		}
		if size := d.Memory().Size(); size > 800<<20 {
			t.Errorf("%s: texts of up to 64 MiB take %d MiB", name, size>>20)
		}
	}
}
