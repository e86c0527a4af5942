// Package agenttest drives real coding agents in tests: a scripted model, and a home directory of each agent. Nothing
// leaves the machine.
package agenttest

import (
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/scripted"
)

// Step is one thing that the scripted model does, and Model the model.
type (
	Step  = scripted.Step
	Model = scripted.Model
)

type object = map[string]any

// NewModel starts a model, which ends with the test.
func NewModel(t testing.TB, steps ...Step) *Model {
	t.Helper()
	m, err := scripted.Start(steps...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}
