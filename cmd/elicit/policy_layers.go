package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/trustedfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/policy"
)

// layers are the policy files that the flags of a command name, one for each layer.
type layers struct {
	policy string // --policy, another name of --user
	files  [4]string
	docs   [4]document

	// fallback is the file of the user layer when no flag names one. It may be missing.
	fallback string
}

// useDefaultPlace makes the policy at the default place that of the user layer, unless a flag names a file or "none".
// A command calls it that answers for the person, or that prints what such a command would do.
func (l *layers) useDefaultPlace() {
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
	next := layers{policy: l.policy, files: l.files, fallback: l.fallback}
	for i, file := range next.files {
		if file == l.fallback {
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

// given reports whether a flag names any layer.
func (l *layers) given() bool { return l.policy != "" || l.files != [4]string{} }

// read reads the files and prints every problem in them. The result right is false when any file has a problem; err is
// set when a file cannot be read.
func (l *layers) read(cmd *cobra.Command, open func(string) (*os.File, error)) (right bool, err error) {
	right = true
	for i, layer := range policy.Layers() {
		if layer == policy.User && l.policy != "" {
			l.files[i] = l.policy
		}
		if layer == policy.User && l.files[i] == "" && l.fallback != "" {
			if _, err := os.Lstat(l.fallback); !errors.Is(err, fs.ErrNotExist) {
				l.files[i] = l.fallback
			}
		}
		if l.files[i] == "" {
			continue
		}
		if l.docs[i], err = readOpened(cmd, l.files[i], open); err != nil {
			return false, err
		}
		p, problems := policy.Parse(layer, l.docs[i].text)
		if problems != nil {
			right = false
		}
		l.docs[i].printProblems(cmd.ErrOrStderr(), append(problems, p.Deprecated()...))
	}
	return right, nil
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
		err = exitError{exitInvalid, errors.New("the policy has the problems above; correct them, then run this again")}
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
