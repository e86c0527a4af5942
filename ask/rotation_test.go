package ask

import (
	"bytes"
	"testing"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestRotation rolls out new keys in the order that docs/asking.md tells. While a step is rolled out, old and new
// processes open the states of one another. Without the first step they do not.
func TestRotation(t *testing.T) {
	var keys [2]seal.Key
	for i := range keys {
		var err error
		if keys[i], err = seal.NewKey(string(rune('a'+i)), bytes.Repeat([]byte{byte(i)}, seal.MinSecret)); err != nil {
			t.Fatal(err)
		}
	}
	ring := func(order ...int) Sealer {
		var ordered []seal.Key
		for _, i := range order {
			ordered = append(ordered, keys[i])
		}
		s, err := NewSealer(ordered...)
		must.OK(t, err)
		return s
	}
	opens := func(by, from Sealer) bool {
		random := [32]byte{1}
		state, err := from.Seal(nil, random, seal.State, seal.Claims{ID: seal.ID(random, seal.State, 0), Target: "tool",
			IssuedAt: 1, ExpiresAt: 2})
		must.OK(t, err)
		_, problem := by.Open(state, seal.State, seal.Expected{Target: "tool", Now: 1})
		return problem == nil
	}
	steps := []Sealer{ring(0), ring(0, 1), ring(1, 0)}
	for i := range steps[1:] {
		if before, after := steps[i], steps[i+1]; !opens(before, after) || !opens(after, before) {
			t.Errorf("step %d refuses states", i+1)
		}
	}
	if alone := ring(1); !opens(alone, steps[2]) || opens(alone, steps[0]) {
		t.Error("the last step opens what it should not, or does not open what it should")
	}
	if opens(steps[0], steps[2]) {
		t.Error("without the first step nothing is refused: the test has lost its subject")
	}
}
