package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

func stackFrom(t *testing.T, files ...string) policy.Stack {
	t.Helper()
	var list []*policy.Policy
	for i, l := range policy.Layers()[:len(files)] {
		if files[i] == "" {
			continue
		}
		p, problems := policy.Parse(l, []byte(`{"version":1,`+files[i]+`}`))
		if problems != nil {
			t.Fatalf("%s: %+v", files[i], problems)
		}
		list = append(list, p)
	}
	return policy.NewStack(list...)
}

// TestLooserByOneCriterion has changes that loosen in one thing alone. The way back only tightens.
func TestLooserByOneCriterion(t *testing.T) {
	rules := func(list string) string { return `"approval_policy":"on-request","rules":[` + list + `]` }
	for name, c := range map[string][2]string{
		"case of a host is none": {rules(`{"when":{"host":["a.x","b.x"]},"then":"decline"}`),
			rules(`{"when":{"host":"A.X"},"then":"decline"}`)},
		"slash at the end of a path": {rules(`{"when":{"does":"tool","path":"/s/*"},"then":"decline"}`),
			rules(`{"when":{"does":"tool","path":"/s/?*"},"then":"decline"}`)},
		"one path": {rules(`{"when":{"does":"patch","path":["/s/a","/s/b"]},"then":"decline"}`),
			rules(`{"when":{"does":"patch","path":"/s/a"},"then":"decline"}`)},
		"accept of a path": {rules(`{"when":{"does":"patch","path":"/s/a"},"then":"accept"}`),
			rules(`{"when":{"does":"patch","path":["/s/a","/s/b"]},"then":"accept"}`)},
		"case of a message is none": {rules(`{"when":{"message":["*pay*","*PAY NOW*","*buy*"]},"then":"decline"}`),
			rules(`{"when":{"message":"*Pay*"},"then":"decline"}`)},
		"case of a server": {rules(`{"when":{"server":["Git","git"]},"then":"decline"}`),
			rules(`{"when":{"server":"git"},"then":"decline"}`)},
		"an exception": {rules(`{"when":{"server":"*"},"then":"decline"}`),
			rules(`{"when":{"server":"*"},"unless":{"server":"git"},"then":"decline"}`)},
		"an exception of an accept": {rules(`{"when":{"server":"*"},"unless":{"message":"*pay*"},"then":"accept"}`),
			rules(`{"when":{"server":"*"},"unless":{"message":"*pay now*"},"then":"accept"}`)},
		"a label": {rules(`{"when":{"label":["read_secret","fetched"],"does":"tool"},"then":"decline"}`),
			rules(`{"when":{"label":"read_secret","does":"tool"},"then":"decline"}`)},
		"a host that was fetched from": {rules(`{"when":{"fetched_from":["*.x","*.y"]},"then":"decline"}`),
			rules(`{"when":{"fetched_from":"*.x"},"then":"decline"}`)},
		"haste": {rules(`{"when":{"hasty":true},"then":"ask"},{"when":{"kind":"confirm"},"then":"accept"}`),
			rules(`{"when":{"kind":"confirm"},"then":"accept"}`)},
		"a property of a tool": {
			`"servers":{"git":{"trust":true}},"rules":[{"when":{"server":"git","read_only":true},"then":"accept"}]`,
			`"servers":{"git":{"trust":true}},"rules":[{"when":{"server":"git","idempotent":true},"then":"accept"},
			{"when":{"server":"git","read_only":true},"then":"accept"}]`},
		"trust": {
			`"servers":{"git":{"approvals":"writes"}}`,
			`"servers":{"git":{"approvals":"writes","trust":true}}`,
		},
		"approvals of a tool": {`"servers":{"git":{"approvals":"approve","tools":{"rm":{"approvals":"prompt"}}}}`,
			`"servers":{"git":{"approvals":"approve"}}`},
		"hours that begin later": {`"quiet":{"from":"22:00","to":"07:00","offset":"Z"}`,
			`"quiet":{"from":"22:01","to":"07:00","offset":"Z"}`},
		"hours elsewhere": {`"quiet":{"from":"22:00","to":"23:00","offset":"Z"}`, `"quiet":{"from":"22:00","to":"22:59",
			"offset":"Z"}`},
		"hours that cancel": {`"quiet":{"from":"22:00","to":"07:00","offset":"Z","then":"decline"}`,
			`"quiet":{"from":"22:00","to":"07:00","offset":"Z","then":"cancel"}`},
		"access":   {`"approval_policy":"never"`, `"approval_policy":"never","access":"full"`},
		"reviewer": {`"approval_policy":"on-request"`, `"approval_policy":"on-request","reviewer":"auto_review"`},
		"grants":   {`"grants":"none"`, `"grants":"session"`},
		"a rule that a grant does not answer": {rules(`{"when":{"server":"git","kind":"confirm"},"then":"ask"}`),
			rules(``)},
		"findings": {`"findings":{"decline":"medium"}`, `"findings":{"decline":"high"}`},
		"what is not known": {
			`"unknown":"decline","rules":[{"when":{"does":"patch","path":"/s"},"then":"decline"}]`,
			`"rules":[{"when":{"does":"patch","path":"/s"},"then":"decline"}]`,
		},
		"a command not known": {rules(`{"when":{"command":"rm *"},"then":"decline"}`), rules(``)},
		"withheld":            {`"withhold":["ssn","pin"]`, `"withhold":"ssn"`},
		"a kind": {
			rules(`{"when":{"kind":["form","url"]},"then":"decline"}`),
			rules(`{"when":{"kind":"url"},"then":"decline"}`),
		},
		"outside": {
			rules(`{"when":{"does":"command","outside":true},"then":"decline"}`),
			rules(`{"when":{"does":"command","outside":true,"dangerous":true},"then":"decline"}`),
		},
		"a directory": {
			rules(`{"when":{"does":"tool","cwd":["/s","/t"]},"then":"decline"}`),
			rules(`{"when":{"does":"tool","cwd":"/s"},"then":"decline"}`),
		},
		"an order": {
			rules(`{"when":{"server":"a*"},"then":"decline"},{"when":{"server":"*b","kind":"confirm"},"then":"accept"}`),
			rules(`{"when":{"server":"*b","kind":"confirm"},"then":"accept"},{"when":{"server":"a*"},"then":"decline"}`),
		},
		"an impact": {
			rules(`{"when":{"writes":["/s/a","/s/b"]},"then":"decline"}`),
			rules(`{"when":{"writes":"/s/a"},"then":"decline"}`),
		},
		"an impact to accept": {
			rules(`{"when":{"runs":"ls","reads":"/s/a"},"then":"accept"}`),
			rules(`{"when":{"runs":["ls","cat"],"reads":"/s/a"},"then":"accept"}`),
		},
		"a program to decline": {
			rules(`{"when":{"runs":["rm","dd"]},"then":"decline"}`),
			rules(`{"when":{"runs":"rm"},"then":"decline"}`),
		},
		"a command to accept": {
			rules(`{"when":{"command":"git status"},"then":"accept"}`),
			rules(`{"when":{"command":"git s*"},"then":"accept"}`),
		},
		"a command with more words": {
			rules(`{"when":{"command":"git status*"},"then":"accept"}`),
			rules(`{"when":{"command":"git *"},"then":"accept"}`),
		},
		"a deed with a page":        {rules(`{"when":{"does":"tool","mode":"url"},"then":"decline"}`), rules(``)},
		"a deed with a form":        {rules(`{"when":{"does":"patch","field":"x"},"then":"decline"}`), rules(``)},
		"a command of another deed": {rules(`{"when":{"does":"patch","command":"rm *"},"then":"decline"}`), rules(``)},
		"a host of two that are reached": {
			rules(`{"when":{"does":"tool","host":"a*"},"then":"accept"}`),
			rules(`{"when":{"does":"tool","host":["a*","b*"]},"unless":{"host":"*c"},"then":"accept"},
				{"when":{"does":"tool","host":"a*"},"then":"accept"}`),
		},
		"redirections alone": {rules(``), rules(`{"when":{"writes":"/s/*"},"then":"accept"}`)},
		"fetches alone":      {rules(``), rules(`{"when":{"fetches":"a.x"},"then":"accept"}`)},
		"connections alone":  {rules(``), rules(`{"when":{"sends":"a.x","fetches":"a.x"},"then":"accept"}`)},
		"a side":             {rules(`{"when":{"side":"asking"},"then":"decline"}`), rules(``)},
		"a field": {
			rules(`{"when":{"field":["pin","p?n"]},"then":"decline"}`),
			rules(`{"when":{"field":"pin"},"then":"decline"}`),
		},
		"a scheme": {
			rules(`{"when":{"scheme":["http","ftp"]},"then":"decline"}`),
			rules(`{"when":{"scheme":"http"},"then":"decline"}`),
		},
	} {
		a, b := stackFrom(t, "", c[0]), stackFrom(t, "", c[1])
		if got := compare.Stacks(a, b); got.Verdict != compare.Loosens {
			t.Errorf("%s: %v %s", name, got.Verdict, got.Why)
		}
		switch name {
		case "an exception of an accept", "a property of a tool", "reviewer":
			continue // an accept that counts as ask is stricter than a review, and a reviewer gets no malformed claim
		}
		if got := compare.Stacks(b, a); got.Verdict != compare.Tightens {
			t.Errorf("%s, back: %v %s %s %v %v", name, got.Verdict, got.Why, got.Setting, got.Facts, got.Before)
		}
	}
}

