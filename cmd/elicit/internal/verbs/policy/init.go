package policy

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
)

// presets are the policies of `elicit policy init`, with the cases that prove them.
//
//go:embed presets
var presets embed.FS

var presetNames = []string{"daily", "careful", "unattended"}

func newPolicyInitCommand() *cobra.Command {
	var output string
	cmd := cli.Verb("init", cli.Args(0, 1, "give one of "+strings.Join(presetNames, ", ")),
		func(cmd *cobra.Command, args []string) error {
			preset := presetNames[0]
			if len(args) > 0 {
				preset = args[0]
			}
			if !slices.Contains(presetNames, preset) {
				return fmt.Errorf("there is no policy %q%s; give one of %s", preset, cli.DidYouMean(preset, presetNames),
					strings.Join(presetNames, ", "))
			}
			path := output
			if path == "" {
				var err error
				if path, err = places.Policy(); err != nil {
					return fmt.Errorf("%w; give --output FILE", err)
				}
			}
			return writePreset(cmd, preset, path)
		})
	cmd.ValidArgs = presetNames
	cmd.Flags().StringVar(&output, "output", "", "another `file`; its cases are written beside it")
	return cmd
}

func writePreset(cmd *cobra.Command, preset, path string) error {
	cases := casesOf(path)
	for _, name := range []string{path, cases} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already, and nothing was written; move it away, or give --output FILE", name)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	for _, f := range []struct{ from, to string }{{preset + ".cases.json", cases}, {preset + ".json", path}} {
		text, err := presets.ReadFile("presets/" + f.from)
		if err != nil {
			return err
		}
		if err := cli.WriteNew(f.to, text, 0o600); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s, policy %s\nwrote %s, which `elicit policy test %s` runs\n",
		cli.Cell(path), preset, cli.Cell(cases), cli.Cell(path))
	return nil
}

// casesOf returns the path of the cases of a policy file.
func casesOf(path string) string { return strings.TrimSuffix(path, ".json") + ".cases.json" }
