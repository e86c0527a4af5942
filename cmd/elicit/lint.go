package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/lint"
)

// linting is what `elicit lint` was told.
type linting struct {
	target      string
	ignore      []string
	request     bool
	json, sarif bool
	fix, write  bool
}

// linted is one file with what there is to say about it.
type linted struct {
	document
	findings []lint.Finding
}

var dates = []string{lint.For20250618.String(), lint.For20251125.String(), lint.For20260728.String()}

func newLintCommand() *cobra.Command {
	var l linting
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Tell server authors what their schema does to clients and people",
		Long: `Remark on requested schemas, or with --request on the params of an
elicitation/create (or whole messages): what is refused, what only tolerant
clients take, and what people stumble over. docs/lint.md lists every code.

Each finding is a line: file:line:column: severity: pointer: what and remedy [code].
With --fix, what can be mended without changing which answers fit is mended and the
schema printed, or with -w written back; what was done is told on stderr, and the
exit code speaks of what is left.
Exit codes: 0 nothing above a note, 1 failure, 2 errors, 3 warnings.`,
		Example: `  elicit lint schema.json
  elicit lint --for 2025-06-18 forms/*.json
  elicit lint --request create.json --ignore missing_description
  elicit lint --fix schema.json > mended.json
  elicit lint --fix -w forms/*.json
  elicit lint --sarif forms/*.json > elicit.sarif`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("give at least one file, or - for standard input; `%s --help` shows how", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&l.target, "for", lint.For20251125.String(), "protocol `date` to write for: "+strings.Join(dates, ", "))
	_ = cmd.RegisterFlagCompletionFunc("for", cobra.FixedCompletions(dates, cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&l.request, "request", false, "the files are requests: params of an elicitation/create, or messages")
	f.StringSliceVar(&l.ignore, "ignore", nil, "`codes` to leave out")
	f.BoolVar(&l.json, "json", false, "print JSON: the findings of each file")
	f.BoolVar(&l.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	f.BoolVar(&l.fix, "fix", false, "print the schema with everything mended that loses nothing")
	f.BoolVarP(&l.write, "write", "w", false, "with --fix: write the files back instead")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "fix")
	cmd.MarkFlagsMutuallyExclusive("request", "fix")
	return cmd
}

func (l *linting) run(cmd *cobra.Command, args []string) error {
	target, ok := lint.TargetNamed(l.target)
	if !ok {
		return fmt.Errorf("there is no protocol date %q; known are %s", l.target, strings.Join(dates, ", "))
	}
	switch {
	case l.write && !l.fix:
		return errors.New("-w writes back what --fix has mended; give both")
	case l.fix && !l.write && len(args) > 1:
		return errors.New("--fix prints one schema; give one file, or -w to write them back")
	}
	var files []linted
	worst := lint.Severity(0)
	for _, name := range args {
		doc, err := readDocument(cmd, name)
		if err != nil {
			return err
		}
		if l.fix {
			if doc, err = l.mend(cmd, name, doc, target); err != nil {
				return err
			}
		}
		file := linted{document: doc, findings: l.read(doc.text, target)}
		for _, f := range file.findings {
			worst = max(worst, f.Severity)
		}
		files = append(files, file)
	}
	switch out := cmd.OutOrStdout(); {
	case l.fix:
	case l.json:
		printLintJSON(jsonTo(cmd), files)
	case l.sarif:
		if err := printSARIF(jsonTo(cmd), files); err != nil {
			return err
		}
	default:
		printLint(out, files)
	}
	switch worst {
	case lint.Error:
		return invalid
	case lint.Warning:
		return ending{code: exitWarned}
	}
	return nil
}

// mend delivers a schema with its edits made.
func (l *linting) mend(cmd *cobra.Command, name string, doc document, target lint.Target) (document, error) {
	text, mended := lint.Mend(doc.text, target, func(f lint.Finding) bool { return slices.Contains(l.ignore, f.Code) })
	for _, f := range mended {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: mended: %s [%s]\n", ui.Plain(doc.name), ui.Plain(f.Pointer), oneLine(english.Remark(f.Code, f.Args)), f.Code)
	}
	doc.text = text
	switch {
	case !l.write || name == "-":
		_, err := cmd.OutOrStdout().Write(text)
		return doc, err
	case len(mended) > 0:
		return doc, rewrite(name, text)
	}
	return doc, nil
}

func (l *linting) read(doc []byte, target lint.Target) []lint.Finding {
	read := lint.Schema
	if l.request {
		read = lint.Request
	}
	return slices.DeleteFunc(read(doc, target), func(f lint.Finding) bool { return slices.Contains(l.ignore, f.Code) })
}

// remark is a finding in words, with what to do about it.
func remark(f lint.Finding) string {
	s := english.Remark(f.Code, f.Args)
	if remedy := english.Remedy(f.Code, f.Args); remedy != "" {
		s += "; " + remedy
	}
	return s
}

func printLint(w io.Writer, files []linted) {
	counts := map[lint.Severity]int{}
	for _, file := range files {
		for _, f := range file.findings {
			counts[f.Severity]++
			line, column := position(file.text, min(f.Start, len(file.text)))
			where := fmt.Sprintf("%s:%d:%d: %s: ", ui.Plain(file.name), line, column, f.Severity)
			if f.Pointer != "" {
				where += ui.Plain(f.Pointer) + ": "
			}
			fmt.Fprintf(w, "%s%s [%s]\n", where, oneLine(remark(f)), f.Code)
		}
	}
	if len(counts) > 0 {
		fmt.Fprintf(w, "%s, %s, %s\n", plural(counts[lint.Error], "error"), plural(counts[lint.Warning], "warning"), plural(counts[lint.Note], "note"))
	}
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// printLintJSON adds to each finding what an editor or a build log would have to work out: its line, its column in
// characters, and its sentence.
func printLintJSON(w io.Writer, files []linted) {
	dst := []byte(`{"files":[`)
	for i, file := range files {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"file":`+quoted(file.name)+`,"findings":[`...)
		for k, f := range file.findings {
			if k > 0 {
				dst = append(dst, ',')
			}
			line, column := position(file.text, min(f.Start, len(file.text)))
			dst = f.AppendJSON(dst)
			dst = append(dst[:len(dst)-1], fmt.Sprintf(`,"line":%d,"column":%d,"message":%s}`, line, column, quoted(remark(f)))...)
		}
		dst = append(dst, `]}`...)
	}
	fmt.Fprintf(w, "%s]}\n", dst)
}
