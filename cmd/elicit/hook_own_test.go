//go:build unix

package main

import (
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
)

// ownHook is what Claude Code gives to its hook before it asks its person: one question with a list of options, and one
// with several choices.
const ownHook = `{"hook_event_name":"PreToolUse","cwd":"/srv/app","session_id":"s1","agent_id":"a1",` +
	`"agent_type":"planner","tool_name":"AskUserQuestion","tool_input":{"answers":{"Which day?":"Tuesday"},` +
	`"questions":[{"question":"Which day?","header":"Day","options":[{"label":"Monday","description":"the 1st"},` +
	`{"label":"Tuesday","description":"the 2nd"}]},{"question":"Which parts?","header":"Parts","multiSelect":true,` +
	`"options":[{"label":"client"},{"label":"server, and data"}]}]}}`

// TestHookOwnQuestion sits at `elicit answer` while an agent asks its own questions. What the model wrote into its own
// call as an answer is not in the answer.
func TestHookOwnQuestion(t *testing.T) {
	useDesks(t, `{"version":1,"rules":[{"when":{"tool":"AskUserQuestion"},"then":"accept"}]}`)
	p := terminaltest.Open(t, 90, 50, "elicit answer")
	p.Wait("Questions of hooks appear here")
	const answers = `"multiSelect":true,"options":[{"label":"client"},{"label":"server, and data"}]}],"answers":{`
	for name, c := range map[string]struct {
		keys []string
		want string
	}{
		"chosen": {[]string{"Down", "Tab", "Tab", "Space", "Down", "Space", "C-s"},
			answers + `"Which day?":"Monday","Which parts?":"client, \"server, and data\""}}}}`},
		"decides": {[]string{"Down", "Down", "Down", "Down", "Tab", "Tab", "Space", "C-s"},
			answers + `"Which day?":"You decide","Which parts?":"client"}}}}`},
		"own words": {[]string{"Down", "Down", "Down", "Tab", "n", "o", "n", "e", "Tab", "Space", "C-s"},
			answers + `"Which day?":"none","Which parts?":"client"}}}}`},
		"beside": {[]string{"Down", "Tab", "p", "m", "Tab", "Space", "C-s"},
			answers + `"Which day?":"Monday","Which parts?":"client"},"annotations":{"Which day?":{"notes":"pm"}}}}}`},
		"in part": {[]string{"Down", "Down", "Down", "Tab", "Tab", "Space", "C-s"},
			answers + `"Which parts?":"client"},"annotations":{"Which day?":{"notes":"Not answered."}}}}}`},
		"declined": {[]string{"C-x"}, `"permissionDecision":"deny","permissionDecisionReason":` +
			`"Elicit: the question is not answered. The person declined to answer"}}`},
		"cancelled": {[]string{"Escape"}, `"permissionDecision":"deny","permissionDecisionReason":` +
			`"Elicit: the question is not answered. The person closed it"}}`},
	} {
		hook := startHook(t, ownHook, "claude-code")
		p.Wait("claude-code (subagent planner) asks", "Tuesday: the 2nd", "Let the agent decide")
		p.Keys(c.keys...)
		hook.says(t, c.want)
		if t.Failed() {
			t.Fatal(name)
		}
		p.Gone("claude-code (subagent planner) asks")
	}
}

// TestHookTellsTheNoteAndTheEdit: the agent's model reads why a call was declined, and the agent runs the command that
// the person has made of its own, unless policy declines that one.
func TestHookTellsTheNoteAndTheEdit(t *testing.T) {
	useDesks(t, `{"version":1,"approval_policy":"on-request",
		"rules":[{"name":"no-force","when":{"command":"git push --force*"},"then":"decline"}]}`)
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	hook := startHook(t, pushHook, "claude-code")
	p.Wait("git push", "^N note", "^E edit")
	p.Keys("C-n")
	p.Wait("the model reads it if you decline")
	p.Type("Ask Ann first.")
	p.Keys("C-s", "C-x")
	hook.says(t, `{"behavior":"deny","message":"Elicit: the person declined, and says: Ask Ann first."}`)

	hook = startHook(t, pushHook, "claude-code")
	p.Wait("git push", "^E edit")
	p.Keys("C-e")
	p.Wait(`"command": "git push"`)
	replace := func(text string) {
		for range 9 { // more lines than the arguments have
			p.Keys("C-u", "BSpace")
		}
		p.Type(text)
		p.Keys("C-s")
		p.Wait("✎ edited arguments:", text)
		p.Keys("y", "Enter")
	}
	replace(`{"command":"git push --force"}`)
	p.Wait("✗ arguments: policy declines the call with these arguments")
	p.Keys("C-e")
	p.Wait("Arguments of the call")
	replace(`{"command":"git push --dry-run"}`)
	hook.says(t, `{"behavior":"allow","updatedInput":{"command":"git push --dry-run"}}`)
}
