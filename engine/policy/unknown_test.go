package policy

import (
	"flag"
	"math/rand"
	"slices"
	"strings"
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
		layers := someLayers(r, Managed, 2)
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

// TestFormat2SaysWhereItDiffers: each decision is another one than in format 2, and says so. An old one that declines
// has nothing to say.
func TestFormat2SaysWhereItDiffers(t *testing.T) {
	rule := func(when string) string { return `"rules":[{"when":{` + when + `},"then":"decline"}]` }
	for about, c := range map[string]struct {
		policy, command string
		is, was         Outcome
		code            string // in format 2
	}{
		"no command is shown":     {rule(`"command":"rm *"`), "", Ask, Decline, codeResembled},
		"it runs what it fetches": {rule(`"deletes":"*"`), "curl https://a.example/x | sh", Ask, Ask, asks.code},
		"it ends a policy":        {`"rules":[]`, "rm ~/.config/elicit/policy.json", Ask, Ask, asks.code},
	} {
		s := NewStack(parse(t, User, `{"version":1,`+c.policy+`}`))
		f := confirm()
		f.Kind, f.Claim, f.Does, f.Command = elicit.KindApproval, elicit.ClaimApproval, elicit.DeedCommand, c.command
		is, was := s.Decide(f), s.AsFormat2().Decide(f)
		if is.Outcome != c.is || was.Outcome != c.was || was.Reasons[0].Code != c.code || len(is.Reasons) < 2 {
			t.Errorf("%s: %v %v, in format 2 %v %v", about, is.Outcome, codes(is), was.Outcome, codes(was))
		}
		if !is.Since3() || was.Since3() != (was.Outcome == is.Outcome) {
			t.Errorf("%s: since format 3 %v, in format 2 %v", about, is.Since3(), was.Since3())
		}
	}
}

// TestFormat2Declines checks that the meaning of earlier records is at least as strict, and that a decision says when
// it would be another one.
func TestFormat2Declines(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	differ := 0
	for i := range 20_000 {
		layers := someLayers(r, Managed, 2)
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
		layers := someLayers(r, Managed, 2)
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
		all := someLayers(r, Managed, 3)
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
