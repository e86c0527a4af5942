package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/policy/internal/codex"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/managed"
)

// policyImport holds the flags of `elicit policy import`.
type policyImport struct {
	config, requirements string
	rules                []string
	dir                  string
	managed              bool
	force, json          bool
}

func newPolicyImportCommand() *cobra.Command {
	var p policyImport
	cmd := cli.Verb("import", nil, func(cmd *cobra.Command, args []string) error {
		p.rules = args
		return p.run(cmd)
	})
	f := cmd.Flags()
	f.StringVar(&p.config, "config", "", "Codex's config.toml: a `file`, also that of a profile")
	f.StringVar(&p.requirements, "requirements", "", "Codex's requirements.toml: a `file`")
	f.StringVarP(&p.dir, "output", "o", "", "write the policies into this `directory`")
	f.BoolVar(&p.managed, "managed", false, "write the managed policy to the place of this system, as root")
	f.BoolVar(&p.force, "force", false, "overwrite existing policies")
	f.BoolVar(&p.json, "json", false, "print JSON: files with entries, and the policies")
	return cmd
}

func (p *policyImport) run(cmd *cobra.Command) error {
	for _, name := range p.rules {
		if name != "-" && filepath.Ext(name) != ".rules" {
			return fmt.Errorf("%s is no rules file; give other files with --config and --requirements", ui.Plain(name))
		}
	}
	if p.config == "" && p.requirements == "" && len(p.rules) == 0 {
		if err := p.findFiles(); err != nil {
			return err
		}
	}
	config, err := readSource(cmd, p.config)
	if err != nil {
		return err
	}
	requirements, err := readSource(cmd, p.requirements)
	if err != nil {
		return err
	}
	var rules []*codex.Source
	for _, name := range p.rules {
		source, err := readSource(cmd, name)
		if err != nil {
			return err
		}
		rules = append(rules, source)
	}
	reports := codex.Import(config, requirements, rules...)
	if err := p.write(reports); err != nil {
		return err
	}
	if p.json {
		printImportJSON(cmd, reports)
	} else {
		p.print(cmd.OutOrStdout(), reports)
	}
	for i := range reports {
		if reports[i].Wrong() {
			return cli.Exit(cli.Invalid, errors.New("some keys are wrong, and the policies are stricter in their place; "+
				"correct the keys, then import again"))
		}
	}
	return nil
}

// findFiles looks in the directories in which Codex itself looks.
func (p *policyImport) findFiles() error {
	home := os.Getenv("CODEX_HOME")
	if home == "" {
		if user, err := os.UserHomeDir(); err == nil {
			home = filepath.Join(user, ".codex")
		}
	}
	there := func(path string) string {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		return path // for any other error, reading the file gives the message
	}
	p.config, p.requirements = there(filepath.Join(home, "config.toml")), there("/etc/codex/requirements.toml")
	p.rules, _ = filepath.Glob(filepath.Join(home, "rules", "*.rules"))
	if p.config == "" && p.requirements == "" && len(p.rules) == 0 {
		return fmt.Errorf("there is no config.toml in %s and no /etc/codex/requirements.toml; "+
			"give the files with --config and --requirements", home)
	}
	return nil
}

func readSource(cmd *cobra.Command, name string) (*codex.Source, error) {
	if name == "" {
		return nil, nil
	}
	doc, err := cli.ReadDocument(cmd, name)
	if err != nil {
		return nil, err
	}
	return &codex.Source{Name: doc.Name, Text: doc.Text}, nil
}

// writes reports whether a policy goes into a file, and the name of the file.
func (p *policyImport) writes(r *codex.Report) (path string, ok bool) {
	switch {
	case r.Policy == nil:
		return "", false
	case p.managed && r.Layer == policy.Managed:
		path, _ = managed.Path() // an error is told when it is written
		return path, true
	case p.dir != "":
		return filepath.Join(p.dir, r.Layer.String()+".json"), true
	}
	return "", false
}

// write writes the policies. Without --force it writes none when one of the files exists.
func (p *policyImport) write(reports []codex.Report) error {
	system := -1
	if p.managed {
		system = slices.IndexFunc(reports, func(r codex.Report) bool { return r.Layer == policy.Managed && r.Policy != nil })
		if system < 0 {
			return errors.New("without a requirements.toml there is no managed policy to write; " +
				"give one with --requirements, or leave out --managed")
		}
		if err := managed.MayWrite(p.force); err != nil {
			return err
		}
	}
	if p.dir != "" {
		if err := os.MkdirAll(p.dir, 0o755); err != nil {
			return fmt.Errorf("cannot make the directory for the policies: %w", err)
		}
	}
	for i := range reports {
		path, ok := p.writes(&reports[i])
		if _, err := os.Lstat(path); ok && i != system && err == nil && !p.force {
			return fmt.Errorf("%s exists already; overwrite it with --force, or give another directory", path)
		}
	}
	for i := range reports {
		path, ok := p.writes(&reports[i])
		var err error
		switch {
		case !ok:
		case i == system:
			_, err = managed.Write(reports[i].Policy, p.force)
		default:
			if err = os.WriteFile(path, reports[i].Policy, 0o644); err != nil {
				err = fmt.Errorf("cannot write the policy: %w", err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// print writes a line for each key, then the policies, or the names of their files.
func (p *policyImport) print(w io.Writer, reports []codex.Report) {
	counts := map[codex.Status]int{}
	for i := range reports {
		r := &reports[i]
		fmt.Fprintf(w, "%s → %s policy\n", ui.Plain(r.Source), r.Layer)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, e := range r.Entries {
			counts[e.Status]++
			fmt.Fprintf(table, "  %d:%d\t%s\t%s\n", e.Line, e.Column, strings.ReplaceAll(string(e.Status), "_", " "),
				cli.Cell(sentence(e)))
		}
		table.Flush()
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%d translated, %d without an equivalent, %d ignored, %d wrong\n",
		counts[codex.Translated]+counts[codex.Broad], counts[codex.NoEquivalent], counts[codex.Ignored],
		counts[codex.Wrong])
	for i := range reports {
		if reports[i].Policy == nil {
			continue
		}
		if path, ok := p.writes(&reports[i]); ok {
			fmt.Fprintf(w, "wrote %s\n", ui.Plain(path))
			continue
		}
		fmt.Fprintf(w, "\n%s.json\n%s", reports[i].Layer, reports[i].Policy)
	}
}

// sentence returns an entry in words: key = value → its place in the policy: the reason.
func sentence(e codex.Entry) string {
	var b strings.Builder
	b.WriteString(e.Key)
	if e.Value != "" {
		b.WriteString(" = " + e.Value)
	}
	if e.To != "" {
		b.WriteString(" → " + e.To)
	}
	if e.Why != "" {
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(e.Why)
	}
	return b.String()
}

func printImportJSON(cmd *cobra.Command, reports []codex.Report) {
	type file struct {
		File    string          `json:"file"`
		Layer   string          `json:"layer"`
		Entries []codex.Entry   `json:"entries"`
		Policy  json.RawMessage `json:"policy,omitempty"`
	}
	files := []file{}
	for _, r := range reports {
		files = append(files, file{r.Source, r.Layer.String(), append([]codex.Entry{}, r.Entries...), r.Policy})
	}
	cli.PrintJSON(cmd, map[string][]file{"files": files})
}
