package codex

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/schema"
)

// FuzzQuestion checks that a question is complete or refused, that every answer to it is JSON, that a refusal never
// approves, and that no answer of a client makes an acceptance that its own words do not have.
func FuzzQuestion(f *testing.F) {
	place := `"threadId":"t","turnId":"u","itemId":"i"`
	f.Add(uint8(0), `{"threadId":"t","turnId":null,"serverName":"s","mode":"form","message":"m","requestedSchema":`+
		`{"type":"object","properties":{}},"_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"w"}}`,
		`{"action":"accept","content":{},"_meta":{"persist":"always"}}`)
	f.Add(uint8(1), `{"kind":"command",`+place+`,"command":"bash -lc 'ls'","proposedExecpolicyAmendment":["ls"]}`,
		`{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["ls"]}}}`)
	f.Add(uint8(2), `{`+place+`,"reason":null,"grantRoot":null}`, `{"decision":"accept"}`)
	f.Add(uint8(3), `{`+place+`,"cwd":"/w","permissions":{"network":{"enabled":true},"fileSystem":{"read":["/a"]}}}`,
		`{"permissions":{"network":{"enabled":true}},"scope":"session"}`)
	f.Add(uint8(4), `{`+place+`,"questions":[{"id":"q","header":"h","question":"?","isOther":true,"isSecret":false,`+
		`"options":[{"label":"a","description":""}]}]}`, `{"answers":{"q":{"answers":["a","user_note: b"]}}}`)
	f.Add(uint8(5), `{"conversationId":"c","callId":"k","command":["ls"],"cwd":"/w"}`, `{"decision":"approved"}`)
	f.Add(uint8(6), `{"conversationId":"c","callId":"k","fileChanges":{"/a":{"type":"add","content":"x"}}}`,
		`{"decision":{"denied":{"rejection":"no"}}}`)
	f.Add(uint8(7), `{"threadId":"t","codex_elicitation":"exec-approval","codex_command":["ls"],"codex_cwd":"/"}`,
		`{"action":"accept","content":{}}`)
	methods := []string{MethodElicitation, MethodCommand, MethodPatch, MethodPermissions, MethodInput, MethodCommandV1,
		MethodPatchV1, MethodServer}
	f.Fuzz(func(t *testing.T, which uint8, params, result string) {
		for _, text := range []string{params, result} {
			if jsontext.Check([]byte(text), jsontext.Limits{}) != nil {
				return
			}
		}
		q, no := Decode(methods[int(which)%len(methods)], []byte(params), nil)
		if no != nil {
			if len(no.Problems) == 0 {
				t.Fatal("refused without a problem")
			}
			if out := string(q.AppendResult(nil, Answer{Action: elicit.Decline})); approves(out) {
				t.Fatalf("a refusal approves: %s", out)
			}
			return
		}
		r := &q.Request
		if at, wrong := r.WrongPart(); wrong {
			t.Fatalf("parts%s of %q do not fit: %v", at, r.Message, r.Parts)
		}
		switch {
		case !utf8.ValidString(r.Message) || len(r.Message) > 256<<10:
			t.Fatalf("message of %d bytes", len(r.Message))
		case r.Mode == elicit.Form && jsontext.Check(r.Schema, jsontext.Limits{}) != nil:
			t.Fatalf("schema %s", r.Schema)
		}
		answer, problems := q.DecodeResult([]byte(result))
		for _, a := range []Answer{answer, {Action: elicit.Decline}, {Action: elicit.Decline, Note: labelAllow},
			{Action: elicit.Cancel}, {Action: elicit.Accept}} {
			if problems != nil && a.Action == "" {
				continue
			}
			out := q.AppendResult(nil, a)
			if jsontext.Check(out, jsontext.Limits{}) != nil {
				t.Fatalf("%+v is %s", a, out)
			}
			if a.Action != elicit.Accept && approves(string(out)) {
				t.Fatalf("%s approves with %s", a.Action, out)
			}
		}
	})
}

// approves reports whether a result has a word that approves.
func approves(result string) bool {
	for _, word := range []string{`{"action":"accept"`, `{"decision":"accept`, `{"decision":{"accept`,
		`"decision":"approved`, `"action":"allow"`, `{"permissions":{"`, `"answers":["Allow`} {
		if strings.Contains(result, word) {
			return true
		}
	}
	return false
}

