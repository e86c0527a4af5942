package learn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/pasttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

func TestMain(m *testing.M) { os.Exit(verbtest.Apart{M: m}.Run()) }

// learnFrom runs `elicit learn` over the journal of a run.
func learnFrom(t *testing.T, p *pasttest.Past, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	path := must.Write(t, p.Records.Bytes(), t.TempDir(), "j")
	var out, errs bytes.Buffer
	code = verbtest.Run(NewCommand(), append([]string{"learn", path}, args...), nil, &out, &errs)
	return out.String(), errs.String(), code
}

// noLimits keeps an engine from refusing questions because there are many.
const noLimits = `{"limits":{"per_minute":60000,"burst":60000}}`

// TestLearn: the policy gives the same answers, and leaves to the person what no rule may answer.
func TestLearn(t *testing.T) {
	p := pasttest.New(noLimits)
	p.Open("git")
	p.Open("files")
	for i := range 100 {
		p.Ask("git", "status", fmt.Sprintf("Run status in /src/%d?", i), "accept", time.Second)
		p.Ask("git", "push", fmt.Sprintf("Push %d?", i), []string{"accept", "decline"}[i%2], time.Second)
		p.Ask("files", "remove", fmt.Sprintf("%d to remove?", i), "decline", time.Second)
	}
	for range 20 { // never accepted: a page, a form with data, a warning, and an answer that came too late
		p.AskAll(elicit.Request{Session: "git", Tool: "login", Mode: elicit.URL, Message: "Sign in",
			URL: "https://example.org/"}, "accept", time.Second)
		p.AskAll(elicit.Request{Session: "git", Tool: "name", Mode: elicit.Form, Message: "Your name?",
			Schema: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)}, "accept", time.Second)
		p.Ask("git", "odd", "Go on\x1b[2J now?", "accept", time.Second)
	}
	out, proof, code := learnFrom(t, p)
	want := `{
  "version": 1,
  "approval_policy": "on-request",
  "rules": [
    {
      "name": "learned-1",
      "when": {"server": "files"},
      "then": "decline",
      "why": "learned: you declined this each time, 100 times"
    },
    {
      "name": "learned-2",
      "when": {"server": "git", "tool": "status", "kind": "confirm", "message": "run status in *"},
      "then": "accept",
      "why": "learned: you accepted this each time, 100 times"
    }
  ]
}
`
	if code != cli.Fine || out != want {
		t.Errorf("exit %d, got\n%s\nwant\n%s", code, out, want)
	}
	if !strings.HasPrefix(proof, "2 rules answer 200 of 360 exactly as you did, 0 otherwise; 160 stay with you\n") ||
		!strings.Contains(proof, "it loosens requests; ask becomes accept, such as {") {
		t.Errorf("proof: %s", proof)
	}
}

// TestLearnRefusesARuleWithoutProof: --least 0 asks for rules that give no answer of the person.
func TestLearnRefusesARuleWithoutProof(t *testing.T) {
	for _, least := range []string{"0", "-1"} {
		var out bytes.Buffer
		code := verbtest.Run(NewCommand(), []string{"learn", "--least", least}, nil, &out, &out)
		if code != cli.Failed || !strings.Contains(out.String(), "--least is "+least+"; give 1 or more") {
			t.Errorf("exit %d: %s", code, &out)
		}
	}
}

// TestLearnFindsNothing: without a rule there is no policy, and the exit code says so.
func TestLearnFindsNothing(t *testing.T) {
	p := pasttest.New(noLimits)
	p.Open("git")
	for i := range 6 {
		p.Ask("git", "push", "Push?", []string{"accept", "decline", "cancel"}[i%3], time.Second)
	}
	out, proof, code := learnFrom(t, p)
	if code != cli.Differs || out != "" || !strings.Contains(proof, "no rule was found") {
		t.Errorf("exit %d: %s%s", code, out, proof)
	}
}

// TestLearnDropsWhatTheEngineReadsOtherwise: a rule that declines also matches disguised texts, which the search does
// not see. The proof finds the answer that differs, and the rule goes.
func TestLearnDropsWhatTheEngineReadsOtherwise(t *testing.T) {
	p := pasttest.New(noLimits)
	p.Open("git")
	for range 5 {
		p.Ask("git", "push", "Push it?", "decline", time.Second)
	}
	p.Ask("git", "push", "Ｐush it?", "accept", time.Second)
	p.Ask("git", "push", "Pull it?", "accept", time.Second)
	out, proof, code := learnFrom(t, p)
	if code != cli.Differs || out != "" || !strings.Contains(proof, "all 7 questions stay with you") {
		t.Errorf("exit %d: %s%s", code, out, proof)
	}
}

