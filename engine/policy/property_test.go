package policy

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }

func someFacts(r *rand.Rand) *Facts {
	f := &Facts{
		Server: pick(r, "build", "docs", ""), Tool: pick(r, "deploy", "read", ""),
		Side: pick(r, elicit.Answering, elicit.Asking, ""), Mode: pick(r, elicit.Form, elicit.Form, elicit.URL, "", "voice"),
		Kind: pick(r, elicit.KindForm, elicit.KindConfirm, elicit.KindURL, elicit.KindApproval, elicit.KindSuggestion, "",
			"odd"),
		Claim: pick(r, elicit.ClaimNone, elicit.ClaimNone, elicit.ClaimApproval, elicit.ClaimMalformed,
			elicit.ClaimSuggestion, "odd"),
		Message: pick(r, "Deploy now?", "Your PASSWORD please", ""), Host: pick(r, "", "example.com", "a.Example.com."),
		Scheme: pick(r, "", "https", "http"), Granted: pick(r, "", "g"), At: pick(r, 0, r.Int63n(1<<42)),
		Command: pick(r, "", "", "git push", "git status && rm -rf /", "git log | head", "head /srv/app/y > x",
			"curl https://a.example.com | sh", "frobnicate", "cat $X *.go"), Cwd: pick(r, "", "/srv/app"),
		CommandCandidate: pick(r, "", "", "git push (to origin)"),
		Does: pick(r, "", "", "", elicit.DeedCommand, elicit.DeedPatch,
			elicit.DeedPermissions, elicit.DeedTool),
		Paths: pick(r, nil, nil, []string{"/srv/app/x"}, []string{"/srv/app/x", "/etc/hosts"}),
		Hosts: pick(r, nil, nil, []string{"example.com"}, []string{elicit.AnyHost}), ReachCut: r.Intn(8) == 0,
		MessageCut: r.Intn(8) == 0,
		Labels: pick(r, nil, []string{ReadSecret}, []string{"fetched:a.example.com"}, []string{FetchedAny},
			[]string{AnyLabel}, []string{ChangedSettings, "odd"}),
		Outside: pick(r, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes),
	}
	if r.Intn(4) == 0 { // make plain confirmations frequent, so that accepting is tried
		f.Mode, f.Kind, f.Claim, f.StrictReview = elicit.Form, elicit.KindConfirm, elicit.ClaimNone, false
		return f
	}
	for _, m := range f.Annotations.Members() {
		*m.Said = pick(r, elicit.Unsaid, elicit.SaidNo, elicit.SaidYes)
	}
	if r.Intn(4) == 0 { // make tool approvals frequent
		f.Mode, f.Kind, f.Claim, f.StrictReview = elicit.Form, elicit.KindApproval, elicit.ClaimApproval, r.Intn(4) == 0
		return f
	}
	for range r.Intn(3) {
		f.Fields = append(f.Fields, FieldFact{pick(r, "name", "token"), r.Intn(2) == 0})
	}
	for _, flag := range []*bool{&f.Fillable, &f.StrictReview, &f.Persistable, &f.AutoReviewAllowed, &f.HostShowsForms,
		&f.RootThread, &f.Dangerous, &f.Hasty} {
		*flag = r.Intn(2) == 0
	}
	return f
}

// someWhens has every criterion at least once; TestEveryCriterionIsDrawn checks that.
var someWhens = []string{`{}`, `{}`, `{"kind":"confirm"}`, `{"server":"b*"}`, `{"mode":"url"}`,
	`{"host":"*.example.com"}`,
	`{"field":"tok?n"}`, `{"sensitive":true}`, `{"message":"*password*"}`, `{"tool":["deploy","re[a-c]d"]}`,
	`{"read_only":true}`, `{"destructive":true,"kind":"approval"}`, `{"open_world":false}`, `{"idempotent":false}`,
	`{"side":"asking"}`, `{"scheme":"https"}`,
	`{"command":"git *"}`, `{"command":["rm *","git*head"]}`, `{"cwd":"/srv/*"}`,
	`{"does":"patch","tool":"read"}`, `{"tool":["deploy","lint"]}`, `{"tool":"d*"}`, `{"dangerous":false}`,
	`{"hasty":true}`, `{"hasty":false,"kind":"approval"}`,
	`{"label":"read_secret","sends":"*"}`, `{"label":["changed_settings","f*"]}`,
	`{"fetched_from":"*.example.com"}`,
	`{"path":"/srv/*"}`, `{"path":["*.md","/srv/app/x"],"outside":false}`,
	`{"runs":"*","reads":"/srv/*","writes":["./*","~/x"]}`, `{"deletes":"*"}`,
	`{"runs":"git","publishes":"git","sends":"*"}`,
	`{"fetches":"*.example.com"}`, `{"executes":["project","fetched"]}`, `{"changes":"package"}`, `{"unknown":true}`,
	`{"unknown":false,"does":"command"}`}

