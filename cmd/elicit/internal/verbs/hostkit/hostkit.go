// Package hostkit holds `elicit hostkit`, which certifies the loop of a host.
package hostkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/internal/hostscript"
)

// NewCommand makes `elicit hostkit`.
func NewCommand() *cobra.Command {
	var program, only string
	var asJSON, badge, list bool
	cmd := cli.Verb("hostkit", nil, func(cmd *cobra.Command, args []string) error {
		scripts := hostscript.Scenarios()
		scripts = slices.DeleteFunc(scripts, func(s hostscript.Script) bool { return !strings.Contains(s.Name, only) })
		out := cmd.OutOrStdout()
		if list {
			for _, s := range scripts {
				fmt.Fprintf(out, "%s: %s (%s)\n", s.Name, s.About, strings.Join(s.Effects(), ", "))
			}
			return nil
		}
		if program == "" || len(scripts) == 0 {
			return errors.New("name the program of the host with --exec, and a scenario that --list prints")
		}
		r, err := hostscript.Certify(scripts, append([]string{program}, args...), hostscript.Patience)
		if err != nil {
			return fmt.Errorf("%s: %w", cli.OneLine(program), err)
		}
		return tell(out, r, asJSON, badge)
	})
	cmd.Flags().StringVar(&program, "exec", "", "the program of the host; what follows are its arguments")
	cmd.Flags().StringVar(&only, "only", "", "run the scenarios with this text in their names")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&badge, "badge", false, "print a line of Markdown for a README")
	cmd.Flags().BoolVar(&list, "list", false, "print the scenarios")
	cmd.Flags().SetInterspersed(false)
	return cmd
}

// tell prints the result, and returns the exit code of a host with mistakes.
func tell(out io.Writer, r hostscript.Report, asJSON, badge bool) error {
	switch {
	case asJSON:
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n", text)
	case badge && r.Good():
		fmt.Fprintf(out, "[Elicit](https://github.com/elicit-engine/elicit) %s: %d of %d scenarios of `elicit hostkit` "+
			"passed\n", cli.Version(), r.Passed, r.Scripts)
	default:
		var told strings.Builder
		r.Tell(&told)
		fmt.Fprint(out, ui.Plain(told.String()))
	}
	if !r.Good() {
		return cli.Exit(3, nil)
	}
	return nil
}
