// Package english is the only place where codes become sentences. Codes are part of the contract. Sentences may change
// with any release and must never be parsed.
//
// A template names arguments in braces: "at most {limit} characters; {length} now". A part in square brackets is left
// out if one of its arguments was not given: "this must be of type {expected}[, not {got}]". For a code without a
// template, the sentence is the code itself. A test checks that the tables are complete.
//
//	problem   {"code": "too_long", "args": {"limit": 5, "length": 9}}
//	template  at most {limit} characters; {length} now
//	sentence  at most 5 characters; 9 now
//
// The tables are maps from a code to a template, one file for each part of the engine. No code has two sentences of one
// kind. For a person who is asked there are Warnings and Why; for authors of policies and programs there are Problem,
// Reason, Finding, Remark and Remedy.
//
// A value of an argument is a peer's text at times. It is put into the template after the template was taken apart, so
// a brace in it is no name, and characters that could change how the sentence reads are spelled out.
//
// # The tables
//
// Each file tables_*.go has maps of one kind. They differ in who reads the sentence, and so in its voice:
//
//   - problems, relayProblems, sealProblems and askingProblems say what is wrong with a thing, and not what to do. The
//     comment above a group names the package that reports it, with the arguments of that package in braces.
//   - findings say what a text does, behind the words that were found. They never say that somebody is a swindler: a
//     check knows texts, and no intentions.
//   - reasons speak to the author of a policy. Reason puts the layer and the rule in front, so a sentence about a rule
//     begins with "it". whys are for the person who is asked.
//   - remarks speak to the author of a schema, and {problem} in them is the sentence of the problem that a remark
//     wraps.
//   - causes say who or what settled a request, faults why a guardian gave no verdict, and statuses how a call went.
//   - remedies and their relatives say what to do about a code of any kind. A key "keyword NAME" has the advice for
//     one keyword in place of the general one.
package english

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Problem returns a problem as one sentence, without its pointer. It has no full stop and no capital, so that a caller
// can put it behind a colon.
func Problem(p elicit.Problem) string {
	return render(p.Code, cmp.Or(problems[p.Code], relayProblems[p.Code], sealProblems[p.Code],
		askingProblems[p.Code]), p.Args)
}

// Reason returns a reason as one line: the layer and the rule that gave it, and the rule's own explanation.
func Reason(r elicit.Reason) string {
	// A reason of the engine itself has neither layer nor rule.
	line := withDetails(render(r.Code, reasons[r.Code], r.Args), r.Args, true)
	switch {
	case r.Rule != "" && r.Layer != "":
		return r.Layer + " rule " + r.Rule + ": " + line
	case r.Layer != "":
		return r.Layer + ": " + line
	}
	return line
}

// withDetails adds the arguments to a reason that have no place in its sentence. why says whether the words of a rule's
// author are among them. Three arguments may come with any reason: why has the words of a rule's author, problem the
// code of a problem that caused it, and at its pointer.
func withDetails(line string, args []elicit.Arg, why bool) string {
	for _, a := range args {
		switch {
		case a.Name == "why" && why:
			line += ": " + text(a)
		case a.Name == "problem":
			line += ": " + withoutArgs(text(a))
		case a.Name == "at" && text(a) != "":
			line += ", at " + text(a)
		}
	}
	return line
}

// withoutArgs returns the sentence of a problem by its code alone, or the code if the sentence needs arguments.
func withoutArgs(code string) string {
	if sentence := problems[code]; sentence != "" && !strings.Contains(sentence, "{") {
		return sentence
	}
	return code
}

// Finding returns a finding as one sentence, behind the words that were found: a narrow line that is cut must not lose
// them. See Warnings for several.
func Finding(f elicit.Finding) string { return warning([]elicit.Finding{f}) }

// Cause says in a few words who or what settled a request.
func Cause(c elicit.Cause) string { return render(string(c), causes[c], nil) }