// TestList checks that the items of a connection stay within their bounds.
func TestList(t *testing.T) {
	for size, most := range map[int]int{1 << 10: 1024, 9 << 10: 1024} {
		var l List
		for i := range 2048 {
			l.Take(ReadItem([]byte(`{"threadId":"` + "tu"[i%2:i%2+1] + `","item":{"type":"mcpToolCall","id":"` +
				strconv.Itoa(i) +
				`","server":"s","tool":"w","arguments":{"a":"` + strings.Repeat("x", size) + `"}}}`)))
		}
		n := len(l.Calls("t", "s")) + len(l.Calls("u", "s"))
		few := n < most-most/10 || size == 1<<10 && n < most
		if n > most || few || l.size > 8<<20 || l.Item("u", "2047") == nil {
			t.Errorf("%d items of %d bytes are kept, at most %d", n, l.size, most)
		}
		l.Close("t")
		if l.Close("u"); l.size != 0 || len(l.items) != 0 {
			t.Errorf("%d items of %d bytes are left", len(l.items), l.size)
		}
	}
}

// TestListIsFull: items of exactly the bound are kept, and a byte more drops the oldest.
func TestListIsFull(t *testing.T) {
	for more, kept := range map[int]bool{0: true, 1: false} {
		var l List
		l.Take(&Item{ID: "a", arguments: strings.Repeat("x", 8<<20-2*(256+1)-(16+len("/p"))+more)})
		l.Take(&Item{ID: "b", Paths: []string{"/p"}})
		if (l.Item("", "a") != nil) != kept || l.Item("", "b") == nil {
			t.Errorf("%d bytes beyond the bound: %d items are kept", more, len(l.items))
		}
	}
}

// TestItemIsOfItsThread: an item is found and forgotten by its thread and its id, and not by one of them.
func TestItemIsOfItsThread(t *testing.T) {
	var l List
	l.Take(&Item{Thread: "t", ID: "a"})
	l.Take(&Item{Thread: "u", ID: "a"})
	l.Take(&Item{Thread: "t", ID: "b"})
	l.Done("u", "b")
	if len(l.items) != 3 || l.Item("u", "b") != nil {
		t.Errorf("%d items, of them u b: %v", len(l.items), l.Item("u", "b"))
	}
	if l.Done("t", "b"); len(l.items) != 2 || l.Item("t", "b") != nil || l.Item("u", "a").Thread != "u" {
		t.Errorf("%d items without t b", len(l.items))
	}
}

// TestNamesOfItems: an item has names that are not too long.
func TestNamesOfItems(t *testing.T) {
	most := strings.Repeat("x", 2047)
	for _, c := range []struct {
		thread, id, server, tool string
		want                     bool
	}{
		{"t", "i", "s", "w", true}, {"", "i", "s", "w", false}, {"t", "", "s", "w", false}, {"t", "i", "", "w", false},
		{"t", most, "s", "w", true}, {"t", most + "x", "s", "w", false},
		{"t", "i", "s", most, true}, {"t", "i", "s", most + "x", false},
	} {
		it := ReadItem([]byte(`{"threadId":"` + c.thread + `","item":{"type":"mcpToolCall","id":"` + c.id +
			`","server":"` + c.server + `","tool":"` + c.tool + `"}}`))
		if (it != nil) != c.want {
			t.Errorf("%.9s %.9s %.9s %.9s: %v, want %v", c.thread, c.id, c.server, c.tool, it != nil, c.want)
		}
	}
}

// TestChangesStandApart: each change begins after an empty line, also if the one before it names nothing.
func TestChangesStandApart(t *testing.T) {
	it := ReadItem([]byte(`{"threadId":"t","itemId":"i","changes":[{},{"path":"/a","kind":{"type":"add"},"diff":"x"},` +
		`{"path":"/b","kind":{"type":"delete"},"diff":""}]}`))
	if got := it.diff.String(); got != " \n\nadd /a\n+x\n\ndelete /b" || !it.cut {
		t.Errorf("%q, cut %v", got, it.cut)
	}
}