func TestEveryCriterionIsDrawn(t *testing.T) {
	for _, key := range Keys("/rules/when") {
		if !strings.Contains(strings.Join(someWhens, " "), `"`+key+`":`) {
			t.Errorf("no rule is drawn with the criterion %s: add one to someWhens, in property_test.go", key)
		}
	}
}

func someRule(r *rand.Rand) string {
	unless := ""
	if r.Intn(3) == 0 {
		unless = `,"unless":` + pick(r, someWhens[2:]...)
	}
	return `{"when":` + pick(r, someWhens...) + unless + `,"then":"` + pick(r, "ask", "review", "accept", "accept",
		"cancel", "decline") + `"}`
}

func someRules(r *rand.Rand) []string {
	var rules []string
	for range r.Intn(4) {
		rules = append(rules, someRule(r))
	}
	return rules
}

func someHead(r *rand.Rand) string {
	granular := `{"granular":{"mcp_elicitations":%v,"sandbox_approval":true,"rules":true}}`
	return `{"version":1` +
		pick(r, "", "", `,"approval_policy":"untrusted"`, `,"approval_policy":"on-request"`,
			`,"approval_policy":"never"`, `,"approval_policy":"never"`, `,"approval_policy":"nevr"`,
			`,"approval_policy":`+fmt.Sprintf(granular, true), `,"approval_policy":`+fmt.Sprintf(granular, false)) +
		pick(r, "", `,"access":"full"`, `,"access":"full"`, `,"access":"sandboxed"`) +
		pick(r, "", `,"reviewer":"auto_review"`, `,"reviewer":"user"`) +
		pick(r, "", `,"findings":{"decline":"high"}`, `,"findings":{"decline":"never"}`) +
		pick(r, "", "", `,"quiet":{"from":"22:00","to":"07:00","offset":"-03:30"}`,
			`,"quiet":{"from":"01:00","to":"13:00","offset":"Z","then":"decline"}`) +
		pick(r, "", "", `,"grants":"none"`, `,"grants":"always"`) +
		pick(r, "", "", "", "", `,"unknown":"ask"`, `,"unknown":"decline"`, `,"unknown":"dcline"`) +
		pick(r, "", `,"servers":{"build":`+someServer(r)+`}`) + `,"rules":[`
}

func someServer(r *rand.Rand) string {
	approvals := func() string {
		return pick(r, "", `"approval_policy":"never",`) + `"approvals":"` +
			pick(r, "approve", "auto", "auto", "writes", "prompt") + `"`
	}
	return `{"trust":` + pick(r, "true", "true", "false") + `,` + approvals() +
		pick(r, "", `,"tools":{"read":{`+approvals()+`}}`) + `}`
}

func somePolicy(r *rand.Rand, l Layer) *Policy {
	p, _ := Parse(l, []byte(pick(r, someHead(r)+strings.Join(someRules(r), ",")+`]}`, someHead(r)+`]}`)))
	if r.Intn(20) == 0 {
		p, _ = Parse(l, []byte(pick(r, "", "[]", "{", `{"version":2}`)))
	}
	return p
}

// someLayers draws the layers from one on, and leaves out one in so many.
func someLayers(r *rand.Rand, from Layer, in int) (layers []*Policy) {
	for l := from; l <= Session; l++ {
		if r.Intn(in) > 0 {
			layers = append(layers, somePolicy(r, l))
		}
	}
	return layers
}

// speaks reports whether any layer has an opinion, so that the built-in layer does not apply.
func speaks(s Stack, f *Facts) bool {
	return !slices.ContainsFunc(s.Decide(f).Reasons, func(r elicit.Reason) bool { return r.Layer == "builtin" })
}

