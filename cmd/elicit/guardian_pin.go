package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
)

func newGuardianPinCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "pin MODULE.wasm",
		Short: "Print a grant for a module, to paste into a configuration",
		Long: `Print a grant that pins this very module by its digest: the configuration's
"guardians" is a list of those. It grants all that the module declares, except
secrets: a password that was typed is shown only to a guardian whose grant names
its field, as in "/answer/password". Take away what you do not want it to see.`,
		Example: "  elicit guardian pin links.wasm >links.json",
		Args:    between(1, 1, "give one module"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, m, err := readGuest(cmd, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(jsonTo(cmd), "%s\n", suggested(m))
			return nil
		},
	}
}

// suggested is the grant of a module for which nobody has said more.
func suggested(m *guest.Module) []byte {
	var reads guardian.Reads
	for _, p := range m.Manifest.Reads {
		reads = append(reads, openly(p))
	}
	members := []elicit.Arg{elicit.Str("name", m.Manifest.Name), elicit.Str("digest", m.Digest),
		elicit.Raw("declared", string(declaration(m))), elicit.Raw("reads", string(reads.AppendJSON(nil)))}
	if m.WASI {
		members = append(members, elicit.Raw("wasi", "true"), elicit.Num("fuel", runtimeFuel))
	}
	return appendObject(nil, members)
}

// runtimeFuel is a budget for guests that bring a language's runtime along: Go's spends over a million before the guardian
// begins.
const runtimeFuel = 20_000_000

// openly is a pattern without the force to uncover a secret, which takes the exact name of an answer's field: what it
// shows of other fields the declaration takes away again.
func openly(p guardian.Pattern) guardian.Pattern {
	tokens := strings.SplitN(p.String(), "/", 4)
	if len(tokens) < 3 || tokens[1] != "answer" {
		return p
	}
	tokens[2] = "*"
	wide, _ := guardian.ParsePattern(strings.Join(tokens, "/"))
	return wide
}

// declaration is {"phases","reads"} as a grant repeats them.
func declaration(m *guest.Module) []byte {
	var phases []string
	for _, p := range m.Manifest.Phases {
		phases = append(phases, elicit.Str("", string(p)).Raw)
	}
	members := []elicit.Arg{elicit.Raw("phases", "["+strings.Join(phases, ",")+"]"), elicit.Raw("reads", string(m.Manifest.Reads.AppendJSON(nil)))}
	if len(m.Manifest.Codes) > 0 {
		members = append(members, elicit.Raw("codes", texts(m.Manifest.Codes)))
	}
	return appendObject(nil, members)
}
