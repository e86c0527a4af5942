package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/internal/must"
)

// Every event has an answer for every decision, and only the decision Allow gives a word that lets a call run.
func TestOnlyAllowAllows(t *testing.T) {
	for _, host := range Hosts() {
		for _, event := range Events(host) {
			for _, d := range []Decision{Allow, Ask, Deny, Cancel} {
				v := Verdict{Decision: d, Reason: "allow\n\"accept\""}
				if event == askedByOpencode && d == Allow { // the answer itself is the yes
					v.Arguments = []byte(`{"answers":"allow"}`)
				}
				out, ok := Append(nil, host, event, v)
				if !ok || !json.Valid(out) {
					t.Fatalf("%s %s %s: %s", host, event, d, out)
				}
				var said any
				must.Unmarshal(t, out, &said)
				if allows := yes(said); allows != (d == Allow && !silentYes(host, event)) {
					t.Errorf("%s %s %s: %s; yes is to have each word of a host that allows, and no other", host, event, d, out)
				}
			}
			for _, d := range []Decision{"", "accept", "ALLOW", "defer"} {
				if out, ok := Append([]byte("x"), host, event, Verdict{Decision: d}); ok || string(out) != "x" {
					t.Errorf("%s %s took the decision %q: %s", host, event, d, out)
				}
			}
		}
		if unread := Unread(host); (unread != "") != (host == Cursor || len(Events(host)) == 1) {
			t.Errorf("%s answers what it cannot read as %q", host, unread)
		} else if unread != "" {
			if _, ok := Append(nil, host, unread, Verdict{Decision: Ask}); !ok {
				t.Errorf("%s has no event %q", host, unread)
			}
		}
	}
}

// silentYes reports events at which silence says that the host goes on.
func silentYes(host Host, event string) bool {
	return event == "ElicitationResult" || host == Codex && event == "PreToolUse"
}

// Every gate is an event, and a host that cannot be asked to prompt gets no such word.
func TestGates(t *testing.T) {
	for _, g := range Gates() {
		out, ok := Append(nil, g.Host, g.Event, Verdict{Decision: Ask, Reason: "why"})
		if !ok || bytes.Contains(out, []byte("ask")) && !AsksAttended(g.Host, g.Event) && CanAsk(g.Host, g.Event) == false {
			t.Errorf("%s %s asks with %s", g.Host, g.Event, out)
		}
		if g.Deny != Blocked {
			t.Errorf("%s %s does not obey a denial", g.Host, g.Event)
		}
		if IsGate(g.Host, "PermissionRequest") {
			t.Errorf("%s sends PermissionRequest only when it would ask", g.Host)
		}
	}
	for host, want := range map[Host]bool{ClaudeCode: true, Codex: false, Copilot: true, VSCode: true, Gemini: false,
		Qwen: true} {
		if got := CanAsk(host, Events(host)[0]); got != want {
			t.Errorf("%s can ask: %t", host, got)
		}
	}
}

// yes reports whether some member is exactly a word that allows.
func yes(v any) bool {
	switch v := v.(type) {
	case string:
		return v == "allow" || v == "accept" || v == "once"
	case map[string]any:
		for _, m := range v {
			if yes(m) {
				return true
			}
		}
	}
	return false
}

