package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/pdk"
)

func newGuardianNewCommand() *cobra.Command {
	var language string
	languages := strings.Join(pdk.Languages(), ", ")
	cmd := &cobra.Command{
		Use:   "new --lang LANGUAGE NAME",
		Short: "Begin a guardian from a template",
		Long: `Make a directory NAME with a whole guardian in the language, ` + languages + `: it keeps
links to the hosts its settings allow. Beside it stand the cases it passes.
Build it, test it, then change the rule.`,
		Example: "  elicit guardian new --lang rust my-rules\n  cd my-rules && ./build.sh && elicit guardian test guardian.wasm",
		Args:    between(1, 1, "give one name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := filepath.Base(filepath.Clean(args[0]))
			if !guardian.IsName(name) {
				return fmt.Errorf("%q cannot name a guardian; use a lower-case letter, then letters, digits and hyphens, 64 at most", name)
			}
			template, err := pdk.Template(language)
			if err != nil {
				return fmt.Errorf("there is no template in %q; give --lang one of %s", language, languages)
			}
			if err := begin(args[0], name, template, pdk.Page(language)); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is a guardian. Next:\n  cd %s && %s\n  elicit guardian test guardian.wasm\n", args[0], args[0], pdk.Build(language))
			return nil
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "`language` of the template: "+languages)
	_ = cmd.MarkFlagRequired("lang")
	return cmd
}

// begin writes the template, the kit's page and the cases to a directory that is not there yet.
func begin(dir, name string, template fs.FS, page []byte) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already; give another name", dir)
		}
		return err
	}
	write := func(from fs.FS, below string) error {
		return fs.WalkDir(from, ".", func(file string, entry fs.DirEntry, err error) error {
			to := filepath.Join(dir, below, filepath.FromSlash(file))
			if err != nil || entry.IsDir() {
				return errors.Join(err, os.MkdirAll(to, 0o777))
			}
			text, err := fs.ReadFile(from, file)
			if err != nil {
				return err
			}
			if below == "." && path.Ext(file) == ".json" {
				text = []byte(strings.ReplaceAll(string(text), `"name": "hosts"`, `"name": "`+name+`"`))
			}
			mode := fs.FileMode(0o666)
			if path.Ext(file) == ".sh" {
				mode = 0o777
			}
			return os.WriteFile(to, text, mode)
		})
	}
	return errors.Join(write(template, "."), write(pdk.Cases(), "cases"), os.WriteFile(filepath.Join(dir, "README.md"), page, 0o666))
}