// Ended is Cause with what the reasons tell. A file of prepared answers is a policy to the engine, and any other policy
// decides without a question to anybody.
func Ended(c elicit.Cause, reasons []elicit.Reason) string {
	// The cause says only that a policy decided; the reasons tell which kind of policy it was.
	switch scripted := slices.ContainsFunc(reasons, IsScripted); {
	case c == elicit.ByPolicy && scripted:
		return "a file of prepared answers decided"
	case c == elicit.ByPolicy && slices.ContainsFunc(reasons, IsGranted):
		return "an answer that the person gave before decided"
	case c == elicit.ByPolicy:
		return Cause(c) + "; nobody was asked"
	}
	return Cause(c)
}

// IsScripted reports the reason of an answer from a file of prepared answers.
func IsScripted(r elicit.Reason) bool { return r.Code == "scripted_answer" }

// IsGranted reports the reason of an answer that a person gave before, for longer than once.
func IsGranted(r elicit.Reason) bool { return r.Code == "granted" }

// Fault says why a guardian gave no verdict.
func Fault(code string) string { return render(code, faults[code], nil) }

// Status says how a call of an interface went.
func Status(name string) string { return render(name, statuses[name], nil) }

// render fills a template in one pass, so braces in a peer's text stay text. Optional parts do not nest. An argument
// that is missing outside of one shows as {name}, which a test of the tables finds.
func render(code, template string, args []elicit.Arg) string {
	// A code without a sentence is still readable: "quiet_hours" becomes "quiet hours".
	if template == "" {
		template = strings.ReplaceAll(code, "_", " ")
	}
	var out strings.Builder
	for template != "" {
		always, rest, _ := strings.Cut(template, "[")
		optional, after, _ := strings.Cut(rest, "]")
		filled, _ := fill(always, args)
		out.WriteString(filled)
		if filled, whole := fill(optional, args); whole {
			out.WriteString(filled)
		}
		template = after
	}
	return out.String()
}

// fill replaces the names of arguments by their values. whole is false if an argument was not given.
func fill(template string, args []elicit.Arg) (filled string, whole bool) {
	var out strings.Builder
	whole = true
	for {
		before, rest, found := strings.Cut(template, "{")
		name, after, closed := strings.Cut(rest, "}")
		out.WriteString(before)
		// A brace without its partner stays as it is, with all that follows.
		if !found || !closed {
			return out.String(), whole
		}
		said, given := value(args, name)
		out.WriteString(said)
		whole = whole && given
		template = after
	}
}

// value returns an argument for a person, or its name in braces if it was not given.
func value(args []elicit.Arg, name string) (said string, given bool) {
	for _, a := range args {
		if a.Name == name {
			return text(a), true
		}
	}
	return "{" + name + "}", false
}

// text returns an argument for a person: strings without their quotes. Arguments may be a peer's words, so text spells
// every character as U+XXXX that a terminal would obey or that changes how the sentence reads. Raw is JSON: a string
// loses its quotes, and a number or an object stays as it is written.
func text(a elicit.Arg) string {
	s := gjson.Parse(a.Raw).String()
	// Nearly all arguments are safe, and need no copy.
	if !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if !unsafe(r) {
			out.WriteRune(r)
			continue
		}
		out.WriteString("U+")
		hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
		out.WriteString(strings.Repeat("0", max(0, 4-len(hex))) + hex)
	}
	return out.String()
}

// unsafe reports control characters, line separators, and marks that are invisible or change the direction of text. The
// marks are those of UAX 9 and the characters of no width. An ESC in an argument would otherwise give a terminal
// orders.
func unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0xad, r == 0x61c, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// ProblemCodes lists every problem code with a sentence, sorted.
func ProblemCodes() []string { return codes(problems, relayProblems, sealProblems, askingProblems) }

// ReasonCodes lists every reason code with a sentence, sorted.
func ReasonCodes() []string { return codes(reasons) }

// FindingCodes lists every finding code with a sentence, sorted.
func FindingCodes() []string { return codes(findings) }

// codes lists the keys of tables in order, because a map has none.
func codes(tables ...map[string]string) (list []string) {
	for _, table := range tables {
		for code := range table {
			list = append(list, code)
		}
	}
	order.Stable(list, cmp.Compare[string])
	return list
}
