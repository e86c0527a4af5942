//go:build wasip1

package main

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// guests reads guardians' modules for a host that runs them: no engine inside an engine is as fast as the one around
// it. Nothing is kept; every consult goes out.
type guests struct{}

// Load describes the module and gives back what has to be run in its place. Whether WASI is granted the host decides.
func (guests) Load(module []byte) ([]byte, []elicit.Problem) {
	m, problems := guest.Read(module, guest.Options{WASI: true})
	if len(problems) > 0 {
		return nil, problems
	}
	return m.AppendJSON(nil, true), nil
}

func (guests) Manifest(string) (m guardian.Manifest, wasi, held bool) { return m, false, false }

func (guests) CheckSettings(guardian.Grant) ([]elicit.Problem, bool) { return nil, false }

func (guests) Evaluate(engine.Consult) (engine.Consulted, bool) { return engine.Consulted{}, false }
