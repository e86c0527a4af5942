package english

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Remark returns a finding of package lint as one sentence, by its code and arguments. {problem} in a template is the
// problem that the finding wraps. The code of a problem renders as that problem. A remark wraps a problem of package
// schema: "not_in_protocol" says which problem a strict client would find.
func Remark(code string, args []elicit.Arg) string {
	template, ours := remarks[code]
	if !ours {
		return Problem(elicit.Problem{Code: code, Args: args})
	}
	var rest []elicit.Arg
	for _, a := range args {
		if a.Name == "problem" {
			// The sentence of the wrapped problem is filled with the arguments of the remark, which has them all.
			wrapped := text(a)
			a = elicit.Str(a.Name, render(wrapped, problems[wrapped], args))
		}
		rest = append(rest, a)
	}
	return render(code, template, rest)
}

// remedyTables hold what to do about each code. No code is in two of them.
var remedyTables = [...]map[string]string{remedies, formRemedies, wireRemedies, engineRemedies, guestRemedies,
	toldRemedies, sealRemedies, askingRemedies}

// remedyFor is the template of what to do about a code; "" when the code is not known.
func remedyFor(code string) string {
	for _, table := range remedyTables {
		if template := table[code]; template != "" {
			return template
		}
	}
	return ""
}

// Remedy says what to do about a code of any kind, or "" for an unknown code. For a finding of package lint, advice for
// the specific problem or keyword replaces the general advice for such findings. The templates are those of the
// sentences, so advice can name arguments too.
func Remedy(code string, args []elicit.Arg) string {
	template := remedyFor(code)
	if code == "not_in_protocol" || code == "unsupported_keyword" {
		keyword, _ := value(args, "keyword")
		problem, _ := value(args, "problem")
		// The more special advice comes later in the list, so it wins.
		for _, key := range [...]string{problem, "keyword " + keyword} {
			template = cmp.Or(remedyFor(key), template)
		}
	}
	if template == "" {
		return ""
	}
	return render(code, template, args)
}

// RemarkCodes lists every code of package lint with a sentence, sorted.
func RemarkCodes() []string { return codes(remarks) }
