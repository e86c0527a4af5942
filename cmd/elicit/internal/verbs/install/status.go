package install

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/managed"
)

// State of a server in the file of a client. The names are those of `elicit status --json`.
const (
	stateWrapped = "wrapped"
	stateLost    = "program_missing" // wrapped by a program that is not there
	stateOpen    = "not_wrapped"     // elicit install can wrap it
	stateCannot  = "cannot_wrap"
)

// serverState returns the state of a server, and why it is so.
func serverState(f clientFile, s *clientconfig.Server) (state, why string) {
	switch {
	case s.Why != "":
		return stateCannot, s.Why
	case s.Wrapped:
		_, err := exec.LookPath(s.Command)
		if err != nil && s.ByHand {
			return stateLost, "you wrote this proxy, and there is no " + s.Command + " in the PATH of this shell; " +
				"the client may have another PATH"
		}
		if err != nil {
			return stateLost, "there is no program " + s.Command + "; `elicit install` gives it the path of this one"
		}
		return stateWrapped, ""
	case f.Project:
		return stateOpen, sharedFile
	}
	return stateOpen, "`elicit install` wraps it"
}

// statusVerb holds the flags of `elicit status`.
type statusVerb struct {
	clientFlags
	json bool
}

// NewStatus makes `elicit status`.
func NewStatus() *cobra.Command {
	var v statusVerb
	cmd := cli.Verb("status", cli.Args(0, 0, "choose with --client and --server"), v.run)
	v.addFlags(cmd)
	cmd.Flags().BoolVar(&v.json, "json", false, "print JSON: files with their servers, and hooks")
	return cmd
}

func (v *statusVerb) run(cmd *cobra.Command, _ []string) error {
	files, _, err := v.read()
	if err != nil {
		return err
	}
	if v.json {
		hooks, err := v.hooksJSON()
		if err != nil {
			return err
		}
		fmt.Fprintf(cli.JSONTo(cmd), "{\"files\":%s,\"hooks\":%s%s}\n", v.filesJSON(files), hooks, managedJSON())
		if slices.ContainsFunc(files, func(f clientFile) bool { return f.err != nil }) {
			return cli.ErrInvalid
		}
		return nil
	}
	if err := v.checkServers(files); err != nil {
		complainOfFiles(cmd.ErrOrStderr(), files)
		return err
	}
	wrapped, total := 0, 0
	for _, f := range files {
		if f.err != nil || len(f.doc.Servers) == 0 {
			continue
		}
		fmt.Fprintln(cmd.OutOrStdout(), f.title())
		table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
		for _, s := range f.doc.Servers {
			if !v.wants(s) {
				continue
			}
			state, why := serverState(f, s)
			if total++; state == stateWrapped {
				wrapped++
			}
			if why == "" {
				why = cli.Cell(innerLine(s))
			}
			fmt.Fprintf(table, "  %s\t%s\t%s\n", strings.ReplaceAll(state, "_", " "), cli.Cell(s.Title()), cli.Cell(why))
		}
		table.Flush()
		fmt.Fprintln(cmd.OutOrStdout())
	}
	hooked, err := v.printHooks(cmd)
	if err != nil {
		return err
	}
	if machine := managed.Read(); machine.Fault != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "Managed policy: every question is declined: %s.\n\n", cli.Cell(machine.Fault))
	} else if machine.Path != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "Managed policy: %s, in force.\n\n", machine.Path)
	}
	if len(files) == 0 && !hooked {
		fmt.Fprintln(cmd.OutOrStdout(), "No configuration file of an MCP client was found.")
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "%d of %s wrapped.\n", wrapped,
			cli.Counted(total, "server is", "servers are"))
	}
	if complainOfFiles(cmd.ErrOrStderr(), files) {
		return cli.Exit(cli.Invalid, errors.New("the files named above cannot be read"))
	}
	return nil
}