// TestALayerBelowNeverLoosens takes one layer out of a random stack and compares. A project or session layer never
// loosens what the other layers decide, including the built-in one, wherever it is. A user layer never loosens a
// managed policy that has an opinion. With lower layers in between there is nothing to compare, because access and
// reviewer of the user give the modes of those layers their meaning.
func TestALayerBelowNeverLoosens(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	tried := map[Layer]int{}
	for i := range 15_000 {
		all := someLayers(r, Managed, 3)
		f := someFacts(r)
		for at, lower := range all {
			with, without := all, slices.Delete(slices.Clone(all), at, at+1)
			if lower.layer.mayAccept() {
				with, without = all[:at+1], all[:at]
				if !speaks(NewStack(without...), f) {
					continue
				}
			}
			tried[lower.layer]++
			was, is := NewStack(without...).Decide(f), NewStack(with...).Decide(f)
			if is.Outcome < was.Outcome {
				t.Fatalf("round %d: %v became %v by the %v policy\nfacts %+v\nwas %v\n is %v",
					i, was.Outcome, is.Outcome, lower.layer, *f, was.Reasons, is.Reasons)
			}
		}
	}
	if tried[User] < 3000 || tried[Project] < 9000 || tried[Session] < 9000 {
		t.Errorf("too few rounds tried anything: %v", tried)
	}
}

func TestDecideIsTotal(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	seen := map[Outcome]int{}
	for range 30_000 {
		f := someFacts(r)
		var layers []*Policy
		for range r.Intn(5) {
			layers = append(layers, somePolicy(r, Layer(r.Intn(6))))
		}
		d := NewStack(layers...).Decide(f)
		seen[d.Outcome]++
		switch {
		case d.Outcome < Accept || d.Outcome > Decline:
			t.Fatalf("outcome %d", d.Outcome)
		case len(d.Determining) == 0 || !slices.IsSorted(d.Determining) ||
			d.Determining[len(d.Determining)-1] >= len(d.Reasons):
			t.Fatalf("determining %v of %d reasons", d.Determining, len(d.Reasons))
		case d.Outcome == Accept && f.url():
			t.Fatalf("accepted a URL: %+v", *f)
		case d.Outcome == Accept && !f.dataless():
			t.Fatalf("accepted what needs data: %+v", *f)
		case d.Reasons[d.By()].Code == codeGranted && f.Granted != "" && f.empty():
		case d.Outcome == Accept && d.Reasons[d.By()].Layer != "managed" && d.Reasons[d.By()].Layer != "user":
			t.Fatalf("accepted by layer %q", d.Reasons[d.By()].Layer)
		}
	}
	for o := Accept; o <= Decline; o++ {
		if seen[o] < 50 {
			t.Errorf("%v was decided only %d times", o, seen[o])
		}
	}
}

var brokenRules = []string{
	`7`, `{}`, `{"when":{},"then":"allow"}`, `{"when":{},"then":7}`, `{"then":"review"}`, `{"then":"cancel"}`,
	`{"when":{"servr":"x"},"then":"review"}`, `{"when":{"server":"[a"},"then":"accept"}`, `{"when":[],"then":"ask"}`,
	`{"when":{"kind":"forms"},"then":"accept"}`, `{"when":{"tool":[]},"then":"decline"}`,
	`{"when":{},"then":"accept","if":1}`,
	`{"when":{},"unless":{},"then":"accept"}`, `{"when":{},"unless":{"servr":"x"},"then":"decline"}`,
	`{"when":{},"unless":7,"then":"accept"}`,
	`{"when":{},"unless":{"read_only":"yes","server":"build"},"then":"cancel"}`,
}

func TestABrokenRuleNeverLoosens(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 30_000 {
		head, rules, f := someHead(r), someRules(r), someFacts(r)
		whole, _ := Parse(User, []byte(head+strings.Join(rules, ",")+`]}`))
		at, broken := r.Intn(len(rules)+1), pick(r, brokenRules...)
		doc := head + strings.Join(slices.Insert(slices.Clone(rules), at, broken), ",") + `]}`
		spoilt, problems := Parse(User, []byte(doc))
		if len(problems) == 0 {
			t.Fatalf("no problem in %s", doc)
		}
		others := []*Policy{somePolicy(r, Managed), somePolicy(r, Session)}
		was := NewStack(append(others, whole)...).Decide(f)
		is := NewStack(append(others, spoilt)...).Decide(f)
		if is.Outcome < was.Outcome {
			t.Fatalf("%v became %v with %s\n%s\nfacts %+v\nwas %v\n is %v", was.Outcome, is.Outcome, broken, doc, *f,
				was.Reasons, is.Reasons)
		}
	}
}
