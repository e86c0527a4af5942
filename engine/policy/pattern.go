package policy

// Pattern is a glob in the language of policy rules, for hosts that select requests the way rules do. It matches in
// time linear in the text. The zero Pattern matches only the empty text.
type Pattern struct {
	glob glob
	fold bool
}

// CompilePattern compiles text. With fold, letter case is ignored, as rules do for messages, hosts and schemes. A
// fault says what is wrong with text; it is "" when nothing is.
func CompilePattern(text string, fold bool) (p Pattern, fault string) {
	p.fold = fold
	as := exactCase
	if fold {
		as = anyCase
	}
	p.glob, fault = compileGlob(text, as)
	return p, fault
}

// Match reports whether the whole of s matches.
func (p *Pattern) Match(s string) bool {
	if p.fold {
		s = fold(s)
	}
	return p.glob.match(s)
}
