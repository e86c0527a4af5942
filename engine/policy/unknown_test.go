package policy

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// someUnknown makes a fact unknown and returns the same facts with values that it may have.
func someUnknown(r *rand.Rand, f *Facts) (may []*Facts) {
	f.Mode, f.Kind, f.Claim, f.Fields, f.Candidates = elicit.Form, elicit.KindApproval, elicit.ClaimApproval, nil, nil
	f.CandidatesCut, f.ReachCut, f.Granted, f.CommandCandidate, f.Dangerous = false, false, "", "", false
	f.Paths, f.Hosts, f.Host, f.Scheme = nil, nil, "", ""
	with := func(set func(*Facts)) {
		one := *f
		set(&one)
		may = append(may, &one)
	}
	f.Does = elicit.DeedPatch
	switch r.Intn(6) {
	case 0: // the command
		f.Does, f.Command = elicit.DeedCommand, ""
		for _, command := range []string{"git push", "rm -rf /", "git status && rm x", "git log | head"} {
			with(func(f *Facts) { f.Command = command })
		}
	case 1: // its directory
		f.Does, f.Command, f.Cwd = elicit.DeedCommand, "git push", ""
		for _, cwd := range []string{"/srv/app", "/etc", "/srv"} {
			with(func(f *Facts) { f.Cwd = cwd })
		}
	case 2: // the files
		f.Command, f.Paths = "", nil
		for _, paths := range [][]string{{"/srv/app/x"}, {"/etc/hosts"}, {"/srv/app/x", "a.md"}} {
			with(func(f *Facts) { f.Paths = paths })
		}
	case 3: // more files
		f.Command, f.Paths, f.ReachCut = "", []string{"/srv/app/x"}, true
		with(func(f *Facts) { f.Paths, f.ReachCut = []string{"/srv/app/x", "/etc/hosts", "b.md"}, false })
	case 4: // more hosts
		f.Does, f.Command, f.Hosts, f.ReachCut = elicit.DeedPermissions, "", []string{"a.example"}, true
		with(func(f *Facts) { f.Hosts, f.ReachCut = []string{"a.example", "b.example.com"}, false })
	case 5: // on which side of the writable places the files lie
		f.Command, f.Paths, f.Outside = "", []string{"/srv/app/x"}, elicit.Unsaid
		with(func(f *Facts) { f.Outside = elicit.SaidNo })
		with(func(f *Facts) { f.Outside = elicit.SaidYes })
	}
	return may
}

// sort is the outcome up to who answers.
func sort(d Decision) Outcome {
	switch d.Outcome {
	case Accept:
		return Accept
	case Review, Ask:
		return Ask
	}
	return Decline
}

// TestAnUnknownFactNeverAccepts compares a request with an unknown fact with the same request for each value that the
// fact may have. It is accepted only if it is accepted for each of them. Where an unknown fact declines, it is at least
// as strict as for each of them.
func TestAnUnknownFactNeverAccepts(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	asked, accepted := 0, 0
	declines := parse(t, Session, `{"version":1,"unknown":"decline"}`)
	for i := range 30_000 {
		var layers []*Policy
		for l := Managed; l <= Session; l++ {
			if r.Intn(2) == 0 {
				layers = append(layers, somePolicy(r, l))
			}
		}
		f := someFacts(r)
		may := someUnknown(r, f)
		asks, strict := NewStack(layers...), NewStack(append(layers, declines)...)
		soft, hard := asks.Decide(f), strict.Decide(f)
		if hard.Outcome < soft.Outcome {
			t.Fatalf("round %d: declining what is unknown gives %v, asking %v\nfacts %+v", i, hard, soft, *f)
		}
		if hard.Outcome != soft.Outcome {
			asked++
		}
		if soft.Outcome == Accept {
			accepted++
		}
		for _, one := range may {
			known, strictly := asks.Decide(one), strict.Decide(one)
			if slices.ContainsFunc(known.Reasons, func(r elicit.Reason) bool { return r.Code == codeCannotAccept }) {
				continue // a rule that accepts and may not tightens here
			}
			if sort(soft) < min(sort(known), Ask) || sort(hard) < sort(strictly) {
				t.Fatalf("round %d: unknown gives %v, or %v; known %v, or %v\nfacts %+v\nknown %+v\n%v\n%v\n%v", i,
					soft.Outcome, hard.Outcome, known.Outcome, strictly.Outcome, *f, *one, soft.Reasons, hard.Reasons, known.Reasons)
			}
		}
	}
	if asked < 50 || accepted < 400 {
		t.Errorf("a person decided in only %d rounds, and %d were accepted", asked, accepted)
	}
}

// TestFormat2Declines checks that the meaning of earlier records is at least as strict, and that a decision says when
// it would be another one.
func TestFormat2Declines(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	differ := 0
	for i := range 20_000 {
		var layers []*Policy
		for l := Managed; l <= Session; l++ {
			if r.Intn(2) == 0 {
				layers = append(layers, somePolicy(r, l))
			}
		}
		f := someFacts(r)
		f.CommandCandidate = "" // earlier records have none
		if r.Intn(2) == 0 {
			someUnknown(r, f)
		}
		f.CandidatesCut = r.Intn(4) == 0
		s := NewStack(layers...)
		is, was := s.Decide(f), s.AsFormat2().Decide(f)
		same := string(is.AppendJSON(nil)) == string(was.AppendJSON(nil))
		if !same {
			differ++
		}
		if !same && !is.Since3() {
			t.Fatalf("round %d: the decision is another one and does not say so\nfacts %+v\nwas %v\n is %v", i, *f, was, is)
		}
	}
	if differ < 500 {
		t.Errorf("the decision differed in only %d rounds", differ)
	}
}
