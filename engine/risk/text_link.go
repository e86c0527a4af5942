package risk

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var textLink = check{
	Doc: Doc{
		Code: "text_link", Title: "A link in the text", Severity: elicit.Low,
		About: "The text contains an address. It must not be made clickable: only the url of URL mode is shown in full and " +
			"asked about. Low, because honest texts point to documentation; medium for a Markdown link, which hides its " +
			"target, and for a scheme that runs code or reads files.",
		Spec: "MCP, Safe URL Handling (C7, R21)",
	},
	needs: classLink,
	text: func(h *hits, text string) {
		if w := h.walkLinks(text); w.count > 0 {
			h.addAs(w.worst.severity(), text, w.worst.from, w.worst.to, elicit.Num("count", w.count))
		}
	},
}

// linkWalk is the result of one walk over the links of a text. Both checks of links read it.
type linkWalk struct {
	done  bool
	count int
	worst link
	false link // the first link that shows another host than it leads to
	shown string
}

// walkLinks walks once for both checks of links. count has each address once: the address within a Markdown link is
// part of that link.
func (h *hits) walkLinks(text string) *linkWalk {
	w := &h.links
	if w.done {
		return w
	}
	*w = linkWalk{done: true}
	var last link
	for l := range links(text) {
		if inside := l.markdown && !last.markdown && last.from > l.from; !inside {
			w.count++
		}
		if last = l; w.count == 1 || l.severity().Rank() > w.worst.severity().Rank() {
			w.worst = l
		}
		if l.markdown && w.shown == "" {
			if shown, ok := l.mismatch(); ok {
				w.false, w.shown = l, shown
			}
		}
	}
	return w
}

// link is one address in a text. If shown is set, it is a Markdown link, [shown](target).
type link struct {
	from, to int
	shown    string
	target   string
	markdown bool
}

// severity is medium for what hides its target, runs code or reads files, and low for a plain address.
func (l link) severity() elicit.Severity {
	if l.markdown {
		return elicit.Medium
	}
	scheme, _, _ := strings.Cut(l.target[:min(len(l.target), maxScheme)], ":")
	switch lowerASCII(scheme) {
	case "javascript", "vbscript", "data", "blob", "file":
		return elicit.Medium
	}
	return elicit.Low
}

// brackets remembers the last open '['. Markdown allows nested ones.
type brackets struct {
	open [8]int
	n    int
}

func (b *brackets) push(i int) {
	// The oldest bracket is forgotten: links do not nest deeper in texts that people write.
	if b.n == len(b.open) {
		copy(b.open[:], b.open[1:])
		b.n--
	}
	b.open[b.n] = i
	b.n++
}

func (b *brackets) pop() (int, bool) {
	if b.n == 0 {
		return 0, false
	}
	b.n--
	return b.open[b.n], true
}

// links finds every text that a chat window would make clickable: Markdown links, scheme://…, javascript: and data:,
// and www. It also searches the target of a Markdown link for Markdown links, because an unclosed link can hide another
// one. Each byte is visited once. covered keeps a link inside of another from being counted again, but brackets are
// followed there too.
func links(text string) func(func(link) bool) {
	return func(yield func(link) bool) {
		var open brackets
		targets := targets{text: text}
		covered := 0
		for i := 0; i < len(text); i++ {
			l, ok := link{}, false
			switch c := text[i]; {
			case c == '[':
				open.push(i)
			case c == ']':
				if from, matched := open.pop(); matched {
					l, ok = targets.markdownLink(from, i)
				}
			// An address within one that was found is a part of it, such as a query parameter.
			case i < covered:
			case c == ':':
				l, ok = schemeLink(text, i)
			case (c == 'w' || c == 'W') && (i == 0 || !wordByte(text[i-1])):
				l, ok = bareLink(text, i)
			}
			if !ok {
				continue
			}
			if !yield(l) {
				return
			}
			covered = max(covered, l.to)
		}
	}
}

// maxTarget is the most bytes that are read of a Markdown link's target.
const maxTarget = 256

