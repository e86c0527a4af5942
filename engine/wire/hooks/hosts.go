package hooks

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Host is a program that runs command hooks. The words are those of `elicit install --client`.
type Host string

// These are the hosts.
const (
	ClaudeCode Host = "claude-code"
	Codex      Host = "codex"
	Cursor     Host = "cursor"
	Copilot    Host = "copilot"
	VSCode     Host = "vscode"
	Gemini     Host = "gemini"
	Qwen       Host = "qwen"
	Opencode   Host = "opencode"
)

// Events of Cursor that have a rule of their own.
const (
	preToolUse     = "preToolUse"
	beforeReadFile = "beforeReadFile"
)

// Hosts lists every host.
func Hosts() (list []Host) {
	for i := range tables {
		list = append(list, tables[i].host)
	}
	return list
}

// Events lists the events of a host in its spelling, nil for an unknown host.
func Events(host Host) (list []string) {
	if h := host.table(); h != nil {
		for i := range h.events {
			list = append(list, h.events[i].name)
		}
	}
	return list
}

func (h Host) table() *table {
	for i := range tables {
		if tables[i].host == h {
			return &tables[i]
		}
	}
	return nil
}

// table is everything that differs between hosts.
//
// The maps are for the host's own tools only. A tool that is in none of them is shown with its arguments as JSON.
type table struct {
	host    Host
	session string // the member with the name of the conversation
	events  []spelling
	unnamed bool // the input may leave out the name of the event; it is the first one

	// The host's own tools. The words of a tool are the member of its arguments with the command or the path.
	shell, files map[string]string
	patches      map[string]string // the member with a patch of several files
	changes      []string          // those of files that change the file
	traits       map[string]elicit.Annotations

	questions []string // tools by which the agent itself asks the person something
	skips     []string // modes that start no hook, in words for a person
}

// spelling is one event of a host.
//
// asks is the usual kind of the event. read may change Hook.Asks for one call.
type spelling struct {
	name  string
	asks  Asks
	read  func(*reading, *Hook)
	write writer
	takes elicit.Takes // what the answer has a place for

	answers func(*Hook, wire.Object) []byte // those to the agent's own question, nil if there is no place for them
}

// note is the place of a note: the model reads why a call was denied.
const note = elicit.TakesDeclineNote

var (
	// These are what is known of the host's own tools, in the words of MCP. They do not come from the input.
	reads = elicit.Annotations{ReadOnly: elicit.SaidYes, OpenWorld: elicit.SaidNo}
	looks = elicit.Annotations{ReadOnly: elicit.SaidYes, OpenWorld: elicit.SaidYes} // beyond this machine
	edits = elicit.Annotations{ReadOnly: elicit.SaidNo, Destructive: elicit.SaidYes, OpenWorld: elicit.SaidNo}
)