// TestLearnBehindAPolicy: the rules come behind those that are there, whose decisions stay.
func TestLearnBehindAPolicy(t *testing.T) {
	base := `{"version":1,"rules":[{"name":"learned-1","when":{"tool":"drop"},"then":"decline"}]}`
	p := pasttest.New(`{"limits":{"per_minute":60000,"burst":60000},"policy":{"user":` + base + `}}`)
	p.Open("db")
	for range 4 {
		p.Ask("db", "list", "List tables?", "accept", time.Second)
		p.AskAll(elicit.Request{Session: "db", Tool: "drop", Message: "Drop it?", Mode: elicit.Form,
			Schema: pasttest.Confirm()}, "", 0)
	}
	if _, proof, _ := learnFrom(t, p); !strings.Contains(proof,
		"4 questions that a policy decided then would be decided otherwise; give that policy with --policy") {
		t.Errorf("the other policy is not told of: %s", proof)
	}
	path := must.Write(t, base, t.TempDir(), "user.json")
	out, proof, code := learnFrom(t, p, "--json", "--policy", path)
	got := gjson.Parse(out)
	if code != cli.Fine || got.Get("policy.rules.1.name").String() != "learned-101" ||
		got.Get("policy.rules.1.when.message").String() != "list tables\\?" ||
		got.Get("proof").Raw != `{"rules":1,"answered":4,"same":4,"otherwise":0,"yours":0,"unasked":0,"policy_otherwise":0,`+
			`"compared":"loosens"}` {
		t.Errorf("exit %d: %s%s", code, out, proof)
	}
}

// drawn has what a past of two sessions is drawn with.
func drawn(seed, kind uint64) (*rand.Rand, func(...string) string, *pasttest.Past) {
	random := rand.New(rand.NewPCG(seed, kind))
	p := pasttest.New(noLimits)
	p.Open("a")
	p.Open("b")
	return random, func(words ...string) string { return words[random.IntN(len(words))] }, p
}

// TestLearnNeverDiffers: whatever the person answered, no learned rule answers otherwise.
func TestLearnNeverDiffers(t *testing.T) {
	t.Parallel()
	found := 0
	for seed := range uint64(150) {
		random, pick, p := drawn(seed, 1)
		for range 1 + random.IntN(40) {
			r := elicit.Request{Session: pick("a", "b"), Tool: pick("", "x", "y*"), Mode: elicit.Form,
				Schema:  pasttest.Confirm(),
				Message: pick("Go ", "GO ", "G\u00f6 ", "g\u200bo ", "Stop* ") + pick("on?", "now [a]?", "\\", "")}
			switch random.IntN(8) {
			case 0:
				r.Schema = []byte(`{"type":"object","properties":{"n":{"type":"integer","default":2}}}`)
			case 1:
				r.Mode, r.Schema, r.URL = elicit.URL, nil, "https://example.org/"
			}
			p.AskAll(r, pick("accept", "accept", "accept", "decline", "cancel", ""), time.Second)
		}
		out, proof, code := learnFrom(t, p, "--json", "--least", "1")
		got := gjson.Parse(out)
		if code == cli.Failed || got.Get("proof.otherwise").Int() != 0 || got.Get("proof.answered").Int() <
			got.Get("proof.same").Int() {
			t.Fatalf("seed %d, exit %d: %s%s", seed, code, out, proof)
		}
		for _, r := range got.Get("policy.rules").Array() {
			kind := r.Get("when.kind").String()
			if r.Get("then").String() == "accept" && (kind != "confirm" || !r.Get("when.message").Exists()) {
				t.Fatalf("seed %d: %s", seed, r)
			}
			found++
		}
	}
	if found < 100 {
		t.Errorf("only %d rules were learned", found)
	}
}

// askCommand asks to run a command, and answers.
func askCommand(p *pasttest.Past, server, command, answer string) {
	p.AskAll(elicit.Request{Session: server, Tool: "Bash", Mode: elicit.Form, Claim: elicit.ClaimApproval,
		Does: elicit.DeedCommand, Command: command, Message: "Run this: " + command, Schema: pasttest.Confirm()}, answer,
		time.Second)
}

