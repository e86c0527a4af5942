package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// It reads the walk of text_link, so both together cost one. Only Markdown links can show one host and lead to another.
var textLinkMismatch = check{
	Doc: Doc{
		Code: "text_link_mismatch", Title: "A link that names another host", Severity: elicit.High,
		About: "A Markdown link shows one host and leads to another: [paypal.com](https://evil.example). There is no " +
			"honest reason for it.",
		Spec: "MCP, Safe URL Handling (C7, R21)",
	},
	needs: classLink,
	text: func(h *hits, text string) {
		if w := h.walkLinks(text); w.shown != "" {
			a := dissect(w.false.target)
			h.add(text, w.false.from, w.false.to,
				elicit.Str("shown", evidence(w.shown)), elicit.Str("target", evidence(a.host.of(a.raw))))
		}
	},
}

// mismatch returns the host that a Markdown link shows, if the link leads to another. A relative target has no host of
// its own, so it cannot lead elsewhere; //evil.example has one.
func (l link) mismatch() (shown string, ok bool) {
	if shown, ok = namedHost(l.shown); !ok {
		return "", false
	}
	a := dissect(l.target)
	return shown, (a.scheme != "" || !a.host.empty()) && !sameHost(shown, lowerASCII(a.host.of(a.raw)))
}

// namedHost returns the first word of a link's text that reads as a host or an address. "README.md" is a file and no
// host, although .md is a country. A last label with a digit is no ending.
func namedHost(shown string) (string, bool) {
	for word := range strings.FieldsSeq(shown) {
		word = strings.Trim(lowerASCII(word), "*_`.,;:!?()<>\"'")
		if _, rest, ok := strings.Cut(word, "://"); ok {
			word = rest
		}
		word = word[:indexAny(word, "/?#:")]
		dot := strings.LastIndexByte(word, '.')
		if dot <= 0 || len(word)-dot < 3 || strings.Trim(word[dot+1:], "abcdefghijklmnopqrstuvwxyz") != "" ||
			fileEndings[word[dot+1:]] {
			continue
		}
		return word, true
	}
	return "", false
}

// fileEndings keeps file names, which documentation links to, from being read as hosts.
var fileEndings = map[string]bool{"md": true, "txt": true, "json": true, "yaml": true, "yml": true, "html": true,
	"htm": true, "pdf": true, "js": true, "ts": true, "go": true, "py": true, "rs": true, "toml": true, "xml": true,
	"csv": true, "png": true, "jpg": true, "zip": true}

// sameHost allows the target to be the shown host or a subdomain of it, with or without www.
// [example.com](https://docs.example.com) is honest, and the reverse direction is not: a subdomain that is shown may
// belong to another person than the domain.
func sameHost(shown, target string) bool {
	shown, target = strings.TrimPrefix(shown, "www."), strings.TrimPrefix(target, "www.")
	return shown == target || strings.HasSuffix(target, "."+shown)
}
