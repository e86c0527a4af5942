package hooks_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// An agent asks before it runs a command, and gets its answer in its own words.
func ExampleDecode() {
	hook, problems := hooks.Decode(hooks.ClaudeCode, []byte(`{"hook_event_name":"PreToolUse","session_id":"s1",
		"cwd":"/srv/app","tool_name":"Bash","tool_input":{"command":"git push"}}`))
	if problems != nil {
		panic(problems)
	}
	fmt.Println(hook.Asks, hook.Request.Server, hook.Request.Tool, hook.Request.Command, hook.Request.Cwd)
	answer, _ := hooks.Append(nil, hooks.ClaudeCode, hook.Event, hooks.Verdict{Decision: hooks.Deny, Reason: "no"})
	fmt.Printf("%s\n", answer)
	// Output:
	// call claude-code Bash git push /srv/app
	// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "hooks") }
