package policy

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestReadingsNeverJoin decides by each of the two readings of the approval policies alone. The decision by both is
// never a third.
func TestReadingsNeverJoin(t *testing.T) {
	differ := 0
	for seed := range int64(30_000) {
		r := rand.New(rand.NewSource(seed))
		var all []*Policy
		var docs []string
		for _, layer := range Layers() {
			if doc := settingsOf(r); doc != "" {
				p, problems := Parse(layer, []byte(doc))
				if len(problems) > 0 {
					t.Fatalf("%s: %v", doc, problems)
				}
				all, docs = append(all, p), append(docs, layer.String()+" "+doc)
			}
		}
		f := &Facts{Server: "s", Mode: elicit.Form, Kind: elicit.KindConfirm, Fillable: true,
			RootThread: true, HostShowsForms: r.Intn(2) == 0, AutoReviewAllowed: r.Intn(2) == 0,
			StrictReview: r.Intn(10) == 0}
		switch r.Intn(4) {
		case 0:
			f.Fields, f.Kind = []FieldFact{{Name: "n"}}, elicit.KindForm
		case 1:
			f.Claim, f.Kind = elicit.ClaimApproval, elicit.KindApproval
		case 2:
			f.Claim, f.Kind = elicit.ClaimApproval, elicit.KindApproval
			f.Does, f.Command = elicit.DeedCommand, "ls"
		}
		stack := NewStack(all...)
		got := stack.Decide(f).Outcome
		above, below := reading(stack, false).Decide(f).Outcome, reading(stack, true).Decide(f).Outcome
		if got != above && got != below {
			t.Fatalf("seed %d, %v: %v; the readings alone say %v and %v", seed, docs, got, above, below)
		}
		if above != below {
			differ++
		}
	}
	if differ < 100 {
		t.Errorf("the readings differ %d times: the test has lost its subject", differ)
	}
}

// reading is the stack with one reading in the place of both.
func reading(s Stack, all bool) Stack {
	one := func(s settings) settings {
		if all {
			return settings{s.all, s.all}
		}
		return settings{s.above, s.above}
	}
	s.layers = slices.Clone(s.layers)
	for i := range s.layers {
		s.layers[i].settings = one(s.layers[i].settings)
	}
	s.builtin = one(s.builtin)
	return s
}

func settingsOf(r *rand.Rand) string {
	if r.Intn(4) == 0 {
		return ""
	}
	doc := `{"version":1`
	for _, choice := range [][]string{
		{"approval_policy", "", `"on-request"`, `"never"`, `"untrusted"`,
			`{"granular":{"rules":true,"mcp_elicitations":false,"sandbox_approval":false}}`},
		{"access", "", `"full"`, `"sandboxed"`},
		{"reviewer", "", `"user"`, `"auto_review"`},
		{"rules", "", `[{"when":{},"then":"accept"}]`, `[{"when":{},"then":"ask"}]`, `[{"when":{},"then":"review"}]`,
			`[{"when":{},"then":"cancel"}]`},
	} {
		if value := choice[1+r.Intn(len(choice)-1)]; value != "" {
			doc += `,"` + choice[0] + `":` + value
		}
	}
	return doc + "}"
}
