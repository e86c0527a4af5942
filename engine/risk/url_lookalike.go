package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlLookalike = check{
	Doc: Doc{
		Code: "url_lookalike", Title: "Host imitates Latin letters", Severity: elicit.High,
		About: "One part of the host is in another alphabet, but only in letters that look Latin, under a Latin ending: " +
			"аррӏе.com is not apple.com.",
		Spec: "MCP, Safe URL Handling (R22, C6); UTS 39 §4, whole-script confusables",
	},
	url: func(h *hits, a *address) {
		host := strings.TrimSuffix(a.unicode, ".")
		names, ending := host, ""
		if i := strings.LastIndexByte(host, '.'); i >= 0 {
			names, ending = host[:i], host[i+1:]
		}
		if !scriptsOf(ending).among(scriptNone, scriptLatin) {
			return
		}
		for label := range strings.SplitSeq(names, ".") {
			if imitation(label) {
				h.add(a.raw, a.host.from, a.host.to, elicit.Str("label", evidence(label)))
				return
			}
		}
	},
}

// imitation reports a label without Latin letters in which every letter looks like one.
func imitation(label string) bool {
	foreign := false
	for _, r := range label {
		switch {
		case r < 0x80 && (isDigit(byte(r)) || r == '-'):
		case imitates(r):
			foreign = true
		default:
			return false
		}
	}
	return foreign
}

// imitates reports a letter that a reader takes for a small Latin one, of an alphabet related to Latin. The alphabets
// of Asia have a few such letters too, but none of their words looks Latin.
func imitates(r rune) bool {
	switch scriptOf(r) {
	case scriptGreek, scriptCyrillic, scriptArmenian:
		c, ok := looksLatin(r)
		return ok && !isDigit(c) || strings.ContainsRune(imitators, r)
	}
	return false
}
