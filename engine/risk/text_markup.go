package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Texts of MCP are plain text, so markup in them is no danger to a host that draws them as such. The severity is that
// for a host which does not: a script is worse than a bold word.
var textMarkup = check{
	Doc: Doc{
		Code: "text_markup", Title: "HTML in the text", Severity: elicit.Low,
		About: "The text contains HTML tags. Low for formatting; medium for tags that load something (img, style, " +
			"link, video, audio, input); high for tags that run or frame something (script, iframe, object, embed, " +
			"form, svg, base, meta) and for an on… handler, which attacks a careless user interface.",
		Spec: "MCP client/elicitation, User Interaction Model; shown as plain text",
	},
	needs: classAngle,
	text: func(h *hits, text string) {
		worst, from, to, count := elicit.Info, 0, 0, 0
		for i := 0; i < len(text); i++ {
			if text[i] != '<' {
				continue
			}
			s, n := tag(text[i:min(len(text), i+maxTag)])
			if n == 0 {
				continue
			}
			if count++; s.Rank() > worst.Rank() {
				worst, from, to = s, i, i+n
			}
			i += n - 1
		}
		if count > 0 {
			h.addAs(worst, text, from, to, elicit.Num("count", count))
		}
	},
}

// maxTag bounds the look-ahead from each '<', so that a text of nothing but '<' takes linear time.
const maxTag = 256

// tag returns the severity and the length of the HTML tag at the start of s, 0 when there is none. A tag that the
// look-ahead cuts off counts, because a browser would read on. Only known names count, so "a<b" and "<T>" are no tags.
// The name must end at ">", "/" or a blank, as in the tag name state of WHATWG HTML.
func tag(s string) (elicit.Severity, int) {
	i := 1
	if strings.HasPrefix(s, "<!--") {
		return elicit.Low, 4
	}
	if i < len(s) && s[i] == '/' {
		i++
	}
	from := i
	for i < len(s) && i-from < 12 && (isLetter(s[i]) || isDigit(s[i])) {
		i++
	}
	severity, known := tagSeverity[lowerASCII(s[from:i])]
	// "<br" at the end of a text and "<brand>" are no tags.
	if !known || i == len(s) || (s[i] != '>' && s[i] != '/' && s[i] > ' ') {
		return "", 0
	}
	end := strings.IndexByte(s, '>') + 1
	if end == 0 {
		if severity == elicit.Low && len(s) < maxTag {
			return "", 0 // "a <b or c": never closed
		}
		end = len(s)
	}
	if handler(s[i:end]) {
		severity = elicit.High
	}
	return severity, end
}

// handler reports whether an attribute has a name that begins with "on". The name must begin behind a blank, a slash or
// a quote, where HTML begins an attribute. "onclick =" counts too.
func handler(attributes string) bool {
	s := lowerASCII(attributes)
	for i := 1; i+2 < len(s); i++ {
		if s[i] != 'o' || s[i+1] != 'n' || (s[i-1] > ' ' && s[i-1] != '/' && s[i-1] != '"' && s[i-1] != '\'') {
			continue
		}
		j := i + 2
		for j < len(s) && isLetter(s[j]) {
			j++
		}
		if rest := strings.TrimLeft(s[j:], " \t\r\n"); j > i+2 && strings.HasPrefix(rest, "=") {
			return true
		}
		i = j - 1
	}
	return false
}

var tagSeverity = map[string]elicit.Severity{
	"a": elicit.Low, "b": elicit.Low, "i": elicit.Low, "u": elicit.Low, "p": elicit.Low, "br": elicit.Low,
	"hr": elicit.Low, "em": elicit.Low, "strong": elicit.Low, "code": elicit.Low, "pre": elicit.Low, "div": elicit.Low,
	"span": elicit.Low, "font": elicit.Low, "center": elicit.Low, "h1": elicit.Low, "h2": elicit.Low, "h3": elicit.Low,
	"h4": elicit.Low, "h5": elicit.Low, "h6": elicit.Low, "ul": elicit.Low, "ol": elicit.Low, "li": elicit.Low,
	"table": elicit.Low, "tr": elicit.Low, "td": elicit.Low, "th": elicit.Low, "details": elicit.Low,
	"summary": elicit.Low, "blockquote": elicit.Low, "button": elicit.Low, "label": elicit.Low, "html": elicit.Low,
	"body": elicit.Low,
	"head": elicit.Low, "title": elicit.Low, "marquee": elicit.Low,
	"img": elicit.Medium, "style": elicit.Medium, "link": elicit.Medium, "video": elicit.Medium, "audio": elicit.Medium,
	"input": elicit.Medium, "select": elicit.Medium, "textarea": elicit.Medium, "picture": elicit.Medium,
	"source": elicit.Medium, "script": elicit.High, "iframe": elicit.High, "frame": elicit.High, "object": elicit.High,
	"embed": elicit.High, "form": elicit.High, "svg": elicit.High, "math": elicit.High, "base": elicit.High,
	"meta": elicit.High, "template": elicit.High,
}
