package main_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
)

// newCodexServerRig is the rig with `codex mcp-server`, which 0.130 still has.
func newCodexServerRig(t *testing.T) codexRig {
	t.Helper()
	r := newCodexRig(t)
	root, err := filepath.Abs("../../testdata/realparts/node_modules/codex-mcp-server")
	if err != nil {
		t.Fatal(err)
	}
	r.codex = codexIn(t, root)
	return r
}

// prompts lets the server take steps, and checks what the model was told of each.
func (r codexRig) prompts(t *testing.T, answer answerer, steps []codextest.Step, told ...string) *codextest.Running {
	t.Helper()
	h := codextest.NewHome(t, asksOnRequest)
	run := h.Start(t, answer, append(slices.Clone(r.between), r.codex, "mcp-server")...)
	run.InitializeMCP()
	result := run.Prompt("codex", obj{"cwd": h.Project}, steps...)
	if !strings.Contains(string(result), "That is all.") {
		t.Errorf("the call has the result %s", result)
	}
	all := h.Model.Told()
	if len(all) != len(told) {
		t.Fatalf("the model was told %q", all)
	}
	for i := range told {
		if !strings.Contains(all[i], told[i]) {
			t.Errorf("step %d told the model %s, want %s", i+1, all[i], told[i])
		}
	}
	return run
}

// TestRealCodexServer tests `codex mcp-server` behind the proxy. It expects answers in words of its own, and waits for
// ever after some of them. A client that speaks MCP alone can use it, and every call ends.
func TestRealCodexServer(t *testing.T) {
	t.Parallel()
	direct := newCodexServerRig(t)
	const ran, changed, refused = "Process exited with code 0", "Success", "rejected by user"
	both := steps(escalates("touch "+outside), patches("../outside/other"))
	says := func(result any) answerer {
		return func(codextest.Message) codextest.Answer { return codextest.Answer{Result: result} }
	}
	for _, c := range []struct {
		name, policy string
		flags        []string
		answer       answerer
		told         []string
		outcomes     []string
	}{
		{"accepted in the words of MCP", asksAll, nil, says(accepted(obj{})), []string{ran, changed},
			[]string{"accept", "accept"}},
		{"accepted in the words of Codex", asksAll, nil, says(decides("approved")), []string{ran, changed},
			[]string{"accept", "accept"}},
		{"declined", asksAll, nil, says(action("decline")), []string{refused, refused}, []string{"decline", "decline"}},
		{"cancelled", asksAll, nil, says(action("cancel")), []string{refused, refused}, []string{"cancel", "cancel"}},
		{"aborted", asksAll, nil, says(decides("abort")), []string{refused, refused}, []string{"cancel", "cancel"}},
		{"answered with an error", asksAll, nil, answers(nil), []string{refused, refused}, []string{"decline", "decline"}},
		{"answered with nonsense", asksAll, nil, says("yes"), []string{refused, refused}, []string{"cancel", "cancel"}},
		{"nobody asked", asksAll, []string{"--ui", "none"}, silent, []string{refused, refused},
			[]string{"cancel", "cancel"}},
		{"not answered", asksAll, []string{"--answer-within", "1ms"}, silent, []string{refused, refused},
			[]string{"decline", "decline"}},
		{"decided by policy", `{"version":1,"rules":[{"when":{"command":"touch *"},"then":"accept"},
			{"when":{"does":"patch"},"then":"decline"}]}`, nil, silent, []string{ran, refused}, []string{"accept", "decline"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, journal := direct.proxied(t, c.policy, c.flags...)
			run := r.prompts(t, c.answer, both, c.told...)
			if asked := run.Requests(); len(asked) > 1 {
				contains(t, "the first question", asked[0].Param("message"), "touch "+outside)
				contains(t, "the second question", asked[1].Param("message"), "outside/other\n+hello")
			}
			end(run)
			if got := recordedOutcomes(t, journal); !slices.Equal(got, c.outcomes) {
				t.Errorf("the journal has %v, want %v", got, c.outcomes)
			}
		})
	}
	t.Run("without the proxy", func(t *testing.T) { // a yes in the words of MCP is none
		t.Parallel()
		direct.prompts(t, says(accepted(obj{})), both, refused, refused)
	})
	t.Run("a patch of five megabytes", func(t *testing.T) {
		t.Parallel()
		r, _ := direct.proxied(t, `{"version":1,"rules":[{"when":{"does":"patch"},"then":"accept"}]}`)
		run := r.prompts(t, says(accepted(obj{"decision": "approved"})), steps(patchesWith(outside, fiveMegabytes)), changed)
		asked := run.Requests()[0]
		contains(t, "the question", asked.Param("message"), "outside/note", "more bytes, SHA-256")
		contains(t, "the form", asked.Param("requestedSchema"), `"required":["decision"]`)
		end(run)
	})
	t.Run("the client dies", func(t *testing.T) {
		t.Parallel()
		r, journal := direct.proxied(t, asksAll)
		h := codextest.NewHome(t, asksOnRequest)
		run := h.Start(t, silent, append(slices.Clone(r.between), r.codex, "mcp-server")...)
		run.InitializeMCP()
		run.Send(obj{"id": 1, "method": "tools/call", "params": obj{"name": "codex", "arguments": obj{"cwd": h.Project,
			"prompt": h.Model.Script(escalates("touch " + outside))}}})
		run.Wait("the question", codextest.Message.Asks)
		end(run)
		written(false)(t, run)
		if got := recordedOutcomes(t, journal); slices.Contains(got, "accept") {
			t.Errorf("the journal has %v", got)
		}
	})
}