// Input of any size ends in a hook or a problem.
func TestHugeInput(t *testing.T) {
	input := func(text string) []byte {
		return []byte(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/a","content":"` +
			text + `"}}`)
	}
	most := strings.Repeat("x", 4<<20-len(input("")))
	if hook, problems := Decode(ClaudeCode, input(most)); problems != nil || len(hook.Request.Message) > 100 {
		t.Errorf("an input of 4 MiB: %v, a message of %d bytes", problems, len(hook.Request.Message))
	}
	for name, doc := range map[string][]byte{
		"too long": input(most + "x"),
		"deep":     bytes.Repeat([]byte(`{"a":`), 1<<20),
	} {
		if hook, problems := Decode(ClaudeCode, doc); problems == nil {
			t.Errorf("%s: %+v", name, hook)
		}
	}
}

// TestShown: a problem repeats 64 bytes of the input at most, and tells that there are more.
func TestShown(t *testing.T) {
	most := strings.Repeat("e", 64)
	for event, want := range map[string]string{most: `"` + most + `"`, most + "e": `"` + most + `…"`} {
		_, problems := Decode(ClaudeCode, []byte(`{"hook_event_name":"`+event+`"}`))
		if len(problems) != 1 || problems[0].Args[1].Raw != want {
			t.Errorf("%d bytes: %+v", len(event), problems)
		}
	}
}

// FuzzDecode looks for inputs that panic, that give a call without its server, or text that no record can hold.
func FuzzDecode(f *testing.F) {
	seeds := []struct {
		host uint8
		doc  string
	}{
		{0, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"},"cwd":"/a/.."}`},
		{0, `{"hook_event_name":"PermissionRequest","tool_name":"mcp__a__b","mcp_server":{"name":"a"}}`},
		{0, `{"hook_event_name":"Elicitation","mcp_server_name":"d","message":"?","requested_schema":{}}`},
		{0, `{"hook_event_name":"ElicitationResult","mcp_server_name":"d","action":"accept","content":{"a":["b"]}}`},
		{0, `{"hook_event_name":"PreToolUse","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"?",` +
			`"multiSelect":true,"options":[{"label":"a, b"},{"label":"c"}]},{"question":"!","kind":"text"}]}}`},
		{1, `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":["a","b c"]}}`},
		{2, `{"hook_event_name":"beforeMCPExecution","tool_name":"a","tool_input":"{\"x\":1}","url":"https://x"}`},
		{3, `{"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`},
		{7, `{"hook_event_name":"permission.asked","id":"p","permission":"bash","metadata":{"command":"ls"}}`},
		{7, `{"hook_event_name":"question.asked","id":"q","questions":[{"question":"?","options":[{"label":"a"}]}]}`},
		{5, `{"hook_event_name":"BeforeTool","tool_name":"x","mcp_context":{"server_name":"s","tool_name":"t"}}`},
	}
	for _, seed := range seeds {
		f.Add(seed.host, []byte(seed.doc))
	}
	hosts := Hosts()
	f.Fuzz(func(t *testing.T, n uint8, doc []byte) {
		host := hosts[int(n)%len(hosts)]
		hook, problems := Decode(host, doc)
		if problems != nil {
			if hook.Request.Server != "" || hook.Action != "" || hook.Answered([]byte(`{"answer0":"0"}`)) != nil {
				t.Fatalf("problems and a request: %+v", hook)
			}
			return
		}
		q := &hook.Request
		if q.Server == "" || !q.Mode.Valid() || q.Ref == "" || !utf8.ValidString(q.Message+q.Command+q.Cwd+q.Tool) {
			t.Fatalf("%+v", hook)
		}
		if hook.Asks == AboutCall && (q.Tool == "" || q.Claim != elicit.ClaimApproval || q.Message == "") {
			t.Fatalf("a call without its tool: %+v", hook)
		}
		if at, wrong := q.WrongPart(); wrong {
			t.Fatalf("parts%s of %q do not fit: %v", at, q.Message, q.Parts)
		}
		told, _ := strings.CutPrefix(q.Message, q.Tool+"\n\n")
		told = strings.TrimSuffix(told, "\n\nIn "+wire.InLine(q.Cwd))
		if q.Command != "" && (q.Server != string(host) || q.Command != wire.Script(told)) {
			t.Fatalf("a command that the message does not show, or of a server: %+v", hook)
		}
		if hook.Asks != AboutCall && q.Mode == elicit.Form && !json.Valid(q.Schema) {
			t.Fatalf("no schema: %s", q.Schema)
		}
		for _, content := range []string{"", `{"answer0":"0"}`, `{"answer0":["0","own"],"own0":"x"}`, `{"answer1":"y"}`} {
			given := hook.Answered([]byte(content))
			if given != nil && (hook.Asks != AboutOwnQuestion || content == "" || !json.Valid(given)) {
				t.Fatalf("%s: an answer that nobody gave: %s", hook.Asks, given)
			}
		}
	})
}

// TestPlainName: each character that the name of a tool cannot have is an underscore.
func TestPlainName(t *testing.T) {
	for name, want := range map[string]string{"azAZ09-_": "azAZ09-_", "a b.c/d": "a_b_c_d", "é": "_", "@[`{": "____",
		"/:": "__"} {
		if got := plainName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestBounds: what is as long as a bound is whole, and one byte more is not.
func TestBounds(t *testing.T) {
	const maxWhole, maxName, maxCommand, maxEditable = 48 << 10, 4 << 10, 64 << 10, 16 << 10
	decode := func(host Host, tool string, arguments map[string]string) elicit.Request {
		doc, err := json.Marshal(map[string]any{"hook_event_name": Events(host)[0], "tool_name": tool, "cwd": "/w",
			"tool_input": arguments})
		must.OK(t, err)
		hook, problems := Decode(host, doc)
		if problems != nil {
			t.Fatal(problems)
		}
		return hook.Request
	}
	for more := range 2 {
		long := func(n int) string { return strings.Repeat("x", n+more) }
		for at, known := range map[string]bool{
			"command": decode(ClaudeCode, "Bash", map[string]string{"command": long(maxCommand)}).Command != "",
			"command elsewhere": decode(Qwen, "run_shell_command", map[string]string{
				"command": long(maxCommand - len("cd /e\n")), "directory": "/e"}).Command != "",
			"tool": !decode(ClaudeCode, long(maxName), map[string]string{"a": ""}).MessageCut,
			"text": !decode(ClaudeCode, "t", map[string]string{"a": long(maxWhole - len(`{"a":""}`))}).MessageCut,
			"edit": decode(ClaudeCode, "t", map[string]string{"a": long(maxEditable - len(`{"a":""}`))}).Arguments != nil,
		} {
			if known != (more == 0) {
				t.Errorf("%s with %d more: %t", at, more, known)
			}
		}
	}
	q := decode(Qwen, "run_shell_command",
		map[string]string{"command": strings.Repeat("x", 2*maxCommand), "directory": "/e"})
	if q.Command != "" || q.Cwd != "" {
		t.Errorf("a command that is too long, in another directory: %.20q in %q", q.Command, q.Cwd)
	}
}
