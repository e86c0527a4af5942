package hook

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestHookEndsBeforeItsHost tests that a hook whose guardian gives no verdict denies by itself, and that the time limit
// which each host is given is longer than that takes. A host that ends a hook may let the call run.
func TestHookEndsBeforeItsHost(t *testing.T) {
	if testing.Short() {
		t.Skip("a hook waits for 12 seconds at least")
	}
	guardian := must.Write(t, `[{"command":["sleep","600"],"name":"slow","reads":["/request"],
		"deadline_ms":600000}]`, t.TempDir(), "slow.json")
	limit := regexp.MustCompile(`"timeout(Sec)?": (\d+)`)
	inputs := map[hooks.Host]string{
		hooks.Cursor:   `{"conversation_id":"c","hook_event_name":"beforeShellExecution","command":"ls"}`,
		hooks.Copilot:  `{"sessionId":"s","toolName":"bash","toolArgs":{"command":"ls"}}`,
		hooks.Gemini:   `{"session_id":"s","hook_event_name":"BeforeTool","tool_name":"list_directory","tool_input":{}}`,
		hooks.Opencode: `{"sessionID":"s","id":"p","hook_event_name":"permission.asked","permission":"task"}`,
	}
	words := map[hooks.Host]string{hooks.Opencode: "reject"}
	for _, host := range hooks.Hosts() {
		t.Run(string(host), func(t *testing.T) {
			t.Parallel()
			in := inputs[host]
			if in == "" {
				in = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"T","tool_input":{}}`
			}
			if _, problems := hooks.Decode(host, []byte(in)); problems != nil {
				t.Fatalf("inputs has no call of this host: %v", problems)
			}
			config, err := json.MarshalIndent(clientconfig.HookSetting(host, "elicit", nil, time.Second), "", " ")
			must.OK(t, err)
			ends := time.Second + clientconfig.HookMargin - hookEnd
			limits := limit.FindAllStringSubmatch(string(config), -1)
			place := clientconfig.UsualHookFile(string(host))
			if limits == nil && host != hooks.Opencode || place != "~/.claude/settings.json" && host == hooks.ClaudeCode {
				t.Errorf("limit finds no time limit, or the file of the host is not at %s:\n%s", place, config)
			}
			for _, found := range limits {
				n, _ := strconv.Atoi(found[2])
				if n >= 1000 { // of milliseconds
					n /= 1000
				}
				if given := time.Duration(n) * time.Second; given <= ends {
					t.Errorf("the host ends the hook after %v, and the hook ends after %v", given, ends)
				}
			}
			code, out, notes := answerHook(strings.NewReader(in), "--answer-within", "1s", "--on-failure", "deny",
				"--guardian", guardian, string(host))
			if code != 0 || !strings.Contains(out, cmp.Or(words[host], "deny")) ||
				!strings.Contains(notes, "in the time that the agent waits") {
				t.Errorf("exit code %d, %s%s; words has the host's denial, if it is not deny", code, out, notes)
			}
		})
	}
}
