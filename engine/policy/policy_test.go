package policy

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/must"
)

func parse(t testing.TB, layer Layer, doc string) *Policy {
	t.Helper()
	p, problems := Parse(layer, []byte(doc))
	if len(problems) > 0 {
		t.Fatalf("Parse(%s): %v", doc, problems)
	}
	return p
}

func confirm() *Facts { return &Facts{Mode: elicit.Form, Kind: elicit.KindConfirm, Server: "build"} }

func codes(d Decision) (list []string) {
	for _, r := range d.Reasons {
		list = append(list, r.Code)
	}
	return list
}

func TestZeroStackAsks(t *testing.T) {
	d := Stack{}.Decide(&Facts{})
	if d.Outcome != Ask || d.By() != 0 || len(d.Reasons) != 1 || d.Reasons[0].Layer != "builtin" {
		t.Errorf("got %+v, want ask by the built-in layer", d)
	}
}

func TestPolicyLimitsFailClosed(t *testing.T) {
	rule := `{"when":{},"then":"accept"},`
	many := `{"version":1,"rules":[` + strings.TrimSuffix(strings.Repeat(rule, MaxRules+1), ",") + `]}`
	p, problems := Parse(User, []byte(many))
	if len(problems) != 1 || problems[0].Code != "policy_too_many_rules" || problems[0].Pointer != "/rules/500" {
		t.Errorf("rules: got problems %v", problems)
	}
	if d := NewStack(p).Decide(confirm()); d.Outcome != Ask {
		t.Errorf("rules: got %v, want ask", d.Outcome)
	}
	globs := `{"version":1,"rules":[{"when":{"server":["build"` + strings.Repeat(`,"x"`, MaxGlobs) +
		`]},"then":"accept"}]}`
	p, problems = Parse(User, []byte(globs))
	if len(problems) != 1 || problems[0].Code != "policy_too_many_globs" {
		t.Errorf("globs: got problems %v", problems)
	}
	if d := NewStack(p).Decide(confirm()); d.Outcome != Ask {
		t.Errorf("globs: got %v, want ask", d.Outcome)
	}
	scanning := `{"version":1,"rules":[{"when":{"message":["*"` + strings.Repeat(`,"a*b"`, MaxMessageGlobs+1) +
		`]},"then":"accept"}]}`
	p, problems = Parse(User, []byte(scanning))
	if len(problems) != 1 || problems[0].Code != "policy_too_many_globs" ||
		problems[0].Pointer != "/rules/0/when/message/101" {
		t.Errorf("message globs: got problems %v", problems)
	}
	if d := NewStack(p).Decide(confirm()); d.Outcome != Ask {
		t.Errorf("message globs: got %v, want ask", d.Outcome)
	}
}

// TestPolicyLimitsAreMet: a policy may have as many rules and patterns as the limits say. One pattern more in the list
// of withheld fields withholds all of them.
func TestPolicyLimitsAreMet(t *testing.T) {
	rules := strings.Repeat(`{"when":{},"then":"accept"},`, MaxRules-1) + `{"when":{"server":["build"` +
		strings.Repeat(`,"x"`, MaxGlobs-1) + `]},"then":"accept"}`
	parse(t, User, `{"version":1,"rules":[`+rules+`]}`)
	fields := `{"version":1,"withhold":["x"` + strings.Repeat(`,"x"`, MaxGlobs-1)
	if parse(t, User, fields+`]}`); NewStack(parse(t, User, fields+`]}`)).Withholds("shop", "color") {
		t.Error("a field is withheld that no pattern names")
	}
	p, problems := Parse(User, []byte(fields+`,"y"]}`))
	if len(problems) != 1 || problems[0].Code != "policy_too_many_globs" || !NewStack(p).Withholds("shop", "color") {
		t.Errorf("one pattern more: %v", problems)
	}
}

// TestStackLooksAtLabels: one rule of any layer about labels is enough for an engine to keep them.
func TestStackLooksAtLabels(t *testing.T) {
	none := parse(t, Project, `{"version":1,"rules":[{"when":{"server":"build"},"then":"ask"}]}`)
	for about, want := range map[string]bool{"label": true, "fetched_from": true, "tool": false} {
		s := NewStack(parse(t, User, `{"version":1,"rules":[{"when":{"`+about+`":"fetched"},"then":"ask"}]}`), none)
		if s.LooksAtLabels() != want {
			t.Errorf("%s: %v", about, !want)
		}
	}
}

