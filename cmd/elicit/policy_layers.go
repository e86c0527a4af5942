package main

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
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/managed"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// layers are the policy files that the flags of a command name, one for each layer.
type layers struct {
	policy string // --policy, another name of --user
	files  [4]string
	docs   [4]document

	// fallback is the file of the user layer when no flag names one. It may be missing.
	fallback string

	// machine is the managed policy of this machine, which no flag leaves out. It is read together with the files of a
	// command that called useDefaultPlaces.
	machine  managed.Policy
	governed bool
}

// useDefaultPlaces makes the policy of this machine the managed layer. It makes the policy at the default place that of
// the user layer, unless a flag names another file or "none". A command calls it that answers for the person, or that
// prints what such a command would do.
func (l *layers) useDefaultPlaces() {
	l.governed = true
	user := slices.Index(policy.Layers(), policy.User)
	for _, flag := range []*string{&l.policy, &l.files[user]} {
		if *flag == places.None {
			*flag = ""
			return
		}
	}
	if path, err := places.Policy(); err == nil && l.policy == "" && l.files[user] == "" {
		l.fallback = path
	}
}

// unread returns layers for the same files, which are not read yet.
func (l *layers) unread() layers {
	next := layers{policy: l.policy, files: l.files, fallback: l.fallback, governed: l.governed}
	for i, file := range next.files {
		if file == l.fallback || file == l.machine.Path {
			next.files[i] = ""
		}
	}
	return next
}

// addFlags adds a flag for the file of each layer. --policy is another name of --user.
func (l *layers) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.policy, "policy", "", "policy `file`, the same as --user")
	for i, layer := range policy.Layers() {
		usage := "policy `file` of the " + layer.String() + " layer"
		if i > 0 {
			usage += "; it can only tighten the layers above"
		}
		f.StringVar(&l.files[i], layer.String(), "", usage)
	}
	cmd.MarkFlagsMutuallyExclusive("policy", "user")
}

// given reports whether there is any layer.
func (l *layers) given() bool { return l.policy != "" || l.files != [4]string{} }

// found reports whether any layer has a policy. The files are read.
func (l *layers) found() bool { return l.files != [4]string{} }

// read reads the files and prints every problem in them. The result right is false when any file has a problem; err is
// set when a file cannot be read.
func (l *layers) read(cmd *cobra.Command, open func(string) (*os.File, error)) (right bool, err error) {
	right = true
	if err := l.readMachine(cmd.ErrOrStderr()); err != nil {
		return false, err
	}
	for i, layer := range policy.Layers() {
		if layer == policy.User && l.policy != "" {
			l.files[i] = l.policy
		}
		if layer == policy.User && l.files[i] == "" && l.fallback != "" {
			if _, err := os.Lstat(l.fallback); !errors.Is(err, fs.ErrNotExist) {
				l.files[i] = l.fallback
			}
		}
		if l.files[i] == "" || l.files[i] == l.machine.Path {
			continue
		}
		if l.docs[i], err = readOpened(cmd, l.files[i], open); err != nil {
			return false, err
		}
		_, problems := policy.Parse(layer, l.docs[i].text)
		if problems != nil {
			right = false
		}
		l.docs[i].printProblems(cmd.ErrOrStderr(), problems)
	}
	return right, nil
}

// readMachine makes the managed policy of this machine the managed layer. A file that cannot be used is a layer that
// declines every question, so that no command may go on without it.
func (l *layers) readMachine(notes io.Writer) error {
	if !l.governed {
		return nil
	}
	top := slices.Index(policy.Layers(), policy.Managed)
	if l.machine = managed.Read(); l.machine.Path == "" {
		return nil
	}
	if l.files[top] != "" {
		return fmt.Errorf("this machine has a managed policy, %s, and --managed cannot replace it; "+
			"give %s as another layer, such as --project", l.machine.Path, l.files[top])
	}
	if l.machine.Fault != "" {
		fmt.Fprintf(notes, "elicit: every question is declined: %s\n", ui.Plain(l.machine.Fault))
	}
	l.files[top], l.docs[top] = l.machine.Path, document{l.machine.Path, l.machine.Text}
	return nil
}

// sayMachine says that a decision counts the managed policy of this machine.
func (l *layers) sayMachine(notes io.Writer) {
	if l.machine.Path != "" {
		fmt.Fprintf(notes, "with the managed policy of this machine, %s\n", l.machine.Path)
	}
}

// openPolicy opens a policy that answers for a person. Anyone who can write the file can answer in the person's place,
// so openPolicy refuses a file that another user could have written.
func openPolicy(name string) (*os.File, error) {
	return trustedfile.Open(name, os.O_RDONLY, trustedfile.Policy)
}

// openAnyPolicy opens a policy for a command that only prints what the policy would decide. It opens also a file that
// openPolicy refuses, and writes the reason to notes.
func openAnyPolicy(notes io.Writer) func(string) (*os.File, error) {
	return func(name string) (*os.File, error) {
		f, err := openPolicy(name)
		if !trustedfile.IsWrong(err) {
			return f, err
		}
		fmt.Fprintf(notes, "elicit proxy would refuse this policy: %s\n", ui.Plain(err.Error()))
		return os.Open(name)
	}
}

// require reads the files for a command that answers for the person. Such a command must not run while a policy has
// problems, because a part that could not be read is not what its author meant.
func (l *layers) require(cmd *cobra.Command) error {
	right, err := l.read(cmd, openPolicy)
	if err == nil && !right {
		err = exitWith(exitInvalid, errors.New("the policy has the problems above; correct them, then run this again"))
	}
	return err
}

// policies returns each file's exact text, so that the lines and columns of problems stay right.
func (l *layers) policies() (p elicit.Policies) {
	for i, layer := range policy.Layers() {
		if l.files[i] != "" {
			*policyOf(&p, layer) = l.docs[i].text
		}
	}
	p.ManagedPath = l.machine.Path
	return p
}

// policyOf returns the field of p that holds a layer's text.
func policyOf(p *elicit.Policies, layer policy.Layer) *elicit.Text {
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

// ruleNames lists the rules of a policy by the names that reasons use, and the rules that have an "unless". The policy
// has no problems.
func ruleNames(doc []byte) (names, excepting []string) {
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

// stack returns the policies that read has read.
func (l *layers) stack() policy.Stack {
	var all []*policy.Policy
	for i, layer := range policy.Layers() {
		if l.files[i] != "" {
			p, _ := policy.Parse(layer, l.docs[i].text)
			all = append(all, p)
		}
	}
	return policy.NewStack(all...)
}
