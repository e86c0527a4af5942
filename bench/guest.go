package main

import (
	"os"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	wasmhost "github.com/elicit-engine/elicit/plugins/host"
)

// guestQuestion is the question to the guardian of testdata/guests, which denies links.
const guestQuestion = `{"v":1,"phase":"before_show","at":1764000000000,` +
	`"request":{"mode":"url","url":"https://example.com/consent"},"settings":{},"seed":"00112233445566778899aabbccddeeff"}`

// guestModules are two guardians. One answers at once, so it measures the cost of a fresh instance. One never ends.
var guestModules = map[string]string{"guest": "../testdata/guests/no-links.wasm",
	"endless": "../plugins/tck/modules/spin.wasm"}

// inWazero asks a guardian as machine code under wazero, in a fresh instance each time.
func inWazero(name, what string) *line {
	h := wasmhost.New(wasmhost.Options{Compiler: true})
	module, err := os.ReadFile(guestModules[name])
	must(err)
	loaded, problems := h.Load(module, guest.Options{})
	mustHold(len(problems) == 0, "the guardian is refused")
	e := wasmhost.Evaluation{Digest: loaded.Digest, Question: []byte(guestQuestion)}
	first := h.Evaluate(e)
	mustHold((first.Fault == guardian.FaultFuel) == (name == "endless"), "the guardian does not do what it is here for")
	return &line{name: what, unit: "ns", run: func(n int) {
		for range n {
			r := h.Evaluate(e)
			mustHold(r.Fault == first.Fault && r.Fuel == first.Fuel, "another verdict")
		}
	}}
}
