package interrupts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/interrupts"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// documents returns the documents of the vectors, by framework.
func documents(t testing.TB) (list []struct {
	framework interrupts.Framework
	doc       []byte
}) {
	for _, v := range vectors.Read(t, "interrupts") {
		var in struct {
			Framework string
			Document  json.RawMessage
			Text      *string `json:"document_text"`
		}
		if err := json.Unmarshal(v.In, &in); err != nil && in.Framework == "" {
			t.Fatal(v, err)
		}
		doc := []byte(in.Document)
		if in.Text != nil {
			doc = []byte(*in.Text)
		}
		if f, ok := interrupts.Lookup(in.Framework); ok && doc != nil {
			list = append(list, struct {
				framework interrupts.Framework
				doc       []byte
			}{f, doc})
		}
	}
	if len(list) < 80 || len(interrupts.Frameworks()) != 5 {
		t.Fatalf("only %d documents of %v", len(list), interrupts.Frameworks())
	}
	return list
}

// yes has the spellings of an approval.
var yes = []string{`"approved":true`, `"approve":true`, `"tool-approved"`, `"type":"approve"`, `"type":"edit"`,
	`"payload":true`, `"editedArgs"`}

// refuseAll refuses every question in one way, and reports an approval in what comes of it.
func refuseAll(t *testing.T, f interrupts.Framework, doc []byte, action elicit.Action, note string) {
	run, problems := interrupts.Decode(f, doc)
	if (run == nil) == (problems == nil) {
		t.Fatalf("run %v with problems %v", run, problems)
	}
	if run == nil {
		return
	}
	var answers []interrupts.Answer
	for i := range run.Questions {
		answers = append(answers, interrupts.Answer{Key: run.Questions[i].Key, Action: action, Note: note})
	}
	out, problems := run.Append([]byte("-"), answers)
	if problems != nil {
		if string(out) != "-" {
			t.Errorf("%s: wrote %s with problems", f, out)
		}
		return
	}
	if out = out[1:]; !json.Valid(out) {
		t.Errorf("%s: no JSON: %s", f, out)
	}
	for _, word := range yes {
		if bytes.Count(out, []byte(word)) > bytes.Count(doc, []byte(word)) {
			t.Errorf("%s: a refusal became %s in %s", f, word, out)
		}
	}
}

// TestNothingApproves: no document and no refusal approves anything.
func TestNothingApproves(t *testing.T) {
	for _, d := range documents(t) {
		refuseAll(t, d.framework, d.doc, elicit.Decline, "")
		refuseAll(t, d.framework, d.doc, elicit.Decline, "no")
		refuseAll(t, d.framework, d.doc, elicit.Cancel, "")
		if run, problems := interrupts.Decode(d.framework, d.doc); problems == nil && len(run.Questions) > 0 {
			if out, problems := run.Append(nil, nil); problems == nil {
				t.Errorf("%s: no answer became %s", d.framework, out)
			}
		}
	}
}

// TestBounds: data over a bound is a problem.
func TestBounds(t *testing.T) {
	request := func(id, arguments string) []byte {
		return []byte(`[{"type":"mcp_approval_request","id":"` + id + `","server_label":"s","name":"t","arguments":` +
			arguments + `}]`)
	}
	run, problems := interrupts.Decode(interrupts.OpenAI, request("i", `"{}"`))
	if problems != nil {
		t.Fatal(problems)
	}
	for length, want := range map[int]string{64 << 10: "", 64<<10 + 1: "text_too_large"} {
		answer := interrupts.Answer{Key: "i", Action: elicit.Decline, Note: strings.Repeat("n", length)}
		_, problems := run.Append(nil, []interrupts.Answer{answer})
		if got := code(problems); got != want {
			t.Errorf("a note of %d bytes: %q, want %q", length, got, want)
		}
	}
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct{ doc, want string }{
		{string(request(strings.Repeat("i", 1024), `"{}"`)), ""},
		{string(request(strings.Repeat("i", 1025), `"{}"`)), "text_too_large"},
		{string(request("i", deep)), "json_depth"},
		{string(request("i", `"{\"a\":`+deep+`}"`)), "interrupt_arguments"},
		{`[` + strings.Repeat(`{"type":"message"},`, 10_000) + `{"type":"message"}]`, "json_members"},
		{strings.Repeat(" ", 5<<20), "json_size"},
	} {
		if _, problems := interrupts.Decode(interrupts.OpenAI, []byte(c.doc)); code(problems) != c.want {
			t.Errorf("%.60s…: %v, want %q", c.doc, problems, c.want)
		}
	}
	// A call whose arguments were too long begins again with nothing, so only the second one here is reported.
	for _, c := range []struct {
		lengths []int
		want    string
	}{
		{[]int{256 << 10}, ""},
		{[]int{256<<10 + 1}, "text_too_large"},
		{[]int{100 << 10, 256<<10 - 100<<10 + 1, 256 << 10}, "text_too_large"},
	} {
		events := `[{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"t"},`
		for _, n := range c.lengths {
			events += `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"` + strings.Repeat("x", n) + `"},`
		}
		_, problems := interrupts.Decode(interrupts.AGUI, []byte(events+`{"type":"RUN_FINISHED"}]`))
		if code(problems) != c.want || len(problems) > 1 {
			t.Errorf("pieces of %v bytes: %v, want %q", c.lengths, problems, c.want)
		}
	}
}

