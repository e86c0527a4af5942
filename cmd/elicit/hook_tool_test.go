package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneRuleForATool tests that one rule decides a tool of an MCP server in each host. Copilot and VS Code have the
// server's name in the tool's.
func TestOneRuleForATool(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(policy, []byte(`{"version":1,"rules":[
		{"name":"no-delete","when":{"does":"tool","tool":["delete","files-delete","mcp_files_delete"]},"then":"decline"},
		{"name":"read","when":{"does":"tool","tool":["read","files-read","mcp_files_read"]},"then":"accept"}]}`),
		0o600); err != nil {
		t.Fatal(err)
	}
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
