package main_test

import (
	"strings"
	"testing"
)

// hostile tests messages that no SDK sends; rawserver sends them.
func (p parts) hostile(t *testing.T) {
	yes := []rule{{Answer: accept(map[string]any{})}}
	clients := []visit{{client: "go"}, {client: "ts1"}, {client: "ts2"}}

	// A Go client ends its session at the first line that is not JSON, with and without the proxy.
	p.proxiedText(t, clients[1:], "garbage", yes, `"id":"q1"`, `"action":"accept"`)
	p.proxiedText(t, clients, "huge_question", yes, `"id":"big"`, `"error"`)
	p.proxiedText(t, clients, "task", yes, `"io.modelcontextprotocol/related-task":{"taskId":"t-9"}`, `"action":"accept"`)
	p.proxiedText(t, clients, "id_reuse", yes, `"id":7`)
	p.proxiedText(t, clients, "takes_back", nil, "Went on without an answer.")
	p.proxiedText(t, clients, "unasked", yes, "Here.")

	for _, v := range clients {
		t.Run("huge_result/"+v.client, func(t *testing.T) {
			t.Parallel()
			v.tool, v.server = "go", p.behind("none", p.script("huge_result"))
			if got := len(v.one(t, p).text()); got != 4<<20 {
				t.Errorf("length: got %d, want %d", got, 4<<20)
			}
		})
	}
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		want := `{ "id" : 5,"jsonrpc":"2.0" ,"result":{"content":[{"text":"\u00e9 é \/ \ud83d\ude00","type":"text"}],` +
			`"structuredContent":{"b":1.50,"a":12345678901234567890,"c":1E+2}}}`
		l := openLines(t, p.behind("none", p.script("bytes")))
		l.greet(helloNone)
		l.say(callTool("5", "go"))
		if got, _ := l.until("5"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
	t.Run("ids", func(t *testing.T) {
		for tool, id := range map[string]string{"zero": `0`, "minus": `-1`, "empty": `""`,
			"text": `"q \"1\""`, "words": `"7"`} {
			t.Run(tool, func(t *testing.T) {
				t.Parallel()
				v := visit{client: "go", tool: tool, server: p.behind("answers="+answersFile(t, yes), p.script("ids"))}
				contains(t, "answer", v.one(t, p).text(), `"id":`+id, `"action":"accept"`)
			})
		}
		t.Run("big", func(t *testing.T) { // 2^53+1, which JavaScript reads as another number
			t.Parallel()
			v := visit{client: "go", tool: "big", server: p.behind("answers="+answersFile(t, yes), p.script("ids"))}
			contains(t, "answer", v.one(t, p).text(), `"id":null`, "envelope_id")
		})
	})
	t.Run("bad-questions", func(t *testing.T) {
		tools := []string{"nested", "array_root", "no_type", "unknown_required",
			"default_outside", "contradictory", "bad_array",
			"schema_is_text", "unknown_mode", "url_without_url", "no_message",
			"no_params", "duplicate_keys", "lone_surrogate", "deep"}
		for _, tool := range tools {
			t.Run(tool, func(t *testing.T) {
				t.Parallel()
				v := visit{client: "go", tool: tool, server: p.behind("answers="+answersFile(t, yes), p.script("bad_questions"))}
				got := v.one(t, p).text()
				contains(t, "reply", got, `"error":{"code":-32`)
				if strings.Contains(got, `"action":"accept"`) {
					t.Errorf("a broken question was accepted: %s", clip(got))
				}
			})
		}
	})
	t.Run("never-starts", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("none", p.script("dies_at_once")))
		if code, _ := l.end(); code != 4 {
			t.Errorf("exit code: got %d, want the server's 4", code)
		}
	})
}
