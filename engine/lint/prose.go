package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// prose is a text that people read.
type prose struct {
	at   *node
	most int // characters above which it is long
}

// These are the most characters that people read.
const (
	longMessage     = 1000
	longTitle       = 80
	longDescription = 500
)

// Only texts that the property itself has, because a shared definition is judged once with the first field.
func (l *linter) fieldTexts(fields []field) (texts []prose) {
	seen := map[*node]bool{} // fields may share a definition
	add := func(n *node, most int) {
		if n != nil && !seen[n] {
			seen[n] = true
			texts = append(texts, prose{n, most})
		}
	}
	for i := range fields {
		n := fields[i].node
		add(n.member("title"), longTitle)
		add(n.member("description"), longDescription)
		c := l.list(&fields[i])
		if !c.titled {
			for _, name := range c.names.elements() {
				add(name, longTitle)
			}
			continue
		}
		for _, option := range c.values.children {
			add(option.member("title"), longTitle)
		}
	}
	return texts
}

var longText = rule{Doc: Doc{Code: "wordy_text", Severity: Note,
	Title: "A text nobody reads to its end.",
	About: "More than 1,000 characters of message, 80 of a title or 500 of a description. Clients cut, fold or scroll " +
		"it."},
	text: func(l *linter, p prose) {
		s, _ := p.at.text()
		if n := utf8.RuneCountInString(s); n > p.most {
			l.say(p.at, []elicit.Arg{elicit.Num("length", n), elicit.Num("limit", p.most)})
		}
	}}

var textLink = rule{Doc: Doc{Code: "link_not_clickable", Severity: Warning,
	Title: "A link in a text.",
	About: "Clients must not make it clickable, and a server should not write one. To send the person to a page, use " +
		"URL mode. (MCP client/elicitation, Safe URL Handling)"},
	text: sayPart("link", linkIn)}

// sayPart makes a rule that reports the first part of a text that a function finds.
func sayPart(name string, in func(text string) string) func(*linter, prose) {
	return func(l *linter, p prose) {
		s, _ := p.at.text()
		if part := in(s); part != "" {
			l.say(p.at, []elicit.Arg{elicit.Str(name, clip(part))})
		}
	}
}

// linkIn returns the first word that clients would turn into a link. "www." within a word is none, and neither is a
// scheme that a blank follows: "http:// is a scheme".
func linkIn(s string) string {
	low := asciiLower(s)
	for _, mark := range [...]string{"https://", "http://", "ftp://", "file://", "www.", "mailto:"} {
		at := strings.Index(low, mark)
		// The loop goes to the next mark until one has an address behind it.
		for at >= 0 && (at+len(mark) == len(s) || s[at+len(mark)] <= ' ' ||
			mark == "www." && at > 0 && low[at-1] >= 'a' && low[at-1] <= 'z') {
			next := strings.Index(low[at+1:], mark)
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at < 0 {
			continue
		}
		end := at
		for end < len(s) && s[end] > ' ' && !strings.ContainsRune("<>\"')]", rune(s[end])) {
			end++
		}
		return s[at:end]
	}
	return ""
}

// asciiLower keeps the position of every byte, unlike strings.ToLower.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

var textMarkup = rule{Doc: Doc{Code: "markup_not_rendered", Severity: Note,
	Title: "Markup in a text.",
	About: "Texts are shown as they are: HTML tags and Markdown (`**`, backquotes, `[…](…)`, headings) appear as " +
		"punctuation."},
	text: sayPart("mark", markupIn)}

// A mark must be closed to count: "2 ** 3" has none, and "**bold**" has. "a < b" is no tag, since a letter must follow
// "<".
func markupIn(s string) string {
	for _, mark := range [...]string{"**", "`", "](", "__"} {
		if at := strings.Index(s, mark); at >= 0 && strings.Contains(s[at+len(mark):], strings.Replace(mark, "](", ")", 1)) {
			return mark
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if hashes := strings.TrimLeft(line, "#"); len(hashes) < len(line) && strings.HasPrefix(hashes, " ") {
			return line[:len(line)-len(hashes)]
		}
	}
	for at := strings.IndexByte(s, '<'); at >= 0; {
		tag := strings.TrimPrefix(s[at+1:], "/")
		end := strings.IndexByte(tag, '>')
		if end > 0 && (tag[0]|0x20 >= 'a' && tag[0]|0x20 <= 'z') && !strings.ContainsAny(tag[:end], "<\n") {
			return s[at : at+1+len(s[at+1:])-len(tag)+end+1]
		}
		next := strings.IndexByte(s[at+1:], '<')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return ""
}
