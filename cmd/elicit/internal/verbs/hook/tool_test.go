package hook

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestOneRuleForATool tests that one rule decides a tool of an MCP server in each host. Copilot and VS Code have the
// server's name in the tool's.
func TestOneRuleForATool(t *testing.T) {
	policy := must.Write(t, `{"version":1,"rules":[
		{"name":"no-delete","when":{"does":"tool","tool":["delete","files-delete","mcp_files_delete"]},"then":"decline"},
		{"name":"read","when":{"does":"tool","tool":["read","files-read","mcp_files_read"]},"then":"accept"}]}`,
		t.TempDir(), "policy.json")
	for host, input := range map[string]string{
		"claude-code": `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"mcp__files__NAME","tool_input":{}}`,
		"codex":       `{"hook_event_name":"PermissionRequest","tool_name":"mcp__files__NAME","tool_input":{}}`,
		"cursor": `{"conversation_id":"c","hook_event_name":"beforeMCPExecution","tool_name":"NAME","tool_input":"{}",
			"command":"files"}`,
		"copilot": `{"sessionId":"s","toolName":"files-NAME","toolArgs":{}}`,
		"vscode":  `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"mcp_files_NAME","tool_input":{}}`,
		"gemini": `{"session_id":"s","hook_event_name":"BeforeTool","tool_name":"mcp_files_NAME","tool_input":{},
			"mcp_context":{"server_name":"files","tool_name":"NAME"}}`,
	} {
		for tool, word := range map[string]string{"delete": `"deny"`, "read": `"allow"`} {
			in := strings.NewReader(strings.ReplaceAll(input, "NAME", tool))
			code, out, notes := answerHook(in, "--policy", policy, host)
			if code != 0 || !strings.Contains(out, word) || word == `"deny"` && !strings.Contains(out, "no-delete") {
				t.Errorf("%s, %s: exit code %d, %s%s", host, tool, code, out, notes)
			}
		}
	}
}

// TestLongCalls tests that a call is decided whose arguments, command or patch are too long to be shown whole. A rule
// about the message cannot see all of it, so one that declines asks.
func TestLongCalls(t *testing.T) {
	policy := must.Write(t, `{"version":1,"rules":[
		{"name":"no-touch","when":{"command":"touch *"},"then":"decline"},
		{"name":"no-secret","when":{"message":"*secret*"},"then":"decline"},
		{"name":"all","when":{"server":"*"},"then":"accept"}]}`, t.TempDir(), "policy.json")
	long := strings.Repeat("do it ", 400<<10/6)
	for _, tt := range [][2]string{
		{`"Task","tool_input":{"prompt":"` + long[:70<<10] + `"}`, `"ask"`},
		{`"Task","tool_input":{"prompt":"` + long + `"}`, `"ask"`},
		{`"Task","tool_input":{"prompt":"secret ` + long + `"}`, `"deny"`},
		{`"Bash","tool_input":{"command":"echo ` + long + `"}`, `"ask"`},
		{`"Bash","tool_input":{"command":"echo ` + long[:60<<10] + `; touch x"}`, `"deny"`},
		{`"Bash","tool_input":{"command":"echo ` + long + `; touch x"}`, `"ask"`},
		{`"mcp__files__write","tool_input":{"text":"` + long + `"}`, `"ask"`},
		{`"Write","tool_input":{"file_path":"x","content":"` + long + `"}`, `"allow"`},
		{`"Task","tool_input":{"prompt":"` + long[:40<<10] + `"}`, `"allow"`},
	} {
		in := strings.NewReader(`{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/w","tool_name":` + tt[0] + `}`)
		if code, out, notes := answerHook(in, "--ui", "host", "--policy", policy, "claude-code"); code != 0 ||
			!strings.Contains(out, tt[1]) {
			t.Errorf("%.60s: exit code %d, %.300s%.300s; want %s", tt[0], code, out, notes, tt[1])
		}
	}
}

// TestHookReasonsDoNotSayThatElicitAsks where something else has decided.
func TestHookReasonsDoNotSayThatElicitAsks(t *testing.T) {
	asks := elicit.Reason{Code: "approval_policy_asks", Layer: "builtin"}
	for want, reasons := range map[string][]elicit.Reason{
		"Elicit: You have no rule for this, so Elicit asks": {asks},
		"Elicit: You agreed to this question before":        {asks, {Code: "granted"}},
	} {
		if got := sayReasons(reasons, nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