// targets reads the targets of Markdown links. It remembers how far the last call read. Otherwise a text of nothing but
// "](" would be read again from each of them. This memory makes "](" times a million linear: the stretch without an end
// is read once for all of them.
type targets struct {
	text string
	from int // no byte of text[from:stop] ends a target
	stop int
	mark int // the first byte at or after from that makes a target an address; stop if there is none
}

// end returns where the target that begins at from ends, and whether it reads as an address.
func (t *targets) end(from int) (to int, address bool) {
	if from < t.from || from >= t.stop {
		t.from, t.stop = from, from+addressRun(t.text[from:], ')')
		t.mark = from
	}
	if t.mark < from || t.mark == t.from {
		t.mark = max(t.mark, from)
		t.mark += indexAny(t.text[t.mark:t.stop], ":./")
	}
	to = min(t.stop, from+maxTarget)
	return from + len(trimStop(t.text[from:to])), t.mark < to
}

// markdownLink reads "](target" behind the text in brackets. A target without a colon, a dot or a slash is no address:
// "[x](note)" is prose.
func (t *targets) markdownLink(open, shut int) (link, bool) {
	text, from := t.text, shut+2
	if !strings.HasPrefix(text[shut+1:], "(") {
		return link{}, false
	}
	for from < len(text) && from < shut+8 && (text[from] == ' ' || text[from] == '<' || text[from] == '\n') {
		from++ // Markdown allows white space and an angle bracket here
	}
	to, address := t.end(from)
	target := text[from:to]
	if !address {
		return link{}, false
	}
	for to < len(text) && (text[to] == '>' || text[to] == ')') && text[to-1] != ')' {
		to++
	}
	return link{from: open, to: to, shown: text[open+1 : shut], target: target, markdown: true}, true
}

// It goes back from the colon, at most maxScheme bytes. "note: x" is no link, since neither "//" nor a scheme that runs
// code follows.
func schemeLink(text string, colon int) (link, bool) {
	from := colon
	for from > 0 && colon-from < maxScheme && schemeByte(text[from-1]) {
		from--
	}
	for from < colon && !isLetter(text[from]) {
		from++
	}
	scheme := lowerASCII(text[from:colon])
	rest := text[colon+1:]
	switch {
	case scheme == "":
		return link{}, false
	case strings.HasPrefix(rest, "//"):
		rest = rest[2:]
	// These run code without two slashes. data:image is a picture.
	case scheme == "javascript" || scheme == "vbscript" || (scheme == "data" && strings.HasPrefix(rest, "text/")):
	default:
		return link{}, false
	}
	n := addressEnd(rest, 0)
	to := len(text) - len(rest) + n
	return link{from: from, to: to, target: text[from:to]}, n > 0
}

// bareLink reads www.NAME, which chat windows make clickable without a scheme.
func bareLink(text string, i int) (link, bool) {
	if len(text) < i+5 || !strings.EqualFold(text[i:i+4], "www.") || !wordByte(text[i+4]) {
		return link{}, false
	}
	to := i + addressEnd(text[i:], 0)
	return link{from: i, to: to, target: text[i:to]}, true
}

// addressEnd returns where an address in a text ends: at white space, a quote, an angle bracket or stop. The
// punctuation that ends the sentence does not belong to it.
func addressEnd(s string, stop byte) int { return len(trimStop(s[:addressRun(s, stop)])) }

// In "see https://a.example/b." the dot ends the sentence.
func trimStop(s string) string { return strings.TrimRight(s, ".,;:!?'") }

// addressRun is the length of an address with its last punctuation. stop 0 is no byte of it, because it is below a
// blank.
func addressRun(s string, stop byte) int {
	n := 0
	for n < len(s) {
		c := s[n]
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c == stop {
			break
		}
		if c < utf8.RuneSelf {
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if isSpace(r) {
			break
		}
		n += size
	}
	return n
}

func schemeByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.' }
func wordByte(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' || c >= 0x80 }