// TestCandidates: a question of a server is about one of its open calls. CandidatesCut says that a call is missing.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		calls int
		tool  string
		cut   bool
	}{{0, "", true}, {1, "w0", false}, {2, "", false}, {elicit.MaxCandidates, "", false},
		{elicit.MaxCandidates + 1, "", true}} {
		var items List
		for i := range c.calls {
			items.Take(&Item{Thread: "t", ID: strconv.Itoa(i), Server: "s", Tool: "w" + strconv.Itoa(i)})
		}
		q, no := Decode(MethodElicitation, []byte(`{"threadId":"t","turnId":"u","serverName":"s","mode":"form",`+
			`"message":"m","requestedSchema":{"type":"object","properties":{}}}`), &items)
		if no != nil {
			t.Fatal(no.Problems)
		}
		want := min(c.calls, elicit.MaxCandidates)
		if want == 1 {
			want = 0 // the tool is known
		}
		if r := q.Request; r.Tool != c.tool || len(r.Candidates) != want || r.CandidatesCut != c.cut {
			t.Errorf("%d calls: tool %q, %d candidates, cut %v", c.calls, r.Tool, len(r.Candidates), r.CandidatesCut)
		}
	}
}

// TestRefusedHasItsPlace: a question that cannot be read still belongs to its thread, so it ends with the turn.
func TestRefusedHasItsPlace(t *testing.T) {
	q, no := Decode(MethodPermissions, []byte(`{"threadId":"t","turnId":"u","itemId":"i","permissions":7}`), nil)
	if no == nil || q.Thread != "t" || q.Turn != "u" || q.Item != "i" {
		t.Errorf("%v: thread %q, turn %q, item %q", no, q.Thread, q.Turn, q.Item)
	}
}

// TestCommandIsAFact: policy sees a command and a directory that a person sees whole, and no others.
func TestCommandIsAFact(t *testing.T) {
	for _, c := range []struct {
		command, cwd int
		want         bool
	}{{24 << 10, 1, true}, {24<<10 + 1, 1, false}, {1, 4<<10 - len("In "), true},
		{1, 4<<10 - len("In ") + 1, false}} {
		command, cwd := strings.Repeat("x", c.command), strings.Repeat("y", c.cwd)
		q, no := Decode(MethodCommand, []byte(`{"threadId":"t","turnId":"u","itemId":"i","command":"`+command+`","cwd":"`+
			cwd+`"}`), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		r := q.Request
		if whole := r.Command == command && r.Cwd == cwd; whole != c.want || r.MessageCut == c.want ||
			!c.want && r.Command+r.Cwd != "" {
			t.Errorf("%d bytes in %d: facts of %d and %d", c.command, c.cwd, len(r.Command), len(r.Cwd))
		}
	}
}

// TestMostOfEach: as many elements as the bounds allow are read, and one more is refused.
func TestMostOfEach(t *testing.T) {
	const place = `{"threadId":"t","turnId":"u","itemId":"i",`
	list := func(n int, each func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, each(i))
		}
		return `[` + strings.Join(all, ",") + `]`
	}
	named := func(format string) func(int) string {
		return func(i int) string { return strings.ReplaceAll(format, "#", strconv.Itoa(i)) }
	}
	for _, c := range []struct {
		method, before, each, after string
		most                        int
		want                        string
	}{
		{MethodCommandV1, `{"conversationId":"c","callId":"k","cwd":"/w","command":`, `"w"`, `}`, 4096, "wrong_type"},
		{MethodCommand, place + `"command":"ls","availableDecisions":`, `"accept"`, `}`, 64, "wrong_type"},
		{MethodInput, place + `"questions":`, `{"id":"q#","question":"?"}`, `}`, 32, "too_many_entries"},
		{MethodInput, place + `"questions":[{"id":"q","question":"?","options":`, `{"label":"#"}`, `}]}`, 64,
			"too_many_options"},
	} {
		if _, no := Decode(c.method, []byte(c.before+list(c.most, named(c.each))+c.after), nil); no != nil {
			t.Errorf("%s with %d of %s: %+v", c.method, c.most, c.each, no.Problems)
		}
		_, no := Decode(c.method, []byte(c.before+list(c.most+1, named(c.each))+c.after), nil)
		if no == nil || no.Problems[0].Code != c.want {
			t.Errorf("%s with %d of %s: %+v, want %s", c.method, c.most+1, c.each, no, c.want)
		}
	}
}

