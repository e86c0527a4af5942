package policy

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

func TestMain(m *testing.M) { os.Exit(verbtest.Apart{M: m}.Run()) }

func pick(r *rand.Rand, list ...string) string { return list[r.Intn(len(list))] }

func someQuestion(r *rand.Rand) string {
	meta := pick(r, "", "",
		`,"_meta":{"codex_request_type":"approval_request","codex_approval_kind":"mcp_tool_call","tool_name":"deploy"}`,
		`,"_meta":{"codex_request_type":"approval_request"}`,
		`,"_meta":{"codex_approval_kind":"tool_suggestion"}`,
		`,"_meta":{"codex_strict_auto_review":true,"persist":["always"]}`)
	message := `"message":"` + pick(r, "Go on?", "Deploy now?", "Your password, please",
		"Deploy\u202enow", "Sign in") + `"`
	if r.Intn(4) == 0 {
		return `{"mode":"url",` + message + `,"url":"` + pick(r, "https://example.com/", "https://b\u00fccher.example/a",
			"http://127.0.0.1/", "https://paypal.com@evil.example/", "javascript:alert(1)", "nowhere", "") + `"` + meta + `}`
	}
	var fields, required []string
	for i := range r.Intn(4) {
		name := pick(r, "name", "password", "token", "note") + fmt.Sprint(i)
		fields = append(fields, `"`+name+`":`+pick(r, `{"type":"string"}`, `{"type":"string","default":"x"}`,
			`{"type":"string","default":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}`,
			`{"type":"integer","minimum":1,"default":2}`,
			`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B\u202edecline"}]}`,
			`{"type":"boolean","default":true}`, `{"type":"string","title":"Your API key"}`, `{"type":"object"}`))
		if r.Intn(2) == 0 {
			required = append(required, `"`+name+`"`)
		}
	}
	return `{` + pick(r, "", `"mode":"form",`) + message + `,"requestedSchema":{"type":"object","properties":{` +
		strings.Join(fields, ",") + `},"required":[` + strings.Join(required, ",") + `]}` + meta + `}`
}

func somePolicy(r *rand.Rand) string {
	var rules []string
	for range r.Intn(4) {
		rules = append(rules, `{"when":`+pick(r, `{}`, `{"kind":"approval"}`, `{"kind":"confirm"}`, `{"sensitive":true}`,
			`{"tool":"de*"}`,
			`{"read_only":true}`, `{"host":"*example*"}`, `{"message":"*now*"}`, `{"field":"pass*"}`, `{"mode":"url"}`)+
			`,"then":"`+pick(r, "accept", "accept", "ask", "review", "decline", "cancel")+`"}`)
	}
	return `{"version":1` + pick(r, "", `,"approval_policy":"on-request"`, `,"approval_policy":"never"`,
		`,"access":"full","approval_policy":"never"`) +
		pick(r, "", `,"reviewer":"auto_review"`) +
		pick(r, "", `,"findings":{"decline":"high"}`, `,"findings":{"decline":"never"}`) +
		pick(r, "", `,"servers":{"build":{"trust":true,"approvals":"writes"}}`) +
		`,"rules":[` + strings.Join(rules, ",") + `]}`
}

// TestDecideIsTheEngine compares elicit decide and elicit policy test with an engine: they give the same outcome for
// the same reasons, and show the same findings.
func TestDecideIsTheEngine(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	dialect, _ := mcp.Lookup("2026-07-28")
	seen := map[string]int{}
	for i := range 6000 {
		question := someQuestion(r)
		d := decide{server: "build", tool: pick(r, "", "deploy", "read")}
		if d.tool != "" {
			d.annotations.ReadOnly = elicit.Said(r.Intn(3))
		}
		policies := fmt.Sprintf(`{"user":%s,"%s":%s}`, somePolicy(r), pick(r, "managed", "project", "session"), somePolicy(r))

		e := engine.New()
		e.Step(engine.Input{At: 1, Event: event.Configured{Config: []byte(`{"policy":` + policies + `}`)}})
		both := elicit.Modes{Form: true, URL: true}
		e.Step(engine.Input{At: 2, Event: event.Opened{Session: "s", Server: "build", Side: elicit.Answering,
			Declared: both, Shown: both}})
		request, _, refused := dialect.DecodeCreate([]byte(question), dialect.AllModes())
		request.Session, request.Ref, request.Tool, request.Annotations = "s", "1", d.tool, d.annotations
		did, reasons, findings := "refused", []byte(nil), []byte(nil)
		if refused == nil {
			did, reasons, findings = happened(e.Step(engine.Input{At: 3, Event: event.Asked{Request: request}}))
		}

		cmd := &cobra.Command{}
		cmd.SetErr(io.Discard)
		said, in, answer := "refused", []byte(nil), gjson.Result{}
		if members, err := d.request(cmd, cli.Document{Name: "q", Text: []byte(question)}); err == nil {
			in = append(append([]byte(`{"policy":`+policies+`,`), members...), '}')
			answer = gjson.ParseBytes(abi.Eval("decide", in, nil))
			said = answer.Get("outcome").String()
		}
		seen[said]++
		because := answer.Get("reasons").Raw
		if said == "review" { // this engine has no reviewer, so it asks the person
			said, because = "ask", strings.TrimSuffix(because, "]")+`,{"code":"no_reviewer"}]`
		}
		switch {
		case did != said:
			t.Fatalf("question %d: the engine does %s, the command says %s\n%s\n%s\n%s\n%s",
				i, did, said, question, policies, reasons, because)
		case did != "refused" && string(reasons) != because:
			t.Fatalf("question %d: the engine's reasons are\n%s\nthe command's\n%s\n%s\n%s",
				i, reasons, because, question, policies)
		case findings != nil && !bytes.Equal(findings, []byte(gjson.GetBytes(in, "findings").Raw)):
			t.Fatalf("question %d: the engine finds\n%s\nthe command\n%s", i, findings, gjson.GetBytes(in, "findings").Raw)
		}
	}
	for _, outcome := range []string{"accept", "review", "ask", "cancel", "decline", "refused"} {
		if seen[outcome] < 20 {
			t.Errorf("%s came only %d times: %v", outcome, seen[outcome], seen)
		}
	}
}

// happened returns what the engine did with a question. It takes the findings of the show effect only, because the
// reply may have further findings from the defaults.
func happened(effects []effect.Effect) (did string, reasons, findings []byte) {
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			return "ask", elicit.AppendList(nil, ef.Reasons), elicit.AppendList(nil, ef.Findings)
		case effect.Reply:
			if ef.Cause != elicit.ByPolicy {
				return "refused", nil, nil
			}
			return string(ef.Outcome), elicit.AppendList(nil, ef.Reasons), nil
		}
	}
	return "nothing", nil, nil
}