// TestNoTextAtAll has rules in another layer that match sessions that fetched from somewhere. Most sessions did not.
func TestNoTextAtAll(t *testing.T) {
	fetched := `"rules":[{"when":{"fetched_from":"a."},"then":"ask"},
		{"when":{"fetched_from":"**"},"then":"cancel"}]`
	accepts, asks := `"rules":[{"when":{},"then":"accept"}]`, `"rules":[{"when":{"cwd":"?/s"},"then":"ask"}]`
	a, b := stackFrom(t, "", accepts, asks, fetched), stackFrom(t, "", accepts, "", fetched)
	if got := compare.Stacks(a, b); got.Verdict != compare.Loosens {
		t.Errorf("%v %s", got.Verdict, got.Why)
	}
}

// TestSameMeaning has changes that mean nothing. Both ways only tighten.
func TestSameMeaning(t *testing.T) {
	for name, c := range map[string][2][]string{
		"names": {
			{"", `"rules":[{"name":"a","when":{"server":"x"},"then":"accept"}]`},
			{"", `"rules":[{"name":"b","when":{"server":"x"},"then":"accept","why":"so"}]`},
		},
		"split": {
			{"", `"rules":[{"when":{"server":["x","y"],"tool":"t"},"then":"accept"}]`},
			{"", `"rules":[{"when":{"server":"y","tool":"t"},"then":"accept"},
				{"when":{"server":"x","tool":"t"},"then":"accept"}]`},
		},
		"split messages": {
			{"", `"rules":[{"when":{"message":["*a*","b*"]},"then":"decline"}]`},
			{"", `"rules":[{"when":{"message":"*a*"},"then":"decline"},{"when":{"message":"b*"},"then":"decline"}]`},
		},
		"apart": {
			{"", `"rules":[{"when":{"server":"x"},"then":"accept"},{"when":{"server":"y"},"then":"decline"}]`},
			{"", `"rules":[{"when":{"server":"y"},"then":"decline"},{"when":{"server":"x"},"then":"accept"}]`},
		},
		"exception": {
			{"", `"rules":[{"when":{"server":"*"},"unless":{"server":"x"},"then":"decline"}]`},
			{"", `"rules":[{"when":{"server":["?","??*",""]},"unless":{"server":"x"},"then":"decline"}]`},
		},
		"sets": {
			{"", `"rules":[{"when":{"tool":"[ab]*"},"then":"decline"}]`},
			{"", `"rules":[{"when":{"tool":["b*","a*"]},"then":"decline"}]`},
		},
		"shadowed": {
			{"", `"rules":[{"when":{"host":"*.x"},"then":"decline"}]`},
			{"", `"rules":[{"when":{"host":"*.x"},"then":"decline"},{"when":{"host":"a.x"},"then":"accept"}]`},
		},
		"layers": {
			{`"rules":[{"when":{"server":"x"},"then":"decline"}]`,
				`"approval_policy":"on-request"`},
			{`"rules":[{"when":{"server":"x"},"then":"decline"}]`,
				`"approval_policy":"on-request","rules":[{"when":{"server":"x"},"then":"accept"}]`},
		},
		"too few kinds of impacts": {
			{"", `"rules":[{"when":{"deletes":"*"},"then":"accept"},{"when":{"sends":"*.x"},"then":"accept"}]`},
			{"", `"rules":[{"when":{"publishes":"git"},"then":"accept"}]`},
		},
		"every line": {
			{"", `"rules":[{"when":{"command":["a","*"]},"then":"decline"}]`},
			{"", `"rules":[{"when":{"command":"*"},"then":"decline"},{"when":{"command":"b"},"then":"accept"}]`},
		},
		"hosts together": {
			{"", `"rules":[{"when":{"does":"tool","host":"a*"},"unless":{"host":"*b"},"then":"accept"}]`},
			{"", `"rules":[{"when":{"does":"tool","host":"a*"},"unless":{"host":["*b","c"]},"then":"accept"}]`},
		},
		"labels": {
			{"", `"rules":[{"when":{"fetched_from":"a.x"},"then":"decline"},{"when":{"label":"fetched"},"then":"ask"}]`},
			{"", `"rules":[{"when":{"fetched_from":"A.X."},"then":"decline"},{"when":{"label":"fetched"},"then":"ask"}]`},
		},
		"spelled hosts": {
			{"", `"rules":[{"when":{"host":"xn--bcher-kva.x"},"then":"decline"}]`},
			{"", `"rules":[{"when":{"host":"B\u00fccher.x."},"then":"decline"}]`},
		},
	} {
		a, b := stackFrom(t, c[0]...), stackFrom(t, c[1]...)
		for _, got := range []compare.Result{compare.Stacks(a, b), compare.Stacks(b, a)} {
			if got.Verdict != compare.Tightens {
				t.Errorf("%s: %v %s %s %v", name, got.Verdict, got.Why, got.Setting, got.Facts)
			}
		}
	}
}

