package verbs

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp: every verb has a text and examples of itself, and every section of the texts has a verb.
func TestHelp(t *testing.T) {
	withoutExample := map[string]bool{"elicit doctor": true, "elicit status": true, "elicit version": true,
		"elicit grants list": true}
	verbs := map[string]bool{}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		verbs[path] = true
		does := !cmd.Hidden && !cmd.HasSubCommands()
		if does && cmd.Long == "" {
			t.Errorf("help.txt has no section for %s", path)
		}
		if does && withoutExample[path] == strings.Contains(cmd.Example, path) {
			t.Errorf("%s: its examples are %q", path, cmd.Example)
		}
		for _, verb := range cmd.Commands() {
			check(verb)
		}
	}
	check(NewRoot())
	for line := range strings.Lines(helpText) {
		if path, is := strings.CutPrefix(line, "# "); is && !verbs[strings.TrimSpace(path)] {
			t.Errorf("help.txt explains %q, which is no verb", path)
		}
	}
	if len(verbs) < 45 {
		t.Errorf("%d verbs", len(verbs))
	}
}
