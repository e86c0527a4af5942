//go:build wasip1

package main

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// guests reads guardians' modules for the host, which runs them. A Wasm engine inside a Wasm engine would be slower
// than the host's own. It keeps no module, and every consult goes to the host.
type guests struct{}

// Load describes the module and returns the metered module to run in its place. The host decides whether to permit
// WASI.
func (guests) Load(module []byte) ([]byte, []elicit.Problem) {
	m, problems := guest.Read(module, guest.Options{WASI: true})
	if len(problems) > 0 {
		return nil, problems
	}
	return m.AppendJSON(nil, true), nil
}

// Keep tells the digest of a data document. The host keeps it.
func (guests) Keep(document []byte) (digest string, problems []elicit.Problem) {
	if len(document) > guardian.MaxData {
		return "", []elicit.Problem{guardian.DataTooLarge(len(document))}
	}
	return guardian.Digest(document), nil
}

func (guests) Holds(string) bool { return false }

func (guests) Manifest(string) (m guardian.Manifest, wasi, held bool) { return m, false, false }

func (guests) CheckSettings(guardian.Permit) ([]elicit.Problem, bool) { return nil, false }

func (guests) Evaluate(effect.Consult) (event.Consulted, bool) { return event.Consulted{}, false }