// TestSettingsOfAgents has a stack that accepts all, and an administrator who then lets even settings of agents change.
func TestSettingsOfAgents(t *testing.T) {
	all := `"rules":[{"when":{},"then":"accept"}]`
	got := compare.Stacks(stackFrom(t, "", all), stackFrom(t, all, all))
	if got.Verdict != compare.Loosens || got.Before.Outcome != policy.Ask || got.After.Outcome != policy.Accept {
		t.Errorf("%+v", got)
	}
}

func file(t testing.TB, l policy.Layer, rules ...string) *policy.Policy {
	t.Helper()
	text := `{"version":1,"approval_policy":"on-request","rules":[` + strings.Join(rules, ",") + `]}`
	p, problems := policy.Parse(l, []byte(text))
	if problems != nil {
		t.Fatalf("%s: %+v", text, problems)
	}
	return p
}

// TestHundredRules compares layers of a hundred rules. The number of decisions is bounded.
func TestHundredRules(t *testing.T) {
	var rules []string
	for i := range 100 {
		rules = append(rules, fmt.Sprintf(`{"when":{"server":"server-%[1]d","tool":"tool-%[1]d*"},"then":"accept"}`, i))
	}
	managed := file(t, policy.Managed, rules[:50]...)
	before := policy.NewStack(managed, file(t, policy.User, rules...))
	more := slices.Insert(slices.Clone(rules), 40, `{"when":{"server":"s*","tool":"tool-5"},"then":"decline"}`)
	for name, c := range map[string]struct {
		rules []string
		want  compare.Verdict
	}{
		"the same": {rules, compare.Tightens}, "one more": {more, compare.Tightens},
		"one less": {slices.Delete(slices.Clone(rules), 53, 54), compare.Loosens},
	} {
		got := compare.Stacks(before, policy.NewStack(managed, file(t, policy.User, c.rules...)))
		if got.Verdict != c.want || got.Runs > 20_000 {
			t.Errorf("%s: %+v", name, got)
		}
		t.Logf("%s: %d decisions", name, got.Runs)
	}
}

