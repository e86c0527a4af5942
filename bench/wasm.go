package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/abi"
)

// wasm measures the engine in Node: the module in dist with bindings/js.
func wasm() ([]*contest, []row) {
	if _, err := os.Stat("../bindings/js/dist/elicit.wasm"); err != nil {
		must(err)
	}
	tell, end := node("wasm.mjs")
	inputs := questionInputs()
	tell(map[string]any{"config": json.RawMessage(wholeConfig), "schema": string(formText), "right": string(rightAnswer),
		"wrong": string(wrongAnswer), "inputs": inputs, "guests": guestModules, "question": guestQuestion})
	of := func(name, what string, times int) *line {
		tell(map[string]any{"line": name, "times": 20 * times}) // lets V8 warm up
		return &line{name: what, unit: "ns", once: func() float64 {
			return tell(map[string]any{"line": name, "times": times}) / float64(times)
		}}
	}
	own := of("elicit", "elicit in Node, from a JS string", 1000)
	ajv := of("ajv", "ajv 8 from bytes", 1000)
	zod := of("zod", "zod 4 from bytes", 1000)
	cfworker := of("cfworker", "@cfworker/json-schema from bytes", 200)
	checks := &contest{procs: 1, batches: batches, lines: []*line{own, ajv, zod, cfworker}, close: end}

	inNode, native := of("step", "asked and answered, in Node", 40), nativeStep(inputs)
	steps := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{inNode, native}}
	asked, underWazero := of("guest", "a new instance in Node", 100), inWazero("guest", "a restored instance under wazero")
	guests := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{asked, underWazero}}
	endless, endlessUnder := of("endless", "5,000,000 fuel in Node", 1),
		inWazero("endless", "as machine code under wazero")
	spins := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{endless, endlessUnder}}
	cold := &line{name: "cold start", unit: "ms", once: coldStart}
	starts := &contest{procs: 2, batches: 3, lines: []*line{cold}}
	return []*contest{steps, guests, spins, starts, checks}, []row{
		{path: "check an answer in Node", ours: own, against: ajv, most: 0.9},
		{path: "check an answer in Node", ours: own, against: zod, most: 0.9},
		{path: "check an answer in Node", ours: own, against: cfworker, most: 0.9},
		{path: "a question asked and answered in Node", ours: inNode, against: native, most: 4.5},
		{path: "a guardian asked in Node", ours: asked, against: underWazero, most: 25},
		{path: "an endless guardian stopped in Node", ours: endless, against: endlessUnder, most: 3},
		{path: "cold start in Node", ours: cold, kind: absolute, most: 90,
			what: "bytes of the module to the first answer, a process each"},
	}
}

var shownID = regexp.MustCompile(`"id":"([0-9a-f]{32})"`)

// nativeStep does in Go the work of the program in Node, from the same input bytes to the same output bytes.
func nativeStep(inputs []string) *line {
	var table abi.Table
	handle, _, status := table.Open([]byte(wholeConfig), nil)
	mustHold(status == abi.OK, "the configuration is refused")
	_, status = table.Step(handle, []byte(inputs[0]), nil)
	mustHold(status == abi.OK, "the session is refused")
	at := 0
	var shown, reply []byte
	return &line{name: "the same natively", unit: "ns", run: func(n int) {
		for range n {
			at += 20
			now := `"at":` + strconv.Itoa(at)
			shown, _ = table.Step(handle, []byte(strings.Replace(inputs[1], `"at":0`, now, 1)), shown[:0])
			id := shownID.FindSubmatch(shown)
			mustHold(id != nil, "the question is not shown")
			answer := strings.Replace(strings.Replace(inputs[2], `"at":0`, now, 1), "$1", string(id[1]), 1)
			reply, _ = table.Step(handle, []byte(answer), reply[:0])
			mustHold(bytes.Contains(reply, []byte(`"effect":"reply"`)), "the answer is refused")
		}
	}}
}

func coldStart() float64 {
	out, err := exec.Command("node", "cold.mjs").Output()
	must(err)
	took, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	must(err)
	return took / 1e6
}
