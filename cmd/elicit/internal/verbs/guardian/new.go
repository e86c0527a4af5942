package guardian

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/pdk"
)

func newGuardianNewCommand() *cobra.Command {
	var language string
	languages := strings.Join(pdk.Languages(), ", ")
	cmd := cli.Verb("new", cli.Args(1, 1, "give one name"), func(cmd *cobra.Command, args []string) error {
		name := filepath.Base(filepath.Clean(args[0]))
		if !guardian.IsName(name) {
			return fmt.Errorf("%q is not a name for a guardian; use a lower-case letter, "+
				"then lower-case letters, digits and hyphens, 64 characters at most", name)
		}
		language := strings.ToLower(language)
		template, err := pdk.Template(language)
		if err != nil {
			return fmt.Errorf("there is no template in %q%s; give --lang one of %s",
				language, nearestLanguage[language], languages)
		}
		if err := writeTemplate(args[0], name, template, pdk.Page(language)); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), nextSteps,
			args[0], pdk.Needs(language), args[0], pdk.Build(language), pdk.Rule(language))
		return nil
	})
	cmd.Long = languages
	cmd.Flags().StringVar(&language, "lang", "", "`language` of the template: "+languages)
	_ = cmd.MarkFlagRequired("lang")
	cli.CompleteFlag(cmd, "lang", pdk.Languages()...)
	return cmd
}

// nextSteps is the text that `elicit guardian new` prints at the end.
const nextSteps = `%s is a guardian. To build it you need %s.
  cd %s && %s
  elicit guardian test guardian.wasm
Then change the rule in %s, and the pointers it reads in guardian.json.
  elicit guardian question --schema FORM    shows what a guardian is asked about a form
  elicit guardian test guardian.wasm --update    writes the results of the new rule into the cases
  elicit guardian pin guardian.wasm --output permit.json    writes the permit for --guardian
`

// nearestLanguage names, for a language without a template, the nearest language that has one.
var nearestLanguage = map[string]string{
	"typescript": " (assemblyscript has its syntax; no compiler of full TypeScript makes modules within the limits, " +
		"see plugins/pdk/README.md)",
	"javascript": " (assemblyscript is nearest; no compiler of full JavaScript makes modules within the limits, " +
		"see plugins/pdk/README.md)",
	"ts":     " (assemblyscript has the syntax of TypeScript)",
	"js":     " (assemblyscript is nearest)",
	"golang": " (it is go)",
	"rs":     " (it is rust)",
	"c++":    " (c is nearest)",
}

// writeTemplate writes the template, the kit's page and the cases to a new directory. It never writes into an existing
// one.
func writeTemplate(dir, name string, template map[string][]byte, page []byte) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists already; give another name", dir)
		}
		return err
	}
	write := func(file string, text []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(file))
		mode := fs.FileMode(0o666)
		if path.Ext(file) == ".sh" {
			mode = 0o777
		}
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, mode))
	}
	err := write("README.md", page)
	for file, text := range template {
		if path.Ext(file) == ".json" {
			text = []byte(strings.ReplaceAll(string(text), `"name": "hosts"`, `"name": "`+name+`"`))
		}
		err = errors.Join(err, write(file, text))
	}
	return errors.Join(err, fs.WalkDir(pdk.Cases(), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(pdk.Cases(), file)
		return errors.Join(err, write("cases/"+file, text))
	}))
}
