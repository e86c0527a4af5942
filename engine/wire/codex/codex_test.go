package codex

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
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
	for size, most := range map[int]int{1 << 10: maxItems, 9 << 10: maxItemBytes / maxMore} {
		var l List
		for i := range 2 * maxItems {
			l.Take(ReadItem([]byte(`{"threadId":"` + "tu"[i%2:i%2+1] + `","item":{"type":"mcpToolCall","id":"` +
				strconv.Itoa(i) +
				`","server":"s","tool":"w","arguments":{"a":"` + strings.Repeat("x", size) + `"}}}`)))
		}
		n := len(l.Calls("t", "s")) + len(l.Calls("u", "s"))
		if n > most || n < most-most/10 || l.size > maxItemBytes || l.Item("u", strconv.Itoa(2*maxItems-1)) == nil {
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
		l.Take(&Item{ID: "a", arguments: strings.Repeat("x", 8<<20-2*(256+1)+more)})
		l.Take(&Item{ID: "b"})
		if (l.Item("", "a") != nil) != kept || l.Item("", "b") == nil {
			t.Errorf("%d bytes beyond the bound: %d items are kept", more, len(l.items))
		}
	}
}

// TestLongCallsDiffer: an approval is Codex's own only for the call with all the same arguments, however long.
func TestLongCallsDiffer(t *testing.T) {
	arguments := func(end string) string { return `{"a":"` + strings.Repeat("x", 2*maxMore) + end + `"}` }
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