// TestTightenSaysWhoLetsPass: a layer that lets critical findings pass is named where they would decline.
func TestTightenSaysWhoLetsPass(t *testing.T) {
	s := NewStack(parse(t, User, `{"version":1,"findings":{"decline":"never"}}`))
	found := []elicit.Finding{{Code: "a", Severity: elicit.Critical}}
	d := s.Tighten(Decision{Outcome: Accept}, found)
	if !slices.Equal(codes(d), []string{"layer_mattered"}) || !d.Since3() {
		t.Errorf("accepted: %v, since format 3: %v", codes(d), d.Since3())
	}
	if d := s.Tighten(Decision{Outcome: Decline}, found); len(d.Reasons) != 0 {
		t.Errorf("declined: %v", codes(d))
	}
}

func TestExplainMarksWhatDecided(t *testing.T) {
	s := NewStack(parse(t, User, `{"version":1,"rules":[{"name":"ci","when":{"server":"build"},"then":"accept",`+
		`"why":"we \"trust\" it"}]}`),
		parse(t, Project, `{"version":1,"rules":[{"when":{},"then":"ask"}]}`))
	got := Explain(s.Decide(confirm()), english.Reason)
	want := []string{`  user rule ci: it matches and says accept: we "trust" it`,
		`* project rule #1: it matches and says ask`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestEveryReasonHasEnglish(t *testing.T) {
	for _, code := range ReasonCodes() {
		if line := english.Reason(elicit.Reason{Code: code}); line == strings.ReplaceAll(code, "_", " ") {
			t.Errorf("reason %s has no English", code)
		}
	}
}

// TestDeterminingHasEachReason checks that no reason is missing that alone would give the outcome.
func TestDeterminingHasEachReason(t *testing.T) {
	accept, ask := `"rules":[{"when":{},"then":"accept"}]`, `"rules":[{"when":{},"then":"ask"}]`
	command := &Facts{Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval,
		Does: elicit.DeedCommand, Command: "rm ~/.codex/config.toml"}
	high := elicit.Finding{Code: "a", Severity: elicit.High}
	for about, c := range map[string]struct {
		policies map[Layer]string
		facts    *Facts
		findings []elicit.Finding
		want     []int
	}{
		"a wish and its effect":   {map[Layer]string{Project: accept}, confirm(), nil, []int{0, 1}},
		"a wish alone":            {map[Layer]string{Project: ask}, confirm(), nil, []int{0}},
		"a rule and the settings": {map[Layer]string{User: ask}, command, nil, []int{0, 1}},
		"a rule that is stricter": {map[Layer]string{User: `"rules":[{"when":{},"then":"cancel"}]`}, command, nil, []int{0}},
		"two layers that bar": {map[Layer]string{Managed: accept, User: `"approval_policy":"never"`,
			Project: `"approval_policy":"never"`, Session: ask}, confirm(), nil, []int{1, 2}},
		"a layer that bars what another asked": {map[Layer]string{Managed: accept,
			User: `"approval_policy":"never","access":"full"`, Project: `"access":"sandboxed"`, Session: ask}, confirm(), nil,
			[]int{1}},
		"two findings": {map[Layer]string{User: `"findings":{"decline":"high"}`}, confirm(), []elicit.Finding{high, high},
			[]int{1, 2}},
	} {
		var policies []*Policy
		for layer, text := range c.policies {
			policies = append(policies, parse(t, layer, `{"version":1,`+text+`}`))
		}
		s := NewStack(policies...)
		d := s.Decide(c.facts)
		if d = s.Tighten(d, c.findings); !slices.Equal(d.Determining, c.want) {
			t.Errorf("%s: got %v of %v, want %v", about, d.Determining, codes(d), c.want)
		}
	}
}

func TestTightenKeepsTheDecisionGiven(t *testing.T) {
	s := NewStack(parse(t, User, `{"version":1,"findings":{"decline":"high"}}`),
		parse(t, Project, `{"version":1,"findings":{"decline":"never"}}`))
	d := s.Decide(confirm())
	tight := s.Tighten(d, []elicit.Finding{{Code: "a", Severity: elicit.Medium}, {Code: "b", Severity: elicit.High}})
	if d.Outcome != Ask || len(d.Reasons) != 1 {
		t.Errorf("the decision given was changed: %+v", d)
	}
	if want := []string{"approval_policy_asks", "finding_declined"}; tight.Outcome != Decline || tight.By() != 1 ||
		!slices.Equal(codes(tight), want) {
		t.Errorf("got %v by %d %v, want decline by 1 %v", tight.Outcome, tight.By(), codes(tight), want)
	}
	if d := s.Tighten(d, []elicit.Finding{{Code: "a", Severity: elicit.Medium}}); d.Outcome != Ask {
		t.Errorf("medium: got %v, want ask", d.Outcome)
	}
	if d := (Stack{}).Tighten(d, []elicit.Finding{{Code: "a", Severity: "novel"}}); d.Outcome != Decline {
		t.Errorf("unknown severity: got %v, want decline", d.Outcome)
	}
}

// TestManualExamples checks that the files in the manual are complete and valid.
func TestManualExamples(t *testing.T) {
	manual := must.Read(t, "../../docs/reference/policy.md")
	for _, doc := range documented(t) {
		parse(t, User, doc)
	}
	for _, code := range ReasonCodes() {
		if !strings.Contains(string(manual), "`"+code+"`") {
			t.Errorf("the manual does not name reason %s", code)
		}
	}
}

func TestTooManyServersFailClosed(t *testing.T) {
	var doc strings.Builder
	doc.WriteString(`{"version":1,"servers":{"build":{"approvals":"approve"}`)
	for i := range MaxServers {
		doc.WriteString(`,"s` + strconv.Itoa(i) + `":{}`)
	}
	p, problems := Parse(User, []byte(doc.String()+`}}`))
	if len(problems) != 1 || problems[0].Code != "policy_too_many_servers" || problems[0].Pointer != "/servers/s1999" {
		t.Errorf("got problems %v", problems)
	}
	f := &Facts{Mode: elicit.Form, Kind: elicit.KindApproval, Claim: elicit.ClaimApproval, Server: "build", Tool: "t"}
	if d := NewStack(p).Decide(f); d.Outcome != Ask {
		t.Errorf("got %v, want ask", d.Outcome)
	}
}

// TestStrictestLayerHolds: of two layers the stricter holds, and one that cannot be read is the strictest.
func TestStrictestLayerHolds(t *testing.T) {
	for key, words := range map[string][]string{"grants": {"none", "session", "always"},
		"suggestions": {"none", "tool", "server"}, "secrets": {"refuse", "confirm", "note"},
		"on_guardian_failure": {"deny", "ask"}} {
		of := func(s Stack) int {
			return map[string]int{"grants": int(s.Grants()), "suggestions": int(s.Suggestions()),
				"secrets": int(s.Secrets()), "on_guardian_failure": int(s.GuardianFailure())}[key]
		}
		layer := func(l Layer, word string) *Policy { return parse(t, l, `{"version":1,"`+key+`":"`+word+`"}`) }
		for i, one := range words {
			for j, two := range words {
				if got := of(NewStack(layer(Managed, one), layer(User, two))); got != 1+min(i, j) {
					t.Errorf("%s %s and %s: %d", key, one, two, got)
				}
			}
			broken, _ := Parse(User, []byte(`{"version":1,`))
			if got := of(NewStack(layer(Managed, one), broken)); got != 1 {
				t.Errorf("%s %s beside a file that cannot be read: %d", key, one, got)
			}
		}
	}
}

// TestProjectGrantsSession: always means session in the file of a project.
func TestProjectGrantsSession(t *testing.T) {
	always := `{"version":1,"grants":"always"}`
	if got := NewStack(parse(t, User, always), parse(t, Project, always)).Grants(); got != GrantsSession {
		t.Errorf("got %v", got)
	}
}

// TestOwnSurface: the lowest threshold of all layers holds, and the most severe finding that reaches it is told.
func TestOwnSurface(t *testing.T) {
	found := []elicit.Finding{{Severity: elicit.Low}, {Severity: elicit.Medium}, {Severity: elicit.High},
		{Severity: elicit.Medium}}
	for words, want := range map[[2]string]elicit.Severity{{"critical", "never"}: "", {"high", "never"}: elicit.High,
		{"never", "medium"}: elicit.High, {"critical", "medium"}: elicit.High, {"medium", "critical"}: elicit.High,
		{"never", "never"}: ""} {
		s := NewStack(parse(t, Managed, `{"version":1,"own_surface":"`+words[0]+`"}`),
			parse(t, User, `{"version":1,"own_surface":"`+words[1]+`"}`))
		if got := s.OwnSurface(found); got != want {
			t.Errorf("%v: %q, want %q", words, got, want)
		}
	}
}
