package hooks

import "slices"

// Conduct is what a host does with a call after its hook has answered or failed.
//
// A test has observed it if the row has a Program. Otherwise the host's pages say it.
type Conduct string

// These are the conducts.
const (
	Runs     Conduct = "runs"      // the call runs, also where the host would have asked
	Blocked  Conduct = "blocked"   // the call does not run, and the model goes on
	Prompts  Conduct = "prompts"   // the host asks its person or its front end
	OwnRules Conduct = "own rules" // as without a hook
	Hangs    Conduct = "hangs"     // the host waits for somebody who is not there
	Unknown  Conduct = "not known" // this program could not be run in a test here, and its pages do not say it
)

// Gate is what a host does at one event before a call, in one mode. The entries of `elicit install` are at work: they
// have its time limit, and say that a failure blocks where the host knows such a word.
//
// A row is for one event in one mode. Two rows of an event differ only in what happens where nobody is there. Hosts
// without a second row were tried, or described, in one mode only.
type Gate struct {
	Host       Host
	Event      string
	Unattended bool // nobody is there: a prompt on the command line, CI

	Allow, Deny, Ask, Silence Conduct // the words of the host, and an empty object
	Late                      Conduct // longer than the time limit
	Crash                     Conduct // exit code 1
	Missing                   Conduct // the shell finds no such program: exit code 127
	Broken                    Conduct // half of a JSON object, with exit code 0

	Program string // the program and its version that a test has run; "" for what the host's pages say
}

// Gates lists every event that comes before a call whether or not the host would ask. An event that a host sends when
// it is about to ask anyway is no gate: modes that never ask skip it.
func Gates() []Gate { return gates }

// IsGate reports whether an event comes before each call that it is about.
func IsGate(host Host, event string) bool { return some(host, event, func(Gate) bool { return true }) }

// some reports whether a row of an event has what fits tells.
func some(host Host, event string, fits func(Gate) bool) bool {
	return slices.ContainsFunc(gates, func(g Gate) bool { return g.Host == host && g.Event == event && fits(g) })
}

// CanAsk reports whether the host's own word for Ask is safe at an event in each of its modes. A hook does not know in
// which mode its host runs, so an Ask that is not safe in all of them must become another answer. Otherwise the call
// would run unseen, or wait without an end. At an event that is no gate, the host is about to ask anyway.
func CanAsk(host Host, event string) bool {
	return !some(host, event, func(g Gate) bool { return g.Ask != Prompts && g.Ask != Blocked })
}

// AsksAttended reports whether the host asks its person at an event, if somebody is there.
func AsksAttended(host Host, event string) bool {
	return some(host, event, func(g Gate) bool { return !g.Unattended && g.Ask == Prompts })
}

// HoldsUnattended reports whether a test has seen that a denial at an event stops the call where nobody is there.
func HoldsUnattended(host Host, event string) bool {
	return some(host, event, func(g Gate) bool { return g.Unattended && g.Program != "" && g.Deny == Blocked })
}

// Skips lists the modes of a host in which it starts no hook, in words for a person.
func Skips(host Host) []string {
	if h := host.table(); h != nil {
		return h.skips
	}
	return nil
}

// neverAsks reports whether an event has no word for Ask in any mode.
//
// No mode is known then in which Ask is safe, so Append writes Deny.
func neverAsks(host Host, event string) bool {
	return IsGate(host, event) && !some(host, event, func(g Gate) bool { return g.Ask == Prompts || g.Ask == Blocked })
}

// Versions of the programs that the tests run.
const (
	claudeRun  = "Claude Code 2.1.331"
	codexRun   = "Codex 0.169.0"
	geminiRun  = "Gemini CLI 0.61.0"
	copilotRun = "Copilot CLI 1.0.102"
	qwenRun    = "Qwen Code 0.24.4"
)

// gates are the rows. realparts_gates_test.go of the command makes those with a program.
var gates = []Gate{
	{Host: ClaudeCode, Event: "PreToolUse", Program: claudeRun, Allow: Runs, Deny: Blocked, Ask: Prompts,
		Silence: OwnRules, Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: OwnRules},
	{Host: ClaudeCode, Event: "PreToolUse", Unattended: true, Program: claudeRun, Allow: Runs, Deny: Blocked,
		Ask: Blocked, Silence: OwnRules, Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: OwnRules},
	{Host: Codex, Event: "PreToolUse", Program: codexRun, Allow: OwnRules, Deny: Blocked, Ask: OwnRules,
		Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: OwnRules, Broken: OwnRules},
	{Host: Codex, Event: "PreToolUse", Unattended: true, Program: codexRun, Allow: OwnRules, Deny: Blocked,
		Ask: OwnRules, Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: OwnRules, Broken: OwnRules},
	{Host: Cursor, Event: "beforeShellExecution", Allow: Runs, Deny: Blocked, Ask: Prompts, Silence: Unknown,
		Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: Blocked},
	{Host: Cursor, Event: "beforeMCPExecution", Allow: Runs, Deny: Blocked, Ask: Prompts, Silence: Unknown,
		Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: Blocked},
	{Host: Cursor, Event: preToolUse, Allow: Runs, Deny: Blocked, Ask: Runs, Silence: Unknown,
		Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: Blocked},
	{Host: Cursor, Event: beforeReadFile, Allow: Runs, Deny: Blocked, Ask: Unknown, Silence: Unknown,
		Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: Blocked},
	{Host: Cursor, Event: "subagentStart", Allow: Runs, Deny: Blocked, Ask: Blocked, Silence: Unknown,
		Late: Blocked, Crash: Blocked, Missing: Blocked, Broken: Blocked},
	{Host: Copilot, Event: "preToolUse", Program: copilotRun, Allow: Runs, Deny: Blocked, Ask: Prompts,
		Silence: OwnRules, Late: OwnRules, Crash: Blocked, Missing: Blocked, Broken: OwnRules},
	{Host: Copilot, Event: "preToolUse", Unattended: true, Program: copilotRun, Allow: Runs, Deny: Blocked,
		Ask: Blocked, Silence: OwnRules, Late: OwnRules, Crash: Blocked, Missing: Blocked, Broken: OwnRules},
	{Host: VSCode, Event: "PreToolUse", Allow: Runs, Deny: Blocked, Ask: Prompts, Silence: OwnRules, Late: Unknown,
		Crash: OwnRules, Missing: OwnRules, Broken: Unknown},
	{Host: Gemini, Event: "BeforeTool", Program: geminiRun, Allow: OwnRules, Deny: Blocked, Ask: Prompts,
		Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: Blocked, Broken: OwnRules},
	{Host: Gemini, Event: "BeforeTool", Unattended: true, Program: geminiRun, Allow: OwnRules, Deny: Blocked,
		Ask: Hangs, Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: Blocked, Broken: OwnRules},
	{Host: Qwen, Event: "PreToolUse", Program: qwenRun, Allow: OwnRules, Deny: Blocked, Ask: Prompts,
		Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: OwnRules, Broken: OwnRules},
	{Host: Qwen, Event: "PreToolUse", Unattended: true, Program: qwenRun, Allow: OwnRules, Deny: Blocked,
		Ask: Blocked, Silence: OwnRules, Late: OwnRules, Crash: OwnRules, Missing: OwnRules, Broken: OwnRules},
}
