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

// sarif is a SARIF 2.1.0 log (OASIS sarif-v2.1.0, section 3.13). It has one run, that of `elicit lint`.
type sarif struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"` // empty when lint found nothing; without the list, no lint ran
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID       string            `json:"id"`
	Short    sarifText         `json:"shortDescription"`
	Full     *sarifText        `json:"fullDescription,omitempty"`
	Help     *sarifText        `json:"help,omitempty"`
	Defaults map[string]string `json:"defaultConfiguration"` // the level
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
	Fixes     []sarifFix      `json:"fixes,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical       `json:"physicalLocation"`
	Logical  []map[string]string `json:"logicalLocations,omitempty"` // the fullyQualifiedName of each
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// sarifRegion counts lines and columns from 1. EndColumn is the column after the last character.
type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

func printSARIF(w io.Writer, files []lintedFile) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "elicit lint", Version: cli.Version()}
	at := map[string]int{}
	for _, d := range lint.Docs() {
		at[d.Code] = len(run.Tool.Driver.Rules)
		rule := sarifRule{ID: d.Code, Short: sarifText{d.Title}, Full: &sarifText{d.About},
			Defaults: map[string]string{"level": d.Severity.String()}}
		if help := english.Remedy(d.Code, nil); !strings.Contains(help, "{") { // it needs no argument of a finding
			rule.Help = &sarifText{help}
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, file := range files {
		for _, f := range file.findings {
			if _, known := at[f.Code]; !known { // a schema problem, which lint.Docs does not list
				at[f.Code] = len(run.Tool.Driver.Rules)
				title := "Problem of the schema: " + strings.ReplaceAll(f.Code, "_", " ") + "."
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: f.Code, Short: sarifText{title},
					Defaults: map[string]string{"level": f.Severity.String()}})
			}
			run.Results = append(run.Results, file.result(f, at[f.Code]))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarif{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func (d lintedFile) result(f lint.Finding, rule int) sarifResult {
	artifact := sarifArtifact{artifactURI(d.Name)}
	r := sarifResult{RuleID: f.Code, RuleIndex: rule, Level: f.Severity.String(), Message: sarifText{sentenceOf(f)},
		Locations: []sarifLocation{{Physical: sarifPhysical{artifact, d.region(f.Start, f.End)}}}}
	if f.Pointer != "" {
		r.Locations[0].Logical = []map[string]string{{"fullyQualifiedName": f.Pointer}}
	}
	if len(f.Edits) > 0 {
		change := sarifChange{Artifact: artifact}
		for _, e := range f.Edits {
			change.Replacements = append(change.Replacements, sarifReplacement{d.region(e.Start, e.End), sarifText{e.Text}})
		}
		r.Fixes = []sarifFix{{sarifText{english.Remedy(f.Code, f.Args)}, []sarifChange{change}}}
	}
	return r
}

func (d lintedFile) region(start, end int) sarifRegion {
	var r sarifRegion
	r.StartLine, r.StartColumn = plain.Position(d.Text, min(start, len(d.Text)))
	r.EndLine, r.EndColumn = plain.Position(d.Text, min(max(start, end), len(d.Text)))
	return r
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
