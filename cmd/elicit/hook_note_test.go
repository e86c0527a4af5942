//go:build unix

package main

import (
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
)

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
