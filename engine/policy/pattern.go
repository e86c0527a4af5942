package policy

// Pattern is a glob in the language of policy rules, for hosts that select requests as rules do. It matches in time
// linear in the text. The zero Pattern matches only the empty text.
type Pattern struct {
	glob glob
	fold bool
}

// CompilePattern compiles text. With fold, letter case is ignored, as in rules for messages, hosts and schemes. fault
// says what is wrong with text, and is "" for a valid pattern.
func CompilePattern(text string, fold bool) (p Pattern, fault string) {
	p.fold = fold
	as := exactCase
	if fold {
		as = anyCase
	}
	p.glob, fault = compileGlob(text, as)
	return p, fault
}

// Match reports whether the whole of s matches. s is not kept. With fold, a text with capitals is copied once.
func (p *Pattern) Match(s string) bool {
	if p.fold {
		s = fold(s)
	}
	return p.glob.match(s)
}
