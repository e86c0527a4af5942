// Package install holds the verbs that set Elicit up: `elicit install` and `elicit uninstall` change the configuration
// files of clients and agents, `elicit status` shows them, and `elicit doctor` looks for what is wrong.
package install

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
)

// installVerb holds the flags of `elicit install` and `elicit uninstall`.
type installVerb struct {
	clientFlags
	undo, project, hooks, dryRun, yes bool
	out                               io.Writer
}

// NewInstall makes `elicit install`.
func NewInstall() *cobra.Command {
	var v installVerb
	cmd := cli.Verb("install", cli.Args(0, 0, "choose with --client and --server"), v.run)
	cmd.Aliases = []string{"wrap"}
	v.addFlags(cmd)
	cmd.Flags().BoolVar(&v.project, "project", false, "also files in the current project, which others may share")
	cmd.Flags().BoolVar(&v.hooks, "hooks", false, "also add elicit hook to the command hooks of coding agents")
	return cmd
}

// NewUninstall makes `elicit uninstall`.
func NewUninstall() *cobra.Command {
	v := installVerb{undo: true, project: true}
	cmd := cli.Verb("uninstall", cli.Args(0, 0, "choose with --client and --server"), v.run)
	cmd.Aliases = []string{"unwrap"}
	v.addFlags(cmd)
	return cmd
}

func (v *installVerb) addFlags(cmd *cobra.Command) {
	v.clientFlags.addFlags(cmd)
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "show what would change, and change nothing")
	cmd.Flags().BoolVarP(&v.yes, "yes", "y", false, "do not ask")
}

// planned is a file that will change.
type planned struct {
	path  string
	write func() error
	again func() (still bool, err error) // plans the change in what is in the file now
}

func (v *installVerb) run(cmd *cobra.Command, _ []string) error {
	elicit, err := cli.OwnProgram()
	if err != nil && !v.undo {
		return err
	}
	files, records, err := v.read()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	v.out = &colorprofile.Writer{Forward: w, Profile: colorprofile.Detect(w, os.Environ())}
	wrong := complainOfFiles(cmd.ErrOrStderr(), files)
	if err := v.checkServers(files); err != nil {
		return err
	}
	complain := func(err error) {
		wrong = true
		fmt.Fprintf(cmd.ErrOrStderr(), "%s\n", cli.OneLine(err.Error()))
	}
	var plans []planned
	servers := 0
	for _, f := range files {
		if f.err != nil {
			continue
		}
		p, n, err := v.plan(f, records, elicit)
		if err != nil {
			complain(err)
		}
		if p != nil {
			plans, servers = append(plans, *p), servers+n
		}
	}
	plannedHooks, err := v.planHooks(complain, elicit)
	if err != nil {
		return err
	}
	end := error(nil)
	if wrong {
		end = cli.Exit(cli.Invalid, errors.New("the files named above were left alone; correct them, then run this again"))
	}
	var parts []string
	if len(plans) > 0 {
		parts = append(parts, cli.Counted(servers, "server", "servers")+" in "+cli.Counted(len(plans), "file", "files"))
	}
	if len(plannedHooks) > 0 {
		parts = append(parts, "the hooks of "+cli.Counted(len(plannedHooks), "host", "hosts"))
	}
	if len(parts) == 0 {
		v.sayNothing(len(files))
		return end
	}
	what := strings.Join(parts, " and ")
	if v.dryRun {
		fmt.Fprintf(v.out, "\nWithout --dry-run, %s would change.\n", what)
		return end
	}
	if !v.yes {
		if err := v.ask(cmd, what); err != nil {
			return err
		}
	}
	for _, p := range append(plans, plannedHooks...) {
		if err := p.writeUnlessChanged(); err != nil {
			complain(err)
			end = cli.Exit(cli.Invalid, errors.New("the files named above were left alone; run this again"))
		}
	}
	if end == nil {
		v.sayDone(what, len(plannedHooks) > 0)
	}
	return end
}

// plan finds out what changes in one file, and prints it.
func (v *installVerb) plan(f clientFile, records clientconfig.Records, elicit string) (*planned, int, error) {
	chosen, left := v.choose(f)
	servers := chosen // nil for all that are ours
	// A proxy that somebody wrote has got another path, and nothing else was changed.
	restore := v.undo && len(v.clientFlags.servers) == 0 && len(chosen) == 0 && records.Untouched(f.doc)
	if len(chosen) == 0 && len(left) == 0 && !restore {
		return nil, 0, nil
	}
	if v.undo && len(v.clientFlags.servers) == 0 {
		servers = nil
	}
	fmt.Fprintf(v.out, "\n\x1b[1m%s\x1b[m\n", f.title())
	for _, line := range left {
		fmt.Fprintf(v.out, "  %s\n", line)
	}
	if len(chosen) == 0 && !restore {
		return nil, 0, nil
	}
	if err := f.doc.Writable(); err != nil {
		return nil, 0, err
	}
	next, err := v.changed(f.doc, servers, records, elicit)
	if err != nil {
		return nil, 0, err
	}
	v.printHunks(f.doc.Diff(next))
	write := records.Install
	if v.undo {
		write = records.Uninstall
	}
	p := &planned{path: f.Path, write: func() error { return write(f.doc, next) }, again: func() (still bool, err error) {
		if f.doc, servers, err = f.readAgain(servers); err == nil {
			next, err = v.changed(f.doc, servers, records, elicit)
		}
		return true, err
	}}
	return p, max(len(chosen), 1), nil
}

