package acp_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestPartsCoverTheMessage: the parts of a permission cover its message exactly, whatever the tool call has.
func TestPartsCoverTheMessage(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("a'\n\r/ ")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		call := map[string]any{"toolCallId": "t", "title": word.Draw(t, "title"),
			"kind": rapid.SampledFrom([]string{"execute", "edit", "other"}).Draw(t, "kind")}
		if rapid.Bool().Draw(t, "input") {
			call["rawInput"] = rapid.MapOfN(rapid.SampledFrom([]string{"command", "args", "cwd", "env"}), rapid.OneOf(
				rapid.Map(word, func(s string) any { return s }),
				rapid.Map(rapid.SliceOfN(word, 0, 3), func(s []string) any { return s })), 0, 3).Draw(t, "rawInput")
		}
		if rapid.Bool().Draw(t, "location") {
			call["locations"] = []any{map[string]any{"path": word.Draw(t, "path"), "line": 3}}
		}
		call["content"] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any {
			if rapid.Bool().Draw(t, "diff") {
				change := map[string]any{"operation": "move", "path": word.Draw(t, "to"), "oldPath": word.Draw(t, "from")}
				if rapid.Bool().Draw(t, "listed") {
					return map[string]any{"type": "diff", "changes": []any{change},
						"patch": map[string]any{"format": "git_patch", "text": word.Draw(t, "patch")}}
				}
				return map[string]any{"type": "diff", "path": word.Draw(t, "path"), "oldText": word.Draw(t, "before"),
					"newText": word.Draw(t, "after")}
			}
			return map[string]any{"type": "content", "content": map[string]any{"type": "text", "text": word.Draw(t, "text")}}
		}), 0, 80).Draw(t, "content")
		permission := map[string]any{"sessionId": "s", "toolCall": call,
			"title": word.Draw(t, "prompt"), "subject": map[string]any{"type": "tool_call", "toolCall": call},
			"options": []any{map[string]any{"optionId": "a", "name": "Allow", "kind": "allow_once"}}}
		params, err := json.Marshal(permission)
		must.OK(t, err)
		for _, d := range []acp.Dialect{acp.V1, acp.V2} {
			p, no := d.DecodePermission(params, func(string, string) *acp.Announced { return nil })
			if no != nil {
				t.Fatalf("refused: %v", no.Problems)
			}
			if at, wrong := p.Request.WrongPart(); wrong {
				t.Fatalf("parts%s of %q do not fit: %v", at, p.Request.Message, p.Request.Parts)
			}
		}
	})
}
