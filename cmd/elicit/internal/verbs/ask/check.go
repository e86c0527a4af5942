package ask

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// check holds the flags of `elicit check`.
type check struct {
	profile string
	json    bool
}

// NewCheck makes `elicit check`.
func NewCheck() *cobra.Command {
	var c check
	cmd := cli.Verb("check", cli.Args(1, 2, "give a schema, and optionally an answer to check"), c.run)
	cmd.Flags().StringVar(&c.profile, "profile", "tolerant", "grammar: tolerant, 2025-06-18, 2025-11-25 or 2026-07-28")
	cli.CompleteFlag(cmd, "profile", profiles...)
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON: the form, the content or the problems")
	return cmd
}

func (c *check) run(cmd *cobra.Command, args []string) error {
	profile, known := schema.ProfileNamed(c.profile)
	if !known {
		return fmt.Errorf("--profile is %q; give one of %s", c.profile, strings.Join(profiles, ", "))
	}
	doc, err := cli.ReadDocument(cmd, args[0])
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	form, problems := schema.Compile(doc.Text, schema.Options{Profile: profile})
	if problems != nil {
		return c.refuse(cmd, doc, problems, noSchema(doc))
	}
	if len(args) == 2 {
		return c.content(cmd, form, args[1])
	}
	if c.json {
		fmt.Fprintf(cli.JSONTo(cmd), "{\"form\":%s}\n", form.AppendJSON(nil))
		return nil
	}
	printForm(out, form)
	doc.PrintProblems(cmd.ErrOrStderr(), form.Notes)
	return nil
}

// refuse prints the problems of a document. With an err it says that too.
func (c *check) refuse(cmd *cobra.Command, doc cli.Document, problems []elicit.Problem, err error) error {
	if c.json {
		fmt.Fprintf(cli.JSONTo(cmd), "{\"problems\":%s}\n", elicit.AppendList(nil, problems))
	} else {
		doc.PrintProblems(cmd.ErrOrStderr(), problems)
	}
	return cli.Exit(cli.Invalid, err)
}

// noSchema says what a document is that people take for a schema; nil if it may be a schema with problems.
func noSchema(doc cli.Document) error {
	if err := journals.Compressed(doc.Name, doc.Text); err != nil {
		return err
	}
	top := gjson.ParseBytes(doc.Text)
	switch {
	case !top.IsObject() || top.Get("type").Exists() || top.Get("properties").Exists():
	case bytes.HasPrefix(doc.Text, []byte(journals.RecordBegin)):
		return fmt.Errorf("%s is a journal and no schema; `elicit log` prints it", doc.Name)
	case top.Get("version").Type == gjson.Number:
		return fmt.Errorf("%s is a policy and no schema; `elicit policy fmt --check` checks it", doc.Name)
	}
	return nil
}

// content checks one answer and prints it, with the defaults of the form filled in.
func (c *check) content(cmd *cobra.Command, form *schema.Form, name string) error {
	doc, err := cli.ReadDocument(cmd, name)
	if err != nil {
		return err
	}
	unknown := ui.Unknown(form, doc.Text)
	content := form.Fill(nil, doc.Text)
	if problems := form.Check(content); problems != nil {
		// Problems must point into the document that the caller wrote, not into the answer with the defaults.
		if given := form.Check(doc.Text); given != nil {
			problems = given
		}
		return c.refuse(cmd, doc, append(problems, unknown...), nil)
	}
	switch {
	case c.json && unknown != nil:
		fmt.Fprintf(cli.JSONTo(cmd), "{\"content\":%s,\"ignored\":%s}\n", content, elicit.AppendList(nil, unknown))
	case c.json:
		fmt.Fprintf(cli.JSONTo(cmd), "{\"content\":%s}\n", content)
	default:
		doc.PrintProblems(cmd.ErrOrStderr(), unknown)
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", content)
	}
	return nil
}

// printForm prints a form as a table with one line for each field.
func printForm(w io.Writer, form *schema.Form) {
	for _, s := range []string{form.Title, form.Help} {
		if s != "" {
			fmt.Fprintln(w, ui.Plain(s))
		}
	}
	if len(form.Fields) == 0 {
		fmt.Fprintln(w, "No fields: a confirmation.")
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tLABEL\tKIND\tDEFAULT\tFITS")
	for i := range form.Fields {
		f := &form.Fields[i]
		initial := string(f.Initial)
		if f.Initial == nil {
			initial = "-"
		}
		fits := append(ui.Fits(f), choices(f)...)
		if f.Sensitive {
			fits = append(fits, "asks for a secret")
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n",
			cli.Cell(f.Name), cli.Cell(f.Label), f.Kind, cli.Cell(initial), cli.Cell(strings.Join(fits, ", ")))
	}
	table.Flush()
}

// choices lists the values of a field's choices, because an answer holds the values and not the titles.
func choices(f *schema.Field) []string {
	const enough = 6
	var names []string
	for i := range f.Choices {
		if i == enough {
			names = append(names, fmt.Sprintf("and %d more", len(f.Choices)-i))
			break
		}
		names = append(names, f.Choices[i].Value)
	}
	if names == nil {
		return nil
	}
	return []string{"of " + strings.Join(names, " | ")}
}

var profiles = []string{"tolerant", "2025-06-18", "2025-11-25", "2026-07-28"}
