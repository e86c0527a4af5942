package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Verb makes a command that checks its arguments by args and then runs. Its usage and its texts are in help.txt of
// package verbs.
func Verb(name string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	return &cobra.Command{Use: name, Args: args, RunE: run}
}

// Family makes a command that only holds others. By itself it prints its help.
func Family(name string, verbs ...*cobra.Command) *cobra.Command {
	cmd := Verb(name, OnlyVerbs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() })
	cmd.AddCommand(verbs...)
	return cmd
}

// Args is cobra.RangeArgs with advice in the error.
func Args(least, most int, advice string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return fmt.Errorf("%s; `%s --help` shows the usage", advice, cmd.CommandPath())
		}
		return nil
	}
}

// OwnProgram is the path of this program for the files of clients. It is the one on PATH when that is this program, so
// that an update which moves a link is followed.
func OwnProgram() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	if strings.Contains(filepath.ToSlash(own), "/go-build") {
		return "", errors.New("this program is a temporary one of `go run`; install it with `go install` and run that")
	}
	file, err := filepath.EvalSymlinks(own)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, filepath.Base(own))
		if found, err := filepath.EvalSymlinks(path); err == nil && filepath.IsAbs(path) && found == file {
			return path, nil
		}
	}
	return own, nil
}

// CompleteFlag makes the shell offer words as the values of a flag.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// OnlyVerbs is the check of arguments for a command that does nothing by itself. An unknown verb is an error, so that a
// script notices a misspelt one.
func OnlyVerbs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, verb := range cmd.Commands() {
		known = append(append(known, verb.Name()), verb.Aliases...)
	}
	_, group, _ := strings.Cut(cmd.CommandPath(), " ")
	return fmt.Errorf("there is no command %q%s; `%s` lists them", strings.TrimSpace(group+" "+args[0]),
		DidYouMean(args[0], known), strings.TrimSpace("elicit help "+group))
}

// FlagError says what is wrong with a flag, and what was probably meant.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	hint := ""
	switch {
	case errors.As(err, &unknown):
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if meant := nearest(unknown.GetSpecifiedName(), known); meant != "" {
			hint = " (did you mean --" + meant + "?)"
		}
	case errors.As(err, &value) && value.GetFlag().Value.Type() == "duration":
		name, given := value.GetFlag().Name, value.GetValue()
		if strings.Trim(given, "0123456789") == "" && given != "" {
			return fmt.Errorf("--%s is %s without a unit; give %ss for seconds, %sm for minutes or %sh for hours",
				name, given, given, given, given)
		}
		return fmt.Errorf("--%s is %q, which is no time; give one such as 90s, 5m or 1h30m", name, given)
	}
	return fmt.Errorf("%w%s; `%s --help` shows the flags", err, hint, cmd.CommandPath())
}

// FlagValues are the values of a flag: of a list each of them, of any other flag the only one.
func FlagValues(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}
