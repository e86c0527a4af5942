package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/policy"
)

// layers are the policy files a command was given, by layer.
type layers struct {
	policy string // the user layer under its everyday name
	files  [4]string
	docs   [4]document
}

// addFlags offers one file a layer; --policy is the everyday name of --user.
func (l *layers) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&l.policy, "policy", "", "policy `file`, the same as --user")
	for i, layer := range policy.Layers() {
		f.StringVar(&l.files[i], layer.String(), "", "policy `file` of the "+layer.String()+" layer; it only tightens those above")
	}
	cmd.MarkFlagsMutuallyExclusive("policy", "user")
}

// given reports whether any layer was named.
func (l *layers) given() bool { return l.policy != "" || l.files != [4]string{} }

// read reads the files and complains about every problem in them. It reports whether all of them were right.
func (l *layers) read(cmd *cobra.Command, open func(string) (*os.File, error)) (right bool, err error) {
	right = true
	for i, layer := range policy.Layers() {
		if layer == policy.User && l.policy != "" {
			l.files[i] = l.policy
		}
		if l.files[i] == "" {
			continue
		}
		if l.docs[i], err = readOpened(cmd, l.files[i], open); err != nil {
			return false, err
		}
		if _, problems := policy.Parse(layer, l.docs[i].text); problems != nil {
			l.docs[i].complain(cmd.ErrOrStderr(), problems)
			right = false
		}
	}
	return right, nil
}

// openPolicy opens a policy that answers for a person. Whoever can write it can answer in the person's place, so a file
// that another user could have written is refused.
func openPolicy(name string) (*os.File, error) {
	return ownfile.Open(name, os.O_RDONLY, ownfile.Policy)
}

// openAnyPolicy opens a policy for a command that only says what the policy would decide. It tells what openPolicy
// refuses.
func openAnyPolicy(notes io.Writer) func(string) (*os.File, error) {
	return func(name string) (*os.File, error) {
		f, err := openPolicy(name)
		if !ownfile.IsWrong(err) {
			return f, err
		}
		fmt.Fprintf(notes, "elicit proxy would refuse this policy: %s\n", ui.Plain(err.Error()))
		return os.Open(name)
	}
}

// require reads the files for a command that must not run on a policy its author did not mean.
func (l *layers) require(cmd *cobra.Command) error {
	right, err := l.read(cmd, openPolicy)
	if err == nil && !right {
		err = ending{exitInvalid, errors.New("the policy has problems; nobody is asked before they are mended")}
	}
	return err
}

// policies holds each file's exact text, so that problems keep their places.
func (l *layers) policies() (p elicit.Policies) {
	for i, layer := range policy.Layers() {
		if l.files[i] != "" {
			*policyOf(&p, layer) = l.docs[i].text
		}
	}
	return p
}

// policyOf is where a layer's document stands.
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
