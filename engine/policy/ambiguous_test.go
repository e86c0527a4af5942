package policy

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func someTool(r *rand.Rand) elicit.Candidate {
	c := elicit.Candidate{Tool: pick(r, "deploy", "read", "red", "other", ""), Open: r.Intn(2) == 0}
	for _, m := range c.Annotations.Members() {
		*m.Said = pick(r, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes)
	}
	return c
}

func as(f *Facts, c elicit.Candidate) *Facts {
	one := *f
	one.Tool, one.Annotations, one.Candidates, one.CandidatesCut, one.Granted = c.Tool, c.Annotations, nil, false, ""
	return &one
}

// TestCandidatesAreTheWorstCase compares a question that may belong to several calls with the same question for each
// call, and a question of an unknown tool with the same question for every tool. A rule that may be meant for the
// unknown tool and declines asks, unless a layer says that it declines.
func TestCandidatesAreTheWorstCase(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	stricter, asked := 0, 0
	declines := parse(t, Managed, `{"version":1,"unknown":"decline"}`)
	for i := range 15_000 {
		var layers []*Policy
		for l := Managed; l <= Session; l++ {
			if r.Intn(2) == 0 {
				layers = append(layers, somePolicy(r, l))
			}
		}
		s, f, asks := NewStack(append(layers, declines)...), someFacts(r), NewStack(layers...)
		f.Tool, f.Annotations = "", elicit.Annotations{}
		if r.Intn(3) > 0 { // make rules frequent whose outcome depends on the tool
			f.Server, f.Mode, f.Kind, f.Claim, f.Fields = "build", elicit.Form, elicit.KindConfirm, elicit.ClaimNone, nil
		}
		for range 1 + r.Intn(4) {
			f.Candidates = append(f.Candidates, someTool(r))
		}
		strictest, differ := Outcome(0), false
		for _, c := range f.Candidates {
			o := s.Decide(as(f, c)).Outcome
			differ = differ || strictest != 0 && o != strictest
			strictest = max(strictest, o)
		}
		if differ {
			stricter++
		}
		got := s.Decide(f)
		if got.Outcome != strictest {
			t.Fatalf("round %d: candidates %v give %v, the strictest of them %v\nfacts %+v\nreasons %v",
				i, f.Candidates, got.Outcome, strictest, *f, got.Reasons)
		}
		f.CandidatesCut = true
		cut, soft := s.Decide(f), asks.Decide(f)
		if soft.Outcome != cut.Outcome {
			asked++
		}
		for range 4 {
			c := someTool(r)
			if one := s.Decide(as(f, c)); cut.Outcome < one.Outcome || cut.Outcome < got.Outcome {
				t.Fatalf("round %d: an unknown tool gives %v, tool %v %v\nfacts %+v\nunknown %v\none %v",
					i, cut.Outcome, c, one.Outcome, *f, cut.Reasons, one.Reasons)
			}
			if one := asks.Decide(as(f, c)); soft.Outcome < min(one.Outcome, Ask) {
				t.Fatalf("round %d: an unknown tool gives %v, tool %v %v\nfacts %+v\nunknown %v\none %v",
					i, soft.Outcome, c, one.Outcome, *f, soft.Reasons, one.Reasons)
			}
		}
	}
	if stricter < 200 || asked < 40 {
		t.Errorf("candidates differed in only %d rounds, and a person decided in only %d", stricter, asked)
	}
}

func TestCandidatesBeyondTheBoundAreUnknown(t *testing.T) {
	s := NewStack(parse(t, User, `{"version":1,"rules":[{"when":{"tool":"drop"},"then":"decline"},{"when":{},`+
		`"then":"accept"}]}`))
	f := confirm()
	for range elicit.MaxCandidates {
		f.Candidates = append(f.Candidates, elicit.Candidate{Tool: "read"})
	}
	if d := s.Decide(f); d.Outcome != Accept {
		t.Errorf("%d candidates: %v", len(f.Candidates), d)
	}
	f.Candidates = append(f.Candidates, elicit.Candidate{Tool: "read"})
	if d := s.Decide(f); d.Outcome != Ask || !DeclinesUnasked(d.Reasons) {
		t.Errorf("%d candidates: %v", len(f.Candidates), d)
	}
}

func BenchmarkCandidates(b *testing.B) {
	doc := `{"version":1,"rules":[`
	for range MaxMessageGlobs {
		doc += `{"when":{"message":"*` + strings.Repeat("a?", 20) + `b*","tool":"x*"},"then":"decline"},`
	}
	s := NewStack(parse(b, User, doc+`{"when":{},"then":"ask"}]}`))
	f := confirm()
	f.Message = strings.Repeat("a", 60<<10)
	for i := range elicit.MaxCandidates {
		f.Candidates = append(f.Candidates, elicit.Candidate{Tool: "x" + strings.Repeat("y", i)})
	}
	for b.Loop() {
		s.Decide(f)
	}
}
