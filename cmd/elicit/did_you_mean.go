package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// onlyVerbs is the check of arguments for a command that does nothing by itself. An unknown verb is an error, so that a
// script notices a misspelt one.
func onlyVerbs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, verb := range cmd.Commands() {
		known = append(append(known, verb.Name()), verb.Aliases...)
	}
	_, group, _ := strings.Cut(cmd.CommandPath(), " ")
	return fmt.Errorf("there is no command %q%s; `%s` lists them", strings.TrimSpace(group+" "+args[0]),
		didYouMean(args[0], known), strings.TrimSpace("elicit help "+group))
}

// flagError says what is wrong with a flag, and what was probably meant.
func flagError(cmd *cobra.Command, err error) error {
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

// didYouMean is the part of a sentence that names the known word nearest to a wrong one, or "".
func didYouMean(word string, known []string) string {
	if meant := nearest(word, known); meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return ""
}

// nearest returns the known word that a wrong one probably stands for, or "". A third of the letters may be wrong, and
// at most three. A word that is only the beginning of a known one stands for it.
func nearest(word string, known []string) (best string) {
	if len(word) > 100 {
		return ""
	}
	least := min(3, (len(word)+2)/3) + 1
	for _, candidate := range known {
		if n := distance(word, candidate); n < least {
			best, least = candidate, n
		}
	}
	for _, candidate := range known {
		if best == "" && len(word) > 2 && strings.HasPrefix(candidate, word) {
			best = candidate
		}
	}
	return best
}

// distance counts the letters to insert, remove, replace or exchange with their neighbour to make b of a.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
