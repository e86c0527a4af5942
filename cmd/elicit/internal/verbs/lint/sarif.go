package lint

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/lint"
)

// object is a JSON object of a SARIF 2.1.0 log (OASIS sarif-v2.1.0). The test has the schema of ours.
type object = map[string]any

func sarifText(text string) object { return object{"text": text} }

// printSARIF prints a log with one run, that of `elicit lint`. Without findings its results are an empty list; without
// the list, no lint ran.
func printSARIF(w io.Writer, files []lintedFile) error {
	at, rules, results := map[string]int{}, []object{}, []object{}
	add := func(code, title string, severity lint.Severity) (rule object) {
		rule = object{"id": code, "shortDescription": sarifText(title),
			"defaultConfiguration": object{"level": severity.String()}}
		at[code], rules = len(rules), append(rules, rule)
		return rule
	}
	for _, d := range lint.Docs() {
		rule := add(d.Code, d.Title, d.Severity)
		rule["fullDescription"] = sarifText(d.About)
		if help := english.Remedy(d.Code, nil); !strings.Contains(help, "{") { // it needs no argument of a finding
			rule["help"] = sarifText(help)
		}
	}
	for _, file := range files {
		for _, f := range file.findings {
			if _, known := at[f.Code]; !known { // a schema problem, which lint.Docs does not list
				add(f.Code, "Problem of the schema: "+strings.ReplaceAll(f.Code, "_", " ")+".", f.Severity)
			}
			results = append(results, file.result(f, at[f.Code]))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"columnKind": "unicodeCodePoints", "results": results,
			"tool": object{"driver": object{"name": "elicit lint", "version": cli.Version(), "rules": rules}}}}})
}

func (d lintedFile) result(f lint.Finding, rule int) object {
	artifact := object{"uri": artifactURI(d.Name)}
	place := object{"physicalLocation": object{"artifactLocation": artifact, "region": d.region(f.Start, f.End)}}
	if f.Pointer != "" {
		place["logicalLocations"] = []object{{"fullyQualifiedName": f.Pointer}}
	}
	r := object{"ruleId": f.Code, "ruleIndex": rule, "level": f.Severity.String(), "message": sarifText(sentenceOf(f)),
		"locations": []object{place}}
	if len(f.Edits) > 0 {
		var replacements []object
		for _, e := range f.Edits {
			replacements = append(replacements, object{"deletedRegion": d.region(e.Start, e.End),
				"insertedContent": sarifText(e.Text)})
		}
		r["fixes"] = []object{{"description": sarifText(english.Remedy(f.Code, f.Args)),
			"artifactChanges": []object{{"artifactLocation": artifact, "replacements": replacements}}}}
	}
	return r
}

// region counts lines and columns from 1. The last column is the one after the last character.
func (d lintedFile) region(start, end int) object {
	line, column := plain.Position(d.Text, min(start, len(d.Text)))
	endLine, endColumn := plain.Position(d.Text, min(max(start, end), len(d.Text)))
	return object{"startLine": line, "startColumn": column, "endLine": endLine, "endColumn": endColumn}
}

// artifactURI returns a relative path as a relative reference, and an absolute one as a file URI.
func artifactURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
		if u.Path[0] != '/' { // C:/…
			u.Path = "/" + u.Path
		}
	}
	return u.String()
}
