package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/elicit"
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
func (l *layers) read(cmd *cobra.Command) (right bool, err error) {
	right = true
	for i, layer := range policy.Layers() {
		if layer == policy.User && l.policy != "" {
			l.files[i] = l.policy
		}
		if l.files[i] == "" {
			continue
		}
		if l.docs[i], err = readDocument(cmd, l.files[i]); err != nil {
			return false, err
		}
		if _, problems := policy.Parse(layer, l.docs[i].text); problems != nil {
			l.docs[i].complain(cmd.ErrOrStderr(), problems)
			right = false
		}
	}
	return right, nil
}

// require reads the files for a command that must not run on a policy its author did not mean.
func (l *layers) require(cmd *cobra.Command) error {
	right, err := l.read(cmd)
	if err == nil && !right {
		err = ending{exitInvalid, errors.New("the policy has problems; nobody is asked before they are mended")}
	}
	return err
}

// AppendJSON appends {"managed_text"?,…}: each file as its exact text, so that problems keep their places.
func (l *layers) AppendJSON(dst []byte) []byte {
	var members []string
	for i, layer := range policy.Layers() {
		if l.files[i] != "" {
			members = append(members, `"`+layer.String()+`_text":`+elicit.Str("", string(l.docs[i].text)).Raw)
		}
	}
	return append(dst, "{"+strings.Join(members, ",")+"}"...)
}
