package policy

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestEverythingThatMatteredIsNamed takes away each layer and each rule that no reason names. The outcome must stay.
func TestEverythingThatMatteredIsNamed(t *testing.T) {
	r, rounds := rand.New(rand.NewSource(11)), 5000
	if testing.Short() {
		rounds = 1000
	}
	layers, rules, mattered := 0, 0, 0
	for i := range rounds {
		var all []*Policy
		for l := Managed; l <= Session; l++ {
			if r.Intn(3) > 0 {
				all = append(all, somePolicy(r, l))
			}
		}
		f, findings := someFacts(r), pick(r, nil, nil, []elicit.Finding{{Code: "x", Severity: elicit.Critical}})
		decide := func(all []*Policy) Decision { s := NewStack(all...); return s.Tighten(s.Decide(f), findings) }
		d := decide(all)
		stays := func(what string, changed []*Policy) {
			if w := decide(changed); w.Outcome != d.Outcome {
				t.Fatalf("round %d: without %s, which no reason names, %v would be %v\n%v\n%v\n%+v", i, what, d.Outcome,
					w.Outcome, d.Reasons, w.Reasons, *f)
			}
		}
		if slices.ContainsFunc(d.Reasons, func(r elicit.Reason) bool { return r.Code == codeMattered }) {
			mattered++
		}
		for at, p := range all {
			if !names(d.Reasons, p.layer) {
				layers++
				stays(p.layer.String(), slices.Delete(slices.Clone(all), at, at+1))
			}
			for n := range p.rules {
				told := func(r elicit.Reason) bool { return r.Layer == p.layer.String() && r.Rule == p.rules[n].name }
				if !slices.ContainsFunc(d.Reasons, told) {
					rules++
					less := *p
					less.rules = slices.Delete(slices.Clone(p.rules), n, n+1)
					changed := slices.Clone(all)
					changed[at] = &less
					stays(p.layer.String()+" "+p.rules[n].name, changed)
				}
			}
		}
	}
	t.Logf("%d layers, %d rules that no reason names; %d decisions with a layer that mattered", layers, rules, mattered)
	if min(layers, rules, mattered) < rounds/200 {
		t.Error("the rounds tried too little")
	}
}