// managedJSON is the member of the managed policy, with a comma before it; "" if the machine has none.
func managedJSON() string {
	switch machine := managed.Read(); {
	case machine.Fault != "":
		return `,"managed":{"path":` + cli.Quoted(machine.Path) + `,"problem":` + cli.Quoted(machine.Fault) + `}`
	case machine.Path != "":
		return `,"managed":{"path":` + cli.Quoted(machine.Path) + `}`
	}
	return ""
}

// printHooks lists the hosts of hooks, unless only certain servers are wanted. It reports whether there are any.
func (v *statusVerb) printHooks(cmd *cobra.Command) (bool, error) {
	files, _, err := v.readHooks()
	if err != nil || len(v.servers) > 0 {
		return false, err
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	listed := 0
	for _, f := range files {
		if f.err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s\n", cli.OneLine(f.err.Error()))
			continue
		}
		if f.Project && len(f.doc.Hooks) == 0 {
			continue // not every project has to do with VS Code
		}
		if listed++; listed == 1 {
			fmt.Fprintln(cmd.OutOrStdout(), "Command hooks")
		}
		state, why := hookState(&f)
		fmt.Fprintf(table, "  %s\t%s\t%s\n", hookWords[state], f.Title, cli.Cell(why))
		if state == stateWrapped {
			for _, told := range f.gatesTold() {
				fmt.Fprintf(table, "\t\t  %s\n", cli.Cell(told))
			}
		}
	}
	table.Flush()
	if listed > 0 {
		fmt.Fprintln(cmd.OutOrStdout())
	}
	return listed > 0, nil
}

// hookWords are the states of hooks for people.
var hookWords = map[string]string{stateOpen: "not added", stateWrapped: "added", stateLost: "program missing"}

// hooksJSON lists the hosts of hooks.
func (v *statusVerb) hooksJSON() (string, error) {
	files, _, err := v.readHooks()
	if err != nil {
		return "", err
	}
	return cli.Objects(files, func(f hostHooks) []elicit.Arg {
		file := []elicit.Arg{elicit.Str("host", f.Host), elicit.Str("path", f.Path), elicit.Bool("project", f.Project)}
		if f.err != nil {
			return append(file, elicit.Str("problem", f.err.Error()))
		}
		state, _ := hookState(&f)
		events := each.Of(f.doc.Hooks, func(h clientconfig.Hook) string { return h.Event })
		gates, _ := f.gates()
		return append(file, elicit.Str("state", strings.ReplaceAll(hookWords[state], " ", "_")),
			elicit.Raw("events", cli.JSONStrings(events)), elicit.Raw("gates", cli.JSONStrings(gates)),
			elicit.Raw("skipped_with", cli.JSONStrings(hooks.Skips(hooks.Host(f.Host)))))
	}), nil
}

// innerLine is the command that a proxy starts, without the proxy.
func innerLine(s *clientconfig.Server) string {
	for i, word := range s.Args {
		if word == "--" {
			return strings.Join(s.Args[i+1:], " ")
		}
	}
	return s.Line()
}

func (v *statusVerb) filesJSON(files []clientFile) string {
	return cli.Objects(files, func(f clientFile) []elicit.Arg {
		file := []elicit.Arg{elicit.Str("client", f.Client.ID), elicit.Str("path", f.Path),
			elicit.Bool("project", f.Project)}
		if f.err != nil {
			return append(file, elicit.Str("problem", f.err.Error()))
		}
		wanted := slices.DeleteFunc(slices.Clone(f.doc.Servers), func(s *clientconfig.Server) bool { return !v.wants(s) })
		return append(file, elicit.Raw("servers", cli.Objects(wanted, func(s *clientconfig.Server) []elicit.Arg {
			state, why := serverState(f, s)
			server := []elicit.Arg{elicit.Str("name", s.Key), elicit.Str("state", state)}
			if s.Project != "" {
				server = append(server, elicit.Str("project", s.Project))
			}
			if why != "" {
				server = append(server, elicit.Str("why", why))
			}
			return server
		})))
	})
}
