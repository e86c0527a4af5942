package english

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Warning is one line for the person who is asked.
type Warning struct {
	Severity elicit.Severity
	Text     string // one sentence without an end mark, behind the words that were found
}

// maxEvidence is how many of the words that were found a line quotes.
const maxEvidence = 3

// Warnings returns findings as lines for a person, the worst first. Alike findings share a line: three fields that ask
// for a secret are one warning with three names. A longer list is read by nobody. The order is that of severity, and in
// it that of findings. The cost is the square of their number, which package risk bounds by 32. findings itself does
// not change.
func Warnings(findings []elicit.Finding) []Warning {
	findings = slices.Clone(findings)
	order.Stable(findings, func(a, b elicit.Finding) int { return b.Severity.Rank() - a.Severity.Rank() })
	var list []Warning
	for len(findings) > 0 {
		first := findings[0]
		var alike, others []elicit.Finding
		for _, f := range findings {
			// One code can have several severities. A person must see the worse one by itself.
			if f.Code == first.Code && f.Severity == first.Severity {
				alike = append(alike, f)
			} else {
				others = append(others, f)
			}
		}
		list = append(list, Warning{first.Severity, warning(alike)})
		findings = others
	}
	return list
}

// warning is one line for findings of one code. Evidence is safe to draw already (package risk). The line is: "pin",
// "cvc": the sentence.
func warning(alike []elicit.Finding) string {
	var quoted []string
	for _, f := range alike {
		if one := `"` + f.Evidence + `"`; f.Evidence != "" && !slices.Contains(quoted, one) {
			quoted = append(quoted, one)
		}
	}
	line := render(alike[0].Code, findings[alike[0].Code], together(alike))
	if len(quoted) == 0 {
		return line
	}
	more := ""
	if n := len(quoted) - maxEvidence; n > 0 {
		quoted, more = quoted[:maxEvidence], " and "+strconv.Itoa(n)+" more"
	}
	return strings.Join(quoted, ", ") + more + ": " + line
}

// together returns the arguments of alike findings. An argument with several values lists them. Only arguments of the
// first finding count, because all of one code have the same names.
func together(alike []elicit.Finding) []elicit.Arg {
	args := slices.Clone(alike[0].Args)
	for i, a := range args {
		var values []string
		for _, f := range alike {
			said, given := value(f.Args, a.Name)
			if given && !slices.Contains(values, said) {
				values = append(values, said)
			}
		}
		if len(values) > 1 {
			args[i] = elicit.Str(a.Name, strings.Join(values, ", "))
		}
	}
	return args
}
