package policy

import (
	"flag"
	"math/rand"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var (
	stacks = flag.Int("stacks", 5000, "how many stacks TestEverythingThatMatteredIsNamed draws")
	seed   = flag.Int64("seed", 11, "the first seed of TestEverythingThatMatteredIsNamed; each stack has its own")
)

// TestEverythingThatMatteredIsNamed takes away each layer and each rule that no reason names. The outcome must stay.
func TestEverythingThatMatteredIsNamed(t *testing.T) {
	rounds := *stacks
	if testing.Short() {
		rounds /= 5
	}
	layers, rules, mattered := 0, 0, 0
	for i := range rounds {
		r := rand.New(rand.NewSource(*seed + int64(i)))
		var all []*Policy
		for l := Managed; l <= Session; l++ {
			if r.Intn(3) > 0 {
				all = append(all, somePolicy(r, l))
			}
		}
		f := someFacts(r)
		for range r.Intn(8) - 5 {
			f.Candidates = append(f.Candidates, elicit.Candidate{Tool: pick(r, "deploy", "read", "lint"),
				Annotations: someFacts(r).Annotations})
		}
		f.CandidatesCut = r.Intn(12) == 0
		findings := pick(r, nil, nil, []elicit.Finding{{Code: "x", Severity: elicit.Critical}})
		decide := func(all []*Policy) Decision { s := NewStack(all...); return s.Tighten(s.Decide(f), findings) }
		d := decide(all)
		stays := func(what string, changed []*Policy) {
			if w := decide(changed); w.Outcome != d.Outcome {
				t.Fatalf("seed %d: without %s, which no reason names, %v would be %v\n%v\n%v\n%+v", *seed+int64(i), what, d.Outcome,
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