// ordinary writes the rules of a large organization: servers and tools, programs, hosts, places, texts and labels.
func ordinary(layer int) (rules []string) {
	for i := range 100 {
		n := 100*layer + i
		rules = append(rules, fmt.Sprintf([]string{
			`{"when":{"server":"server-%[1]d","tool":["read_*","list-%[1]d"],"read_only":true},"then":"accept"}`,
			`{"when":{"command":["tool%[1]d *","git sub%[1]d*"]},"then":"accept"}`,
			`{"when":{"runs":"prog%[1]d","reads":"./*","writes":"./out%[1]d/*"},"then":"accept"}`,
			`{"when":{"writes":["/srv/%[1]d/*","~/.config/app%[1]d/*"]},"then":"decline"}`,
			`{"when":{"host":["*.h%[1]d.example","h%[1]d.example"],"scheme":"https"},"then":"ask"}`,
			`{"when":{"sends":"*.h%[1]d.example","label":"read_secret"},"then":"decline"}`,
			`{"when":{"does":"patch","path":["/repo/%[1]d/*.md","/repo/%[1]d/docs/*"]},"then":"accept"}`,
			`{"when":{"message":"*pay%[1]d*"},"unless":{"server":"bank-%[1]d"},"then":"decline"}`,
			`{"when":{"field":["pin%[1]d","*token%[1]d"],"sensitive":true},"then":"decline"}`,
			`{"when":{"cwd":"/srv/%[1]d/*","runs":"make*","executes":"project"},"then":"ask"}`,
		}[i%10], n))
	}
	return rules
}

