package install

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
)

// Verdicts of a check. The names are those of `elicit doctor --json`.
const (
	verdictFine    = "fine"
	verdictWarning = "warning"
	verdictProblem = "problem"
)

// checkup is one line of `elicit doctor`.
type checkup struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Told    string `json:"text"`
	Remedy  string `json:"remedy,omitempty"` // what to do about it; "" for fine
}

// doctor collects checks.
type doctor struct{ list []checkup }

func (d *doctor) fine(name, format string, args ...any) {
	d.list = append(d.list, checkup{name, verdictFine, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(name, remedy, format string, args ...any) {
	d.list = append(d.list, checkup{name, verdictWarning, fmt.Sprintf(format, args...), remedy})
}

func (d *doctor) problem(name, remedy, format string, args ...any) {
	d.list = append(d.list, checkup{name, verdictProblem, fmt.Sprintf(format, args...), remedy})
}

// NewDoctor makes `elicit doctor`.
func NewDoctor() *cobra.Command {
	var asJSON, live bool
	cmd := cli.Verb("doctor", cli.Args(0, 0, "it checks everything"), func(cmd *cobra.Command, _ []string) error {
		var d doctor
		d.checkProgram()
		d.checkPerson()
		d.checkManaged()
		d.checkPolicy()
		d.checkPause()
		d.checkGrants()
		d.checkJournal()
		d.checkClients()
		d.checkHooks()
		if live {
			d.checkLive()
		}
		if asJSON {
			cli.PrintJSON(cmd, map[string][]checkup{"checks": d.list})
		} else {
			d.print(cmd.OutOrStdout())
		}
		return d.end()
	})
	cmd.Flags().BoolVar(&live, "live", false,
		"also send a marked, harmless call through each configured hook and the host's own program, before a scripted model")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: checks with name, verdict, text and remedy")
	return cmd
}

func (d *doctor) count(verdict string) (n int) {
	for _, c := range d.list {
		if c.Verdict == verdict {
			n++
		}
	}
	return n
}

// asksNobody reports whether the checks found no surface to ask on, or a policy with which no server starts.
func (d *doctor) asksNobody() bool {
	return slices.ContainsFunc(d.list, func(c checkup) bool {
		return c.Verdict == verdictProblem || c.Told == noSurface
	})
}

func (d *doctor) end() error {
	switch {
	case d.count(verdictProblem) > 0:
		return cli.Exit(cli.Invalid, nil)
	case d.count(verdictWarning) > 0:
		return cli.Exit(cli.Warned, nil)
	}
	return nil
}

func (d *doctor) print(w io.Writer) {
	out := &colorprofile.Writer{Forward: w, Profile: colorprofile.Detect(w, os.Environ())}
	mark := map[string]string{verdictFine: "\x1b[32mok\x1b[m  ", verdictWarning: "\x1b[33mwarn\x1b[m",
		verdictProblem: "\x1b[31mBAD\x1b[m "}
	for _, c := range d.list {
		fmt.Fprintf(out, "%s  %-10s %s\n", mark[c.Verdict], c.Name, cli.Cell(c.Told))
		if c.Remedy != "" {
			fmt.Fprintf(out, "                 %s\n", cli.Cell(c.Remedy))
		}
	}
	switch bad, warned := d.count(verdictProblem), d.count(verdictWarning); {
	case bad > 0:
		fmt.Fprintf(out, "\nNot ready: %s to correct first.\n", cli.Counted(bad, "thing", "things"))
	case warned > 0:
		fmt.Fprintf(out, "\nReady, with %s.\n", cli.Counted(warned, "warning", "warnings"))
	default:
		fmt.Fprintln(out, "\nReady.")
	}
}
