// Package english is the only place where codes become sentences. Codes are the contract; sentences may change with
// any release and must never be parsed.
//
// A template names arguments in braces: "at most {limit} characters; {length} now". A code without a template renders
// as the code itself, and a test keeps the tables complete.
package english

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Problem renders a problem as one sentence without its pointer.
func Problem(p elicit.Problem) string { return render(p.Code, problems[p.Code], p.Args) }

// Reason renders a reason as one line: the layer and rule that gave it, and the rule's own why.
func Reason(r elicit.Reason) string {
	line := render(r.Code, reasons[r.Code], r.Args)
	for _, a := range r.Args {
		if a.Name == "why" {
			line += ": " + text(a)
		}
	}
	switch {
	case r.Rule != "" && r.Layer != "":
		return r.Layer + " rule " + r.Rule + ": " + line
	case r.Layer != "":
		return r.Layer + ": " + line
	}
	return line
}

// Finding renders a finding as one sentence, with its evidence in quotes where there is any.
func Finding(f elicit.Finding) string {
	line := render(f.Code, findings[f.Code], f.Args)
	if f.Evidence != "" {
		line += `: "` + f.Evidence + `"`
	}
	return line
}

// Cause says in a few words who or what settled a request.
func Cause(c elicit.Cause) string { return render(string(c), causes[c], nil) }

func render(code, template string, args []elicit.Arg) string {
	if template == "" {
		template = strings.ReplaceAll(code, "_", " ")
	}
	for _, a := range args {
		template = strings.ReplaceAll(template, "{"+a.Name+"}", text(a))
	}
	return template
}

// text is an argument as a person reads it: strings without their quotes.
func text(a elicit.Arg) string { return gjson.Parse(a.Raw).String() }

// ProblemCodes lists every problem code there is a sentence for, sorted.
func ProblemCodes() []string { return codes(problems) }

// ReasonCodes lists every reason code there is a sentence for, sorted.
func ReasonCodes() []string { return codes(reasons) }

// FindingCodes lists every finding code there is a sentence for, sorted.
func FindingCodes() []string { return codes(findings) }

func codes(table map[string]string) []string {
	list := make([]string, 0, len(table))
	for code := range table {
		list = append(list, code)
	}
	slices.Sort(list)
	return list
}