// hundreds are three layers of a hundred rules, with a change of the second one.
func hundreds(t testing.TB, change func([]string) []string) policy.Stack {
	var list []*policy.Policy
	for layer := range 3 {
		rules := ordinary(layer)
		if layer == 1 {
			rules = change(rules)
		}
		list = append(list, file(t, policy.Layers()[layer], rules...))
	}
	return policy.NewStack(list...)
}

var hundredChanges = []struct {
	name   string
	change func([]string) []string
	want   compare.Verdict
}{
	{"removed", func(r []string) []string { return slices.Delete(r, 53, 54) }, compare.Loosens},
	{"declines", func(r []string) []string {
		return slices.Insert(r, 0, `{"when":{"command":"rm *"},"then":"decline"}`)
	}, compare.Tightens},
	{"accepts less", func(r []string) []string {
		r[1] = `{"when":{"command":"git sub101*"},"then":"accept"}`
		return r
	}, compare.Tightens},
	{"accepts more", func(r []string) []string {
		r[1] = `{"when":{"command":["tool101 *","git sub101*","git x *"]},"then":"accept"}`
		return r
	}, compare.Loosens},
}

// TestOrdinaryRules finds the request that three hundred rules decide more loosely without one of them.
func TestOrdinaryRules(t *testing.T) {
	same := hundreds(t, func(r []string) []string { return r })
	for _, c := range hundredChanges[:1] {
		if got := compare.Stacks(same, hundreds(t, c.change)); got.Verdict != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func BenchmarkOrdinaryRules(b *testing.B) {
	same := hundreds(b, func(r []string) []string { return r })
	for _, c := range hundredChanges {
		after := hundreds(b, c.change)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if got := compare.Stacks(same, after); got.Verdict != c.want {
					b.Fatalf("%+v", got)
				}
			}
		})
	}
}