// tables has the hosts. docs/hooks.md names the source of each.
var tables = []table{
	{
		host: ClaudeCode, session: "session_id",
		events: []spelling{
			{name: "PreToolUse", asks: AboutCall, read: readToolCall, write: writePreToolUse,
				takes: note | elicit.TakesEdit, answers: claudeAnswers},
			{name: "PermissionRequest", asks: AboutCall, read: readToolCall,
				write: writePermissionRequest, takes: note | elicit.TakesEdit},
			{name: "Elicitation", asks: AboutQuestion, read: readElicitation, write: writeElicitation},
			{name: "ElicitationResult", asks: AboutAnswer, read: readElicitationResult, write: writeElicitationResult},
		},
		shell: map[string]string{"Bash": "command", "PowerShell": "command"},
		files: map[string]string{"Read": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path",
			"NotebookEdit": "notebook_path"},
		changes: []string{"Edit", "MultiEdit", "Write", "NotebookEdit"},
		traits: map[string]elicit.Annotations{"Read": reads, "Glob": reads, "Grep": reads, "Edit": edits, "MultiEdit": edits,
			"Write": edits, "NotebookEdit": edits, "WebFetch": looks, "WebSearch": looks},
		questions: []string{"AskUserQuestion"},
		skips:     []string{"`--bare`", "`--safe-mode`", "`disableAllHooks` in its settings"},
	},
	{
		host: Codex, session: "session_id",
		events: []spelling{
			{name: "PreToolUse", asks: AboutCall, read: readToolCall, write: writeCodexGate, takes: note},
			{name: "PermissionRequest", asks: AboutCall, read: readToolCall, write: writePermissionRequest, takes: note},
		},
		shell:     map[string]string{"Bash": "command"},
		patches:   map[string]string{"apply_patch": "command"},
		questions: []string{"request_user_input"},
		skips:     []string{"hooks that you have not trusted with `/hooks`", "`--disable hooks`"},
	},
	{
		host: Cursor, session: "conversation_id",
		events: []spelling{
			{name: "beforeShellExecution", asks: AboutCall, read: readCursorShell, write: writeCursor, takes: note},
			{name: "beforeMCPExecution", asks: AboutCall, read: readCursorMCP, write: writeCursor, takes: note},
			{name: preToolUse, asks: AboutCall, read: readCursorTool, write: writeCursor, takes: note},
			{name: beforeReadFile, asks: AboutCall, read: readCursorFile, write: writeCursor, takes: note},
			{name: "subagentStart", asks: AboutCall, read: readCursorSubagent, write: writeCursor, takes: note},
		},
		shell:     map[string]string{shellOfCursor: "command"},
		questions: []string{"AskQuestion"},
		skips:     []string{"cloud agents, which read only the hooks of a project"},
	},
	{
		host: Copilot, session: "sessionId", unnamed: true,
		events: []spelling{{name: "preToolUse", asks: AboutCall, read: readCopilot, write: writeCopilot, takes: note}},
		shell:  map[string]string{"bash": "command", "powershell": "command"},
		files:  map[string]string{"view": "path", "edit": "path", "create": "path"}, changes: []string{"edit", "create"},
		questions: []string{"ask_user"},
	},
	{
		host: VSCode, session: "session_id",
		events:    []spelling{{name: "PreToolUse", asks: AboutCall, read: readVSCode, write: writePreToolUse, takes: note}},
		shell:     map[string]string{"run_in_terminal": "command", "runTerminalCommand": "command"},
		questions: []string{"askQuestions", "vscode_askQuestions"},
	},
	{
		host: Gemini, session: "session_id",
		events:  []spelling{{name: "BeforeTool", asks: AboutCall, read: readGemini, write: writeGemini, takes: note}},
		shell:   map[string]string{"run_shell_command": "command"},
		files:   map[string]string{"read_file": "file_path", "write_file": "file_path", "replace": "file_path"},
		changes: []string{"write_file", "replace"},
		traits: map[string]elicit.Annotations{"read_file": reads, "read_many_files": reads, "list_directory": reads,
			"glob": reads, "grep_search": reads, "write_file": edits, "replace": edits, "web_fetch": looks,
			"google_web_search": looks},
		questions: []string{"ask_user"},
		skips:     []string{"`hooksConfig.enabled` set to false in its settings"},
	},
	{
		host: Qwen, session: "session_id",
		events: []spelling{
			{name: "PreToolUse", asks: AboutCall, read: readToolCall, write: writePreToolUse, takes: note},
			{name: "PermissionRequest", asks: AboutCall, read: readToolCall, write: writePermissionRequest, takes: note},
		},
		shell:   map[string]string{"run_shell_command": "command"},
		files:   map[string]string{"read_file": "file_path", "write_file": "file_path", "edit": "file_path"},
		changes: []string{"write_file", "edit"},
		traits: map[string]elicit.Annotations{"read_file": reads, "list_directory": reads, "glob": reads,
			"grep_search": reads, "write_file": edits, "edit": edits, "web_fetch": looks},
		questions: []string{"ask_user_question"},
		skips:     []string{"`--bare`", "`--safe-mode`", "`disableAllHooks` in its settings"},
	},
	{
		host: Opencode, session: "sessionID",
		events: []spelling{
			{name: "permission.asked", asks: AboutCall, read: readOpencodePermission, write: writeOpencodePermission,
				takes: note},
			{name: askedByOpencode, asks: AboutOwnQuestion, read: readOpencodeQuestion, write: writeOpencodeQuestion,
				takes: elicit.TakesEdit, answers: opencodeAnswers},
		},
		shell: map[string]string{"bash": "command"}, files: map[string]string{"edit": "filepath"},
		changes: []string{"edit"}, skips: []string{"`--pure`"},
	},
}