// TestManyQuestions: a document has at most 64 questions, and one problem says that it has more.
func TestManyQuestions(t *testing.T) {
	for n, want := range map[int]string{64: "", 65: "too_many_entries", 67: "too_many_entries"} {
		var apart, calls, configs []string
		for i := range n {
			apart = append(apart, fmt.Sprintf(`{"id":"i%d","reason":"confirmation"}`, i))
			calls = append(calls, fmt.Sprintf(`{"name":"t%d","args":{}}`, i))
			configs = append(configs, fmt.Sprintf(`{"action_name":"t%d","allowed_decisions":["approve"]}`, i))
		}
		batch := func(id string, from, to int) string {
			return `{"id":"` + strings.Repeat(id, 32) + `","value":{"action_requests":[` +
				strings.Join(calls[from:to], ",") + `],"review_configs":[` + strings.Join(configs[from:to], ",") + `]}}`
		}
		for f, doc := range map[interrupts.Framework]string{
			interrupts.AGUI: `{"type":"RUN_FINISHED","outcome":{"type":"interrupt","interrupts":[` +
				strings.Join(apart, ",") + `]}}`,
			interrupts.LangGraph: `[` + batch("a", 0, 40) + `,` + batch("b", 40, n) + `]`,
		} {
			run, problems := interrupts.Decode(f, []byte(doc))
			if code(problems) != want || len(problems) > 1 || problems == nil && len(run.Questions) != n {
				t.Errorf("%s with %d questions: %v, want %q", f, n, problems, want)
			}
		}
	}
}

func code(problems []elicit.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	return problems[0].Code
}

// TestEveryAnswerWasOffered: an answer is written exactly if the options of its question list it.
func TestEveryAnswerWasOffered(t *testing.T) {
	for _, d := range documents(t) {
		run, problems := interrupts.Decode(d.framework, d.doc)
		if problems != nil || len(run.Questions) != 1 {
			continue
		}
		q := &run.Questions[0]
		if q.Request.Mode != elicit.Form || q.Options&interrupts.MayCancel != 0 && q.Options&interrupts.MayDecline == 0 {
			t.Errorf("%s %s: mode %q with the options %v", d.framework, q.Key, q.Request.Mode, q.Options.Names())
		}
		for option, answer := range map[interrupts.Options]interrupts.Answer{
			interrupts.MayAccept:                              {Action: elicit.Accept},
			interrupts.MayEdit:                                {Action: elicit.Accept, Arguments: []byte(`{}`)},
			interrupts.MayDecline:                             {Action: elicit.Decline},
			interrupts.MayDecline | interrupts.MayNoteDecline: {Action: elicit.Decline, Note: "n"},
			interrupts.MayAccept | interrupts.MayNoteAccept:   {Action: elicit.Accept, Note: "n"},
		} {
			if !q.Approval() && answer.Action == elicit.Accept && answer.Arguments == nil {
				continue // an accept needs content
			}
			answer.Key = q.Key
			_, problems := run.Append(nil, []interrupts.Answer{answer})
			if offered := q.Options&option == option; offered != (problems == nil) {
				t.Errorf("%s %s: %v is offered %v of %v, and has %v", d.framework, q.Key, option.Names(), offered,
					q.Options.Names(), problems)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, d := range documents(f) {
		for i, name := range interrupts.Frameworks() {
			if name == d.framework {
				f.Add(uint8(i), d.doc)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		list := interrupts.Frameworks()
		f := list[int(which)%len(list)]
		refuseAll(t, f, doc, elicit.Decline, "")
		refuseAll(t, f, doc, elicit.Cancel, "")
	})
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "interrupts") }
