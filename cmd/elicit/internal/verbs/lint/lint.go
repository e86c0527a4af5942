// Package lint holds `elicit lint`, which warns the author of a form.
package lint

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/lint"
)

// lintCommand holds the flags of `elicit lint`.
type lintCommand struct {
	target      string
	ignore      []string
	request     bool
	json, sarif bool
	fix, write  bool
}

// lintedFile is one file with its findings.
type lintedFile struct {
	cli.Document
	findings []lint.Finding
}

var dates = []string{lint.For20250618.String(), lint.For20251125.String(), lint.For20260728.String()}

// NewCommand makes `elicit lint`.
func NewCommand() *cobra.Command {
	var l lintCommand
	cmd := cli.Verb("lint", func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("give at least one file, or - for standard input; `%s --help` shows how", cmd.CommandPath())
		}
		return nil
	}, l.run)
	f := cmd.Flags()
	f.StringVar(&l.target, "for", lint.For20251125.String(),
		"protocol `date` that clients speak: "+strings.Join(dates, ", "))
	cli.CompleteFlag(cmd, "for", dates...)
	f.BoolVar(&l.request, "request", false, "the files are requests: params of an elicitation/create, or messages")
	f.StringSliceVar(&l.ignore, "ignore", nil, "`codes` to leave out")
	f.BoolVar(&l.json, "json", false, "print JSON: the findings of each file")
	f.BoolVar(&l.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	f.BoolVar(&l.fix, "fix", false, "print the schema with every correction that keeps the same answers")
	f.BoolVarP(&l.write, "write", "w", false, "with --fix: write the schema back to its file instead")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "fix")
	cmd.MarkFlagsMutuallyExclusive("request", "fix")
	return cmd
}

func (l *lintCommand) run(cmd *cobra.Command, args []string) error {
	target, ok := lint.TargetNamed(l.target)
	if !ok {
		return fmt.Errorf("--for is %q; give one of %s", l.target, strings.Join(dates, ", "))
	}
	switch {
	case l.write && !l.fix:
		return errors.New("-w writes back the corrections of --fix; give both flags")
	case l.fix && !l.write && len(args) > 1:
		return errors.New("--fix prints one schema; give one file, or add -w to write all files back")
	}
	var files []lintedFile
	worst := lint.Severity(0)
	for _, name := range args {
		doc, err := cli.ReadDocument(cmd, name)
		if err != nil {
			return err
		}
		if l.fix {
			if doc, err = l.applyFixes(cmd, name, doc, target); err != nil {
				return err
			}
		}
		file := lintedFile{Document: doc, findings: l.read(doc.Text, target)}
		for _, f := range file.findings {
			worst = max(worst, f.Severity)
		}
		files = append(files, file)
	}
	switch out := cmd.OutOrStdout(); {
	case l.fix:
	case l.json:
		printLintJSON(cli.JSONTo(cmd), files)
	case l.sarif:
		if err := printSARIF(cli.JSONTo(cmd), files); err != nil {
			return err
		}
	default:
		printLint(out, files)
	}
	switch worst {
	case lint.Error:
		return cli.ErrInvalid
	case lint.Warning:
		return cli.Exit(cli.Warned, nil)
	}
	return nil
}

// applyFixes makes the corrections of --fix, and prints the schema or writes it back.
func (l *lintCommand) applyFixes(cmd *cobra.Command, name string, doc cli.Document, target lint.Target) (cli.Document,
	error) {
	ignored := func(f lint.Finding) bool { return slices.Contains(l.ignore, f.Code) }
	text, mended := lint.Mend(doc.Text, target, ignored)
	for _, f := range mended {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: corrected: %s [%s]\n", ui.Plain(doc.Name), ui.Plain(f.Pointer),
			cli.OneLine(english.Remark(f.Code, f.Args)), f.Code)
	}
	doc.Text = text
	switch {
	case !l.write || name == "-":
		_, err := cmd.OutOrStdout().Write(text)
		return doc, err
	case len(mended) > 0:
		return doc, cli.Rewrite(name, text)
	}
	return doc, nil
}

func (l *lintCommand) read(doc []byte, target lint.Target) []lint.Finding {
	read := lint.Schema
	if l.request {
		read = lint.Request
	}
	return slices.DeleteFunc(read(doc, target), func(f lint.Finding) bool { return slices.Contains(l.ignore, f.Code) })
}

// sentenceOf returns the sentence of a finding, with its remedy.
func sentenceOf(f lint.Finding) string {
	s := english.Remark(f.Code, f.Args)
	if remedy := english.Remedy(f.Code, f.Args); remedy != "" {
		s += "; " + remedy
	}
	return s
}

func printLint(w io.Writer, files []lintedFile) {
	counts := map[lint.Severity]int{}
	for _, file := range files {
		for _, f := range file.findings {
			counts[f.Severity]++
			line, column := plain.Position(file.Text, min(f.Start, len(file.Text)))
			where := fmt.Sprintf("%s:%d:%d: %s: ", ui.Plain(file.Name), line, column, f.Severity)
			if f.Pointer != "" {
				where += ui.Plain(f.Pointer) + ": "
			}
			fmt.Fprintf(w, "%s%s [%s]\n", where, cli.OneLine(sentenceOf(f)), f.Code)
		}
	}
	if len(counts) > 0 {
		fmt.Fprintf(w, "%s, %s, %s\n", cli.Counted(counts[lint.Error], "error", "errors"),
			cli.Counted(counts[lint.Warning], "warning", "warnings"), cli.Counted(counts[lint.Note], "note", "notes"))
	}
}

// printLintJSON prints the findings as JSON. Each finding has its line, its column in characters and its sentence, so
// that an editor or a build log does not have to compute them.
func printLintJSON(w io.Writer, files []lintedFile) {
	fmt.Fprintf(w, "{\"files\":%s}\n", cli.Objects(files, func(file lintedFile) []elicit.Arg {
		findings := cli.Objects(file.findings, func(f lint.Finding) []elicit.Arg {
			line, column := plain.Position(file.Text, min(f.Start, len(file.Text)))
			return append(cli.MembersOf(gjson.ParseBytes(f.AppendJSON(nil)), ""), elicit.Num("line", line),
				elicit.Num("column", column), elicit.Str("message", sentenceOf(f)))
		})
		return []elicit.Arg{elicit.Str("file", file.Name), elicit.Raw("findings", findings)}
	}))
}
