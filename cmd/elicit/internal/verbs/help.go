package verbs

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// helpText has a section for every verb: a line "# elicit VERB", what `elicit help VERB` says, and after a line
// "Examples:" its examples.
//
//go:embed help.txt
var helpText string

// explain gives every verb below cmd its text of helpText. A text that the program makes stays.
func explain(cmd *cobra.Command) {
	_, section, _ := strings.Cut("\n"+helpText, "\n# "+cmd.CommandPath()+"\n")
	section, _, _ = strings.Cut(section, "\n# ")
	long, example, _ := strings.Cut("\n"+section, "\nExamples:\n")
	if cmd.Long == "" {
		cmd.Long = strings.TrimSpace(long)
	}
	cmd.Example = strings.Trim(example, "\n")
	for _, verb := range cmd.Commands() {
		explain(verb)
	}
}