// TestParamsForTheClient: a client draws the inspected schema of a form with fields. The other members stay.
func TestParamsForTheClient(t *testing.T) {
	const fields = `{"type":"object","properties":{"a":{"type":"string","later":1}}}`
	const empty = `{"type":"object","later":1,"properties":{}}`
	for _, c := range []struct {
		mode, of string
		stays    bool
	}{
		{"form", `"requestedSchema":` + fields, false}, {"form", `"requestedSchema":` + empty, true},
		{"openai/form", `"requestedSchema":` + fields, true}, {"url", `"url":"https://a.test","elicitationId":"e"`, true},
	} {
		params := `{"threadId":"t","turnId":null,"serverName":"s","mode":"` + c.mode + `","message":"m",` + c.of + `}`
		q, no := Decode(MethodElicitation, []byte(params), nil)
		if no != nil {
			t.Fatal(no.Problems)
		}
		drawn := q.Request.Schema
		if drawn == nil {
			drawn = []byte(fields)
		}
		form, problems := schema.Compile(drawn, schema.Options{})
		if problems != nil {
			t.Fatal(problems)
		}
		if got := string(q.AppendParams(nil, []byte(params), "m", form)); (got == params) != c.stays {
			t.Errorf("%s, %s: %s", c.mode, c.of, got)
		}
	}
}

// TestLongCallsDiffer: an approval is Codex's own only for the call with all the same arguments, however long.
func TestLongCallsDiffer(t *testing.T) {
	arguments := func(end string) string { return `{"a":"` + strings.Repeat("x", 16<<10) + end + `"}` }
	for end, want := range map[string]elicit.Deed{"y": elicit.DeedTool, "z": ""} {
		var items List
		items.Take(ReadItem([]byte(`{"threadId":"t","item":{"type":"mcpToolCall","id":"c","server":"s","tool":"w",` +
			`"arguments":` + arguments("y") + `}}`)))
		q, no := Decode(MethodElicitation, []byte(`{"threadId":"t","turnId":"u","serverName":"s","mode":"form",`+
			`"message":"m","requestedSchema":{"type":"object","properties":{}},"_meta":{"codex_approval_kind":"mcp_tool_call",`+
			`"tool_name":"w","tool_params":`+arguments(end)+`}}`), &items)
		if no != nil || q.Request.Does != want {
			t.Errorf("ending in %s: %v %q, want %q", end, no, q.Request.Does, want)
		}
	}
}

// TestOneApprovalOfACall: a call has one approval, also if it is announced again. A second one is a server's.
func TestOneApprovalOfACall(t *testing.T) {
	call := []byte(`{"threadId":"t","item":{"type":"mcpToolCall","id":"c","server":"s","tool":"w","arguments":{"a":1}}}`)
	var items List
	for i, want := range []elicit.Claim{elicit.ClaimApproval, elicit.ClaimMalformed} {
		items.Take(ReadItem(call))
		q, no := Decode(MethodElicitation, []byte(`{"threadId":"t","turnId":"u","serverName":"s","mode":"form",`+
			`"message":"m","requestedSchema":{"type":"object","properties":{}},"_meta":{"codex_approval_kind":`+
			`"mcp_tool_call","tool_name":"w","tool_params":{ "a" : 1 }}}`), &items)
		if no != nil || q.Request.Claim != want {
			t.Errorf("approval %d: %v, claim %q, want %q", i, no, q.Request.Claim, want)
		}
		q.Take()
	}
	if items.Done("t", "c"); !items.Empty() || items.size != 0 {
		t.Errorf("%d bytes are left", items.size)
	}
}

// TestCommandOfOtherThings: a command is a list of texts.
func TestCommandOfOtherThings(t *testing.T) {
	for command, good := range map[string]bool{`["ls"]`: true, `["ls",1]`: false, `"ls"`: false, `[]`: false} {
		_, no := Decode(MethodCommandV1, []byte(`{"conversationId":"c","callId":"k","cwd":"/w","command":`+command+`}`), nil)
		if (no == nil) != good || !good && no.Problems[0].Code != "wrong_type" {
			t.Errorf("%s: %+v", command, no)
		}
	}
}
