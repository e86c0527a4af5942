package main_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
)

// fiveMegabytes are the lines of a patch.
var fiveMegabytes = strings.Repeat("+0123456789 0123456789\n", 5<<20/23)

// TestRealCodexHostile tests what a hostile model lets Codex ask: a command that paints the terminal, a patch that does
// so, long commands, and a patch of five megabytes. A policy that accepts everything leaves to a person what cannot be
// shown in full. The log prints no control characters.
func TestRealCodexHostile(t *testing.T) {
	t.Parallel()
	r, journal := newCodexRig(t).proxied(t, `{"version":1,"rules":[
		{"name":"all","when":{"does":["command","patch"]},"then":"accept"}]}`)
	long := func(n int) codextest.Step { return escalates("touch " + outside + " #" + strings.Repeat("x", n)) }
	run := r.run(t, codexCase{
		steps: steps(escalates("true # \x1b[2J\x1b[H \u202e dlrow"), patchesWith("../outside/painted", "+\x01\x1b[2J\n"),
			long(2<<20), long(100<<10), patchesWith(outside, fiveMegabytes)),
		asked:   []string{"commandExecution", "commandExecution", "fileChange"},
		answers: obj{"commandExecution": decides("decline"), "fileChange": decides("decline")},
		told: []string{"Process exited with code 0", "Success", "rejected by user", "rejected by user",
			"rejected by user"}, check: written(false)})
	end(run)
	got, want := recordedOutcomes(t, journal), []string{"accept", "accept", "decline", "decline", "decline"}
	if !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
	if text := log(t, journal); strings.ContainsAny(text, "\x1b\x01\u202e") {
		t.Errorf("elicit log printed control characters: %q", text)
	}
}
