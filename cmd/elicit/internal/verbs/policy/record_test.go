package policy

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/pasttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestRecordedCasesPass: whatever policy decided, its cases pass with the same policy, and none is left out.
func TestRecordedCasesPass(t *testing.T) {
	rules := []string{`{"when":{"message":"go*"},"then":"decline"}`, `{"name":"b","when":{"server":"b"},"then":"accept"}`,
		`{"when":{"kind":"url"},"unless":{"scheme":"https"},"then":"cancel"}`, `{"when":{"sensitive":true},"then":"decline"}`}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 2))
		pick := func(words ...string) string { return words[random.IntN(len(words))] }
		doc := `{"version":1,` + pick("", `"quiet":{"from":"12:05","to":"12:20","offset":"+00:00","then":"cancel"},`,
			`"findings":{"decline":"medium"},`, `"approval_policy":"never",`) +
			`"rules":[` + strings.Join(rules[random.IntN(4):], ",") + `]}`
		p := pasttest.New(`{"limits":{"per_minute":60000,"burst":60000},"policy":{"managed":{"version":1,"rules":[` +
			`{"when":{"tool":"x"},"then":"decline"}]},"user":` + doc + `}}`)
		p.Open("a")
		p.Open("b")
		for range 1 + random.IntN(30) {
			r := elicit.Request{Session: pick("a", "b"), Tool: pick("", "x", "y*"), Mode: elicit.Form,
				Schema:  pasttest.Confirm(),
				Message: pick("Go ", "G\u00f6 ", "g\u200bo ", "Stop\x1b ") + pick("on?", "now [a]?", "\\", "")}
			switch random.IntN(6) {
			case 0:
				r.Schema = []byte(`{"type":"object","properties":{"password":{"type":"string"}}}`)
			case 1:
				r.Mode, r.Schema, r.URL = elicit.URL, nil, pick("https", "http")+"://example.org/"
			}
			p.AskAll(r, pick("accept", "decline", ""), time.Second)
		}
		dir := t.TempDir()
		name := func(file string) string { return filepath.Join(dir, file) }
		must.Write(t, p.Records.Bytes(), name("j"))
		for _, file := range []string{"user.json", "managed.json"} {
			var out bytes.Buffer
			code := verbtest.Run(NewCommand(), []string{"policy", "record", name("j"), name(file)}, nil, &out, &out)
			if code != cli.Fine || strings.Contains(out.String(), "left out") {
				t.Fatalf("seed %d, exit %d: %s\n%s", seed, code, &out, doc)
			}
			if code := verbtest.Run(NewCommand(), []string{"policy", "test", name(file)}, nil, &out, &out); code != cli.Fine {
				t.Fatalf("seed %d, exit %d: %s\n%s", seed, code, &out, doc)
			}
		}
	}
}

// TestRecordLeavesOutAnEarlierPolicy: a decision that the last policy does not make again is no case, and is counted.
func TestRecordLeavesOutAnEarlierPolicy(t *testing.T) {
	p := pasttest.New(`{}`)
	p.Open("a")
	p.Ask("a", "x", "Go on?", "accept", time.Second)
	p.Ask("a", "y", "Go on?", "accept", time.Second)
	p.Do(event.Configured{Config: []byte(
		`{"policy":{"user":{"version":1,"rules":[{"when":{"tool":"y"},"then":"decline"}]}}}`)})
	p.Ask("a", "y", "Go on?", "", 0)
	path := must.Write(t, p.Records.Bytes(), t.TempDir(), "j")
	var out, errs bytes.Buffer
	code := verbtest.Run(NewCommand(), []string{"policy", "record", path}, nil, &out, &errs)
	want := "2 different cases from 3 decisions\n1 decision is left out, because the last policy"
	if code != cli.Fine || strings.Count(out.String(), `"name"`) != 2 || !strings.Contains(errs.String(), want) {
		t.Errorf("exit %d: %s%s", code, &out, &errs)
	}
}
