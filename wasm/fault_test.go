package main

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
)

const (
	random = `"random":"0101010101010101010101010101010101010101010101010101010101010101"`
	opened = `{"at":1000,` + random + `,"event":{"event":"opened","session":"s","server":"build","side":"answering",` +
		`"declared":["form"],"shown":["form"]}}`
	asked = `{"at":2000,` + random + `,"event":{"event":"asked","session":"s","ref":"1","mode":"form",` +
		`"message":"Go on?","schema":{"type":"object","properties":{}}}}`
	saveS   = `{"save":"s"}`
	ticking = `{"event":{"event":"ticked"}}`
)

// resumed resumes a saved session in a new engine of d. The engine must show the session's question again.
func resumed(d *instance, state string) (engine uint64) {
	d.Helper()
	engine = d.open(`{}`)
	state, found := strings.CutPrefix(strings.TrimSuffix(state, "}"), `{"state":`)
	if !found {
		d.Fatalf("no state: %s", state)
	}
	if got := d.step(engine, 0, `{"at":3000,`+random+`,"event":{"event":"resumed","state":`+state+`}}`,
		abi.OK); !strings.Contains(got, `"effect":"show"`) {
		d.Errorf("the saved session does not go on: %s", got)
	}
	return engine
}

// TestTrap lets the module run out of memory. A bug of the engine is a trap too. The host drops the instance, and the
// session continues in another one from the last saved state.
func TestTrap(t *testing.T) {
	t.Parallel()
	const pages = 256 // 16 MiB
	small := ready(compiler().WithMemoryLimitPages(pages), built)
	d := newInstance(t, small)
	engine := d.open(`{}`)
	d.step(engine, 0, opened, abi.OK)
	d.step(engine, 0, asked, abi.OK)
	state := d.step(engine, 0, saveS, abi.OK)
	if exhaust(d) == nil {
		t.Fatalf("%d pages were not used up", pages)
	}
	if _, _, _, err := d.try(abi.OpStep, engine, 0, []byte(ticking)); err == nil {
		t.Error("a trapped instance still answers")
	}
	again := newInstance(t, small)
	again.step(resumed(again, state), 4000, ticking, abi.OK)
}

// exhaust opens engines until the module traps.
func exhaust(d *instance) error {
	config := []byte(`{"policy":{"user":{"version":1,"comment":"` + strings.Repeat("x", 1<<20) + `"}}}`)
	for range 10_000 {
		_, _, _, err := d.try(abi.OpOpen, 0, 0, config)
		if err == nil {
			_, _, _, err = d.try(abi.OpForm, 0, 0, []byte(`{"schema":{"type":"object","properties":{"a":{"type":"string"}}}}`))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestCallsBeforeInitialize calls the module without _initialize. The module traps and gives no answer.
func TestCallsBeforeInitialize(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]uint64{"elicit_abi": {}, "elicit_input": {4}, "elicit_call": {0, 0, 0, 0}} {
		t.Run(name, func(t *testing.T) {
			raw := start(t, whole)
			if got, err := raw.ExportedFunction(name).Call(background, args...); err == nil {
				t.Errorf("answered %v", got)
			}
		})
	}
}
