package rules

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/managed"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// Layers are the policy files that the flags of a command name, one for each layer.
type Layers struct {
	Files [4]string
	docs  [4]cli.Document

	// fallback is the file of the user layer when no flag names one. It may be missing.
	fallback string

	// machine is the managed policy of this machine, which no flag leaves out. It is read together with the files of a
	// command that called useDefaultPlaces.
	machine  managed.Policy
	Governed bool
}

// UseDefaultPlaces makes the policy of this machine the managed layer. It makes the policy at the default place that of
// the user layer, unless a flag names another file or "none". A command calls it that answers for the person, or that
// prints what such a command would do.
func (l *Layers) UseDefaultPlaces() {
	l.Governed = true
	switch file := l.file(policy.User); *file {
	case places.None:
		*file = ""
	case "":
		l.fallback, _ = places.Policy() // without a configuration directory there is none
	}
}

func (l *Layers) file(of policy.Layer) *string { return &l.Files[slices.Index(policy.Layers(), of)] }

// Rest leaves out all layers but that of the administrator.
func (l *Layers) Rest() {
	*l = Layers{Files: [4]string{l.Files[0]}, Governed: l.Governed}
}

// unread returns layers for the same files, which are not read yet.
func (l *Layers) unread() Layers {
	next := Layers{Files: l.Files, fallback: l.fallback, Governed: l.Governed}
	for i, file := range next.Files {
		if file == l.fallback || file == l.machine.Path {
			next.Files[i] = ""
		}
	}
	return next
}

// AddFlags adds a flag for the file of each layer. --policy is another name of --user.
func (l *Layers) AddFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(l.file(policy.User), "policy", "", "policy `file`, the same as --user")
	for i, layer := range policy.Layers() {
		usage := "policy `file` of the " + layer.String() + " layer"
		if i > 0 {
			usage += "; it can only tighten the layers above"
		}
		f.StringVar(&l.Files[i], layer.String(), "", usage)
	}
	cmd.MarkFlagsMutuallyExclusive("policy", "user")
}

// Found reports whether any layer has a file: that of a flag, and once the files are read also that of a default place.
func (l *Layers) Found() bool { return l.Files != [4]string{} }

// Read reads the files and prints every problem in them. The result right is false when any file has a problem; err is
// set when a file cannot be read.
func (l *Layers) Read(cmd *cobra.Command, open func(string) (*os.File, error)) (right bool, err error) {
	right = true
	if err := l.readMachine(cmd.ErrOrStderr()); err != nil {
		return false, err
	}
	for i, layer := range policy.Layers() {
		if layer == policy.User && l.Files[i] == "" && l.fallback != "" {
			if _, err := os.Lstat(l.fallback); !errors.Is(err, fs.ErrNotExist) {
				l.Files[i] = l.fallback
			}
		}
		if l.Files[i] == "" || l.Files[i] == l.machine.Path {
			continue
		}
		if l.docs[i], err = cli.ReadOpened(cmd, l.Files[i], open); err != nil {
			return false, err
		}
		_, problems := policy.Parse(layer, l.docs[i].Text)
		if problems != nil {
			right = false
		}
		l.docs[i].PrintProblems(cmd.ErrOrStderr(), problems)
	}
	return right, nil
}

// readMachine makes the managed policy of this machine the managed layer. A file that cannot be used is a layer that
// declines every question, so that no command may go on without it.
func (l *Layers) readMachine(notes io.Writer) error {
	if !l.Governed {
		return nil
	}
	top := slices.Index(policy.Layers(), policy.Managed)
	if l.machine = managed.Read(); l.machine.Path == "" {
		return nil
	}
	if l.Files[top] != "" {
		return fmt.Errorf("this machine has a managed policy, %s, and --managed cannot replace it; "+
			"give %s as another layer, such as --project", l.machine.Path, l.Files[top])
	}
	if l.machine.Fault != "" {
		fmt.Fprintf(notes, "elicit: every question is declined: %s\n", ui.Plain(l.machine.Fault))
	}
	l.Files[top], l.docs[top] = l.machine.Path, cli.Document{Name: l.machine.Path, Text: l.machine.Text}
	return nil
}

// SayMachine says that a decision counts the managed policy of this machine.
func (l *Layers) SayMachine(notes io.Writer) {
	if l.machine.Path != "" {
		fmt.Fprintf(notes, "with the managed policy of this machine, %s\n", l.machine.Path)
	}
}

// OpenPolicy opens a policy that answers for a person. Anyone who can write the file can answer in the person's place,
// so OpenPolicy refuses a file that another user could have written.
func OpenPolicy(name string) (*os.File, error) {
	return trustedfile.Open(name, os.O_RDONLY, trustedfile.Policy)
}

// OpenAnyPolicy opens a policy for a command that only prints what the policy would decide. It opens also a file that
// OpenPolicy refuses, and writes the reason to notes.
func OpenAnyPolicy(notes io.Writer) func(string) (*os.File, error) {
	return func(name string) (*os.File, error) {
		f, err := OpenPolicy(name)
		if !trustedfile.IsWrong(err) {
			return f, err
		}
		fmt.Fprintf(notes, "elicit proxy would refuse this policy: %s\n", ui.Plain(err.Error()))
		return os.Open(name)
	}
}

// Require reads the files for a command that answers for the person. Such a command must not run while a policy has
// problems, because a part that could not be read is not what its author meant.
func (l *Layers) Require(cmd *cobra.Command) error {
	right, err := l.Read(cmd, OpenPolicy)
	if err == nil && !right {
		err = cli.Exit(cli.Invalid, errors.New("the policy has the problems above; correct them, then run this again"))
	}
	return err
}

// Policies returns each file's exact text, so that the lines and columns of problems stay right.
func (l *Layers) Policies() (p elicit.Policies) {
	for i, layer := range policy.Layers() {
		if l.Files[i] != "" {
			*PolicyOf(&p, layer) = l.docs[i].Text
		}
	}
	p.ManagedPath = l.machine.Path
	return p
}

// PolicyOf returns the field of p that holds a layer's text.
func PolicyOf(p *elicit.Policies, layer policy.Layer) *elicit.Text {
	switch layer {
	case policy.Managed:
		return &p.Managed
	case policy.User:
		return &p.User
	case policy.Project:
		return &p.Project
	}
	return &p.Session
}

// Names lists the rules of a policy by the names that reasons use, and the rules that have an "unless". The policy
// has no problems.
func Names(doc []byte) (names, excepting []string) {
	for i, r := range gjson.GetBytes(doc, "rules").Array() {
		name := r.Get("name").String()
		if name == "" {
			name = "#" + strconv.Itoa(i+1)
		}
		names = append(names, name)
		if r.Get("unless").Exists() {
			excepting = append(excepting, name)
		}
	}
	return names, excepting
}

// Stack returns the policies that read has read.
func (l *Layers) Stack() policy.Stack {
	var all []*policy.Policy
	for i, layer := range policy.Layers() {
		if l.Files[i] != "" {
			p, _ := policy.Parse(layer, l.docs[i].Text)
			all = append(all, p)
		}
	}
	return policy.NewStack(all...)
}