// readAgain reads a file that a client has written since it was read, and finds the same servers in it.
func (f *clientFile) readAgain(servers []*clientconfig.Server) (*clientconfig.Doc, []*clientconfig.Server, error) {
	doc, err := clientconfig.Read(f.File)
	if err != nil || servers == nil {
		return doc, nil, err
	}
	found := slices.DeleteFunc(slices.Clone(doc.Servers), func(s *clientconfig.Server) bool {
		return !slices.ContainsFunc(servers, func(was *clientconfig.Server) bool {
			return was.Key == s.Key && was.Project == s.Project && was.Line() == s.Line()
		})
	})
	if len(found) != len(servers) {
		return nil, nil, fmt.Errorf("%s: the servers changed in the meantime", f.Path)
	}
	return doc, found, nil
}

// printHunks prints the lines that change.
func (v *installVerb) printHunks(hunks []clientconfig.Hunk) {
	for _, h := range hunks {
		fmt.Fprintf(v.out, "  \x1b[36m@ line %d\x1b[m\n", h.Line)
		for _, line := range h.Old {
			fmt.Fprintf(v.out, "  \x1b[31m- %s\x1b[m\n", cli.Cell(line))
		}
		for _, line := range h.New {
			fmt.Fprintf(v.out, "  \x1b[32m+ %s\x1b[m\n", cli.Cell(line))
		}
	}
}

func (v *installVerb) changed(d *clientconfig.Doc, servers []*clientconfig.Server, records clientconfig.Records,
	elicit string) (*clientconfig.Doc, error) {
	if v.undo {
		return records.Restored(d, servers)
	}
	return d.Wrap(servers, elicit)
}

// choose lists the servers of a file that change, and a line for each that does not and should be told.
func (v *installVerb) choose(f clientFile) (chosen []*clientconfig.Server, left []string) {
	for _, s := range f.doc.Servers {
		if !v.wants(s) {
			continue
		}
		switch state, why := serverState(f, s); {
		case v.undo:
			if s.Ours {
				chosen = append(chosen, s)
			}
		case state == stateWrapped:
		case state == stateLost && s.ByHand:
			left = append(left, fmt.Sprintf("%s stays as it is: %s", cli.Cell(s.Title()), why))
		case state == stateOpen && f.Project && !v.project:
			left = append(left, fmt.Sprintf("%s is not wrapped: %s", cli.Cell(s.Title()), sharedFile))
		case state == stateOpen || state == stateLost:
			chosen = append(chosen, s)
		default:
			left = append(left, fmt.Sprintf("%s is not wrapped: %s", cli.Cell(s.Title()), why))
		}
	}
	return chosen, left
}

const sharedFile = "the file is in a project, where others may share it; --project changes it too"

// ask asks before anything is written.
func (v *installVerb) ask(cmd *cobra.Command, what string) error {
	if in, ok := cmd.InOrStdin().(*os.File); ok {
		if at, err := in.Stat(); err != nil || at.Mode()&os.ModeCharDevice == 0 {
			return errors.New("nobody can be asked, because standard input is no terminal; give --yes or --dry-run")
		}
	}
	fmt.Fprintf(v.out, "\nChange %s? [y/N] ", what)
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && line == "" {
		fmt.Fprintln(v.out)
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer == "y" || answer == "yes" {
		return nil
	}
	return cli.Exit(cli.Declined, errors.New("nothing was changed"))
}

// writeUnlessChanged writes a file. While another program has changed the file since it was read, it plans the change
// again in what is there now, and tries again if there still is one.
func (p *planned) writeUnlessChanged() error {
	for range 3 {
		if err := p.write(); !errors.Is(err, clientconfig.ErrChanged) {
			return err
		}
		if still, err := p.again(); err != nil || !still {
			return err
		}
	}
	return fmt.Errorf("%s: another program writes it again and again; quit that program first", p.path)
}

func (v *installVerb) sayNothing(files int) {
	switch {
	case v.undo:
		fmt.Fprintln(v.out, "\nNothing to undo: no server is wrapped by elicit install.")
	case files == 0 && v.hooks:
		fmt.Fprintln(v.out, "Nothing to do: there is no configuration file of an MCP client, and no hook to add.")
	case files == 0:
		fmt.Fprintln(v.out, "No configuration file of an MCP client was found. `elicit install --help` lists the clients.")
	case v.hooks:
		fmt.Fprintln(v.out, "\nNothing to do: every other server is wrapped already, and the hooks are added.")
	default:
		fmt.Fprintln(v.out, "\nNothing to do: every other server is wrapped already.")
	}
}

func (v *installVerb) sayDone(what string, hooked bool) {
	if v.undo {
		fmt.Fprintf(v.out, "\nDone: %s changed back. Restart the clients.\n", what)
		return
	}
	var d doctor
	d.checkPerson()
	d.checkPolicy()
	if d.asksNobody() {
		fmt.Fprintf(v.out, "\n%s changed, but not everybody can be asked yet.\n", capital(what))
	} else {
		fmt.Fprintf(v.out, "\nDone: %s changed.\n", what)
	}
	for _, c := range d.list {
		if c.Remedy != "" {
			fmt.Fprintf(v.out, "  ! %s\n    %s\n", cli.Cell(c.Told), cli.Cell(c.Remedy))
		}
	}
	fmt.Fprintln(v.out, "Restart the clients, then ask for something that needs a form.\n"+
		"`elicit doctor` says more of who is asked, and where; `elicit uninstall` undoes this.")
	if hooked {
		fmt.Fprintln(v.out, "Policy decides before a call of a hooked agent now. `elicit policy init` writes one for every "+
			"day; `elicit policy init careful` and `unattended` are stricter.")
	}
}

// capital is a text with a capital at its beginning.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
