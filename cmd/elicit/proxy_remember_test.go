//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestAPreparedAnswerIsRemembered: a yes of an answers file holds as long as it says and the policy allows.
func TestAPreparedAnswerIsRemembered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ remember, policy, scope string }{
		"session":       {"session", `{"version":1}`, "session"},
		"always":        {"always", `{"version":1,"grants":"always"}`, "always"},
		"lowered":       {"always", `{"version":1}`, "session"},
		"not at all":    {"session", `{"version":1,"grants":"none"}`, ""},
		"not said once": {"", `{"version":1,"grants":"always"}`, ""},
	} {
		dir := t.TempDir()
		write := func(name, text string) string {
			return must.Write(t, text, dir, name)
		}
		more := ""
		if c.remember != "" {
			more = `,"remember":"` + c.remember + `"`
		}
		// The second question is answered by the yes to the first, or else by a decline.
		answers := write("answers", `[{"answer":{"action":"accept"`+more+`}},{"answer":{"action":"decline"}}]`)
		lines := strings.Join([]string{
			`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
				`"clientInfo":{"name":"c","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"restart"}}`}, "\n") + "\n"
		script := write("script", `{"when":{"answer":"*"},"times":1,"say":[`+serialQuestion+`]}`+"\n"+
			`{"when":{"tool":"restart"},"times":0,"say":[`+serialQuestion+`]}`+"\n"+
			`{"when":{"answer":"*"},"times":0,"say":[{"jsonrpc":"2.0","id":"$call","result":{"content":[]}},{"exit":0}]}`+"\n")
		journal := filepath.Join(dir, "journal")
		cmd := proxyOf(t, []string{programtest.Built(t, "./testdata/rawserver"), script}, "--ui", "answers="+answers,
			"--policy", write("policy", c.policy), "--grants", filepath.Join(dir, "grants"), "--journal", journal)
		in, err := cmd.StdinPipe()
		must.OK(t, err)
		must.OK(t, cmd.Start())
		if _, err := in.Write([]byte(lines)); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the server ends after the second answer
		text := must.Read(t, journal)
		scope, outcomes := "", []string(nil)
		for line := range strings.Lines(string(text)) {
			if g := gjson.Get(line, `effects.#(effect=="remember").grant.scope`); g.Exists() {
				scope = g.Str
			}
			if reply := gjson.Get(line, `effects.#(effect=="reply").outcome`); reply.Exists() {
				outcomes = append(outcomes, reply.Str)
			}
		}
		want := "accept decline"
		if c.scope != "" {
			want = "accept accept"
		}
		if got := strings.Join(outcomes, " "); scope != c.scope || got != want {
			t.Errorf("%s: remembered as %q with the outcomes %q, want %q and %q\n%s", name, scope, got, c.scope, want, text)
		}
	}
}
