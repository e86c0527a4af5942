package guardian

import (
	"cmp"
	"slices"
)

// WithheldCode replaces a code that a guardian did not declare, if the guardian was shown a secret.
const WithheldCode = "withheld"

// Discreet returns the part of a verdict that may be reported and kept after the guardian was shown a secret. Words,
// choices among many codes, and orders could carry the secret. So only the decision, one finding without words, and the
// obligations in the order of the form's fields remain. The finding is the most severe one. Its code is one of codes,
// which the guardian declared before it saw anything, or WithheldCode. Its pointer remains if it names a field. Among
// findings of one severity, the first by codes remains. Discreet of its own result changes nothing.
func (v *Verdict) Discreet(codes, fields []string) Verdict {
	// A guest can still tell a few bits of a secret by these, as it must to be of use.
	d := Verdict{Decision: v.Decision, Second: v.Second}
	for _, name := range fields {
		for _, pointer := range v.Redact {
			if AnswerMember(pointer) == name {
				d.Redact = append(d.Redact, pointer)
			}
		}
	}
	// An undeclared code ranks behind all declared ones, so it cannot be chosen to spell something.
	place := func(f Finding) int {
		if i := slices.Index(codes, f.Code); i >= 0 {
			return i
		}
		return len(codes)
	}
	order := func(f, g Finding) int {
		return cmp.Or(cmp.Compare(g.Severity.Rank(), f.Severity.Rank()), cmp.Compare(place(f), place(g)))
	}
	if len(v.Findings) > 0 {
		f := slices.MinFunc(v.Findings, order)
		if place(f) == len(codes) {
			f.Code = WithheldCode
		}
		// A pointer of 512 bytes of the guest's choice could hold a whole password.
		if !slices.Contains(fields, AnswerMember(f.Pointer)) {
			f.Pointer = ""
		}
		f.Message = f.Code
		d.Findings = []Finding{f}
	}
	return d
}
