package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Medium and not more: millions of honest names are written so. The checks below look for disguise among them.
var urlNonASCIIHost = check{
	Doc: Doc{
		Code: "url_non_ascii_host", Title: "Host in other letters", Severity: elicit.Medium,
		About: "The host is written in letters outside ASCII. Many honest names are. The argument ascii is the name for " +
			"the look-up; it is empty if programs disagree about it.",
		Spec: "MCP, Safe URL Handling (R22, C6)",
	},
	url: func(h *hits, a *address) {
		host := a.host.of(a.raw)
		for i := range len(host) {
			if host[i] >= 0x80 {
				h.add(a.raw, a.host.from, a.host.to, elicit.Str("ascii", a.url.Host))
				return
			}
		}
	},
}

// The host as written counts, since a.unicode has decoded it.
var urlPunycode = check{
	Doc: Doc{
		Code: "url_punycode", Title: "International host name", Severity: elicit.Medium,
		About: "A part of the host begins with xn--, which browsers may show in other letters. The argument unicode " +
			"is the other form.",
		Spec: "MCP, Safe URL Handling (R22, C6): warn on Punycode",
	},
	url: func(h *hits, a *address) {
		host := lowerASCII(a.host.of(a.raw))
		if strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--") {
			h.add(a.raw, a.host.from, a.host.to, elicit.Str("unicode", evidence(a.unicode)))
		}
	},
}

// Labels are judged one by one, because a name may be Greek under a Latin ending.
var urlMixedScript = check{
	Doc: Doc{
		Code: "url_mixed_script", Title: "Host mixes alphabets", Severity: elicit.High,
		About: "One part of the host mixes alphabets that no language writes together, such as Latin with a Cyrillic а. " +
			"Chinese, Japanese and Korean with Latin are not mixed.",
		Spec: "MCP, Safe URL Handling (R22, C6); UTS 39 §5.2",
	},
	url: func(h *hits, a *address) {
		for label := range strings.SplitSeq(a.unicode, ".") {
			if s := scriptsOf(label); s.mixed() {
				h.add(a.raw, a.host.from, a.host.to, elicit.Str("label", evidence(label)), elicit.Str("scripts", s.String()))
				return
			}
		}
	},
}

// String lists the scripts, joined by " and ".
func (s scriptSet) String() string {
	var names []string
	for x := scriptLatin; x <= scriptOther; x++ {
		if s&(1<<x) != 0 {
			names = append(names, x.String())
		}
	}
	return strings.Join(names, " and ")
}

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

// imitation reports a label without Latin letters in which every letter looks like one. аррӏе is Cyrillic as a whole,
// so no label mixes alphabets and only the look gives it away.
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