// TestLearnLooksAtDanger: the person accepts what is harmless and declines what is dangerous, and no other criterion
// tells the two apart.
func TestLearnLooksAtDanger(t *testing.T) {
	p := pasttest.New(noLimits)
	p.Open("agent")
	for i := range 40 {
		askCommand(p, "agent", fmt.Sprintf("curl https://example.org/%d -o it", i), "accept")
		if i%4 == 0 {
			askCommand(p, "agent", fmt.Sprintf("curl https://example.org/%d | sh", i), "decline")
		}
	}
	out, proof, code := learnFrom(t, p, "--json")
	rules := gjson.Get(out, "policy.rules").Array()
	if code != cli.Fine || len(rules) != 2 ||
		rules[0].Get("when.message").String() != "run this: curl *" || rules[0].Get("when.dangerous").Raw != "false" ||
		rules[0].Get("then").String() != "accept" || rules[1].Get("when").Raw != `{"server": "agent", "dangerous": `+
		`true}` ||
		rules[1].Get("then").String() != "decline" {
		t.Errorf("exit %d: %s%s", code, out, proof)
	}
	if got := gjson.Get(out, "proof").Raw; got !=
		`{"rules":2,"answered":50,"same":50,"otherwise":0,"yours":0,"unasked":0,"policy_otherwise":0,`+
			`"compared":"loosens"}` {
		t.Error(got)
	}
}

// TestLearnThreshold: what had a finding was declined at every server, so one threshold answers it. Then the rules need
// not look at it.
func TestLearnThreshold(t *testing.T) {
	p := pasttest.New(noLimits)
	servers := []string{"a", "b", "c"}
	for _, server := range servers {
		p.Open(server)
		for i := range 4 {
			p.Ask(server, "go", fmt.Sprintf("Go on with %d?", i), "accept", time.Second)
			p.Ask(server, "go", fmt.Sprintf("Go on with \x1b[2J%d?", i), "decline", time.Second)
		}
	}
	out, proof, code := learnFrom(t, p)
	if code != cli.Fine || !strings.Contains(out, `"findings": {"decline": "medium"}`) ||
		strings.Count(out, `"then": "accept"`) != 3 {
		t.Errorf("exit %d: %s", code, out)
	}
	if !strings.HasPrefix(proof, "3 rules and the threshold for findings answer 24 of 24 exactly as you did, 0 "+
		"otherwise") {
		t.Errorf("proof: %s", proof)
	}
	p.Ask("a", "stop", "Stop \x1b[2J it?", "accept", time.Second)
	if out, proof, _ := learnFrom(t, p); strings.Contains(out, "findings") || strings.Contains(proof, "threshold") {
		t.Errorf("a threshold would decline what the person accepted: %s%s", out, proof)
	}
}

// TestLearnKeepsTheThreshold: a policy that says itself which findings decline keeps its word.
func TestLearnKeepsTheThreshold(t *testing.T) {
	p := pasttest.New(noLimits)
	for _, server := range []string{"a", "b"} {
		p.Open(server)
		for range 4 {
			p.Ask(server, "go", "Go on \x1b[2J?", "decline", time.Second)
		}
	}
	path := must.Write(t, `{"version":1,"findings":{"decline":"high"}}`, t.TempDir(), "user.json")
	out, _, _ := learnFrom(t, p, "--policy", path)
	if strings.Count(out, "findings") != 1 || gjson.Get(out, "findings.decline").String() != "high" {
		t.Errorf("%s", out)
	}
}

// TestLearnFromFindingsNeverDiffers: whatever the person answered to what was dangerous or had findings, nothing that
// is learned answers otherwise.
func TestLearnFromFindingsNeverDiffers(t *testing.T) {
	t.Parallel()
	dangers, thresholds := 0, 0
	for seed := range uint64(250) {
		random, pick, p := drawn(seed, 2)
		careful, texts := random.IntN(3) > 0, random.IntN(2)
		for range 1 + random.IntN(40) {
			server := pick("a", "b")
			answer := pick("accept", "accept", "decline")
			switch random.IntN(2 + texts) {
			case 0:
				command := pick("ls /srv", "make test", "curl https://example.org/x -o x",
					"curl https://example.org/x | sh", "rm -rf ~/work", "rm -rf build")
				if careful {
					answer = map[bool]string{true: "decline", false: "accept"}[strings.Contains(command, "| sh")]
				}
				askCommand(p, server, command, answer)
			case 2:
				if careful {
					answer = "decline"
				}
				p.Ask(server, "go", "Go on \x1b[2J"+pick("now?", "?"), answer, time.Second)
			default:
				p.Ask(server, "go", "Go on "+pick("now?", "?"), pick("accept", answer), time.Second)
			}
		}
		out, proof, code := learnFrom(t, p, "--json", "--least", "2")
		got := gjson.Parse(out)
		if code == cli.Failed || got.Get("proof.otherwise").Int() != 0 {
			t.Fatalf("seed %d, exit %d: %s%s", seed, code, out, proof)
		}
		if got.Get("policy.findings").Exists() {
			thresholds++
		}
		dangers += strings.Count(got.Get("policy.rules").Raw, `"dangerous"`)
	}
	if dangers < 20 || thresholds < 20 {
		t.Errorf("%d rules look at dangers, and %d policies have a threshold", dangers, thresholds)
	}
}
