package wire

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Parts joins the parts of a message for people, and counts the lines of each. An empty part is left out.
//
// The sum of all Lines is the number of lines of the message. The empty line between two parts counts for the first. An
// interface uses it to draw a command or a diff in its own way.
type Parts struct {
	text strings.Builder
	list []elicit.Part
	Cut  bool // some part was too long
}

// Add adds a part. If the part is longer than most bytes, its end is replaced by its digest.
func (p *Parts) Add(is elicit.PartKind, part string, most int) {
	if part == "" {
		return
	}
	from := p.text.Len()
	p.write(part, most)
	p.count(is, strings.Count(p.text.String()[from:], "\n"), from == 0)
}

// count counts lines, given as line ends, to the last part or to a new one. Texts that follow each other are one part,
// and so are diffs. Beyond the most parts, the rest is text.
func (p *Parts) count(is elicit.PartKind, ends int, first bool) {
	if first {
		p.list = append(p.list, elicit.Part{Is: is, Lines: ends + 1})
		return
	}
	last := &p.list[len(p.list)-1]
	switch joins := is == elicit.PartText || is == elicit.PartDiff; {
	case joins && last.Is == is:
		last.Lines += ends
	case len(p.list) == elicit.MaxParts:
		last.Is, last.Lines = elicit.PartText, last.Lines+ends
	default: // the empty line before it belongs to the part before
		last.Lines++
		p.list = append(p.list, elicit.Part{Is: is, Lines: ends - 1})
	}
}

func (p *Parts) write(part string, most int) {
	if p.text.Len() > 0 {
		p.text.WriteString("\n\n")
	}
	p.Cut = p.Cut || len(part) > most
	p.text.WriteString(Cut(part, most))
}

// Cut replaces the end of a text of more than most bytes by its digest.
//
// The digest tells two long texts with one beginning apart, for a person who compares and for a rule that remembers.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	sum := digest.Sum256([]byte(text))
	kept := Clip(text, most)
	more := strconv.Itoa(len(text) - len(kept))
	return kept + "… (" + more + " more bytes, SHA-256 of all " + digest.Hex(sum[:]) + ")"
}

// String returns the message.
func (p *Parts) String() string { return p.text.String() }

// Set sets the message of a request and its parts. A message that is all text has none.
func (p *Parts) Set(r *elicit.Request) {
	r.Message, r.Parts, r.MessageCut = p.text.String(), p.list, p.Cut
	if len(p.list) == 1 && p.list[0].Is == elicit.PartText {
		r.Parts = nil
	}
}

// InLine returns text for one line of a message. A text with control characters becomes a JSON string, because a line
// end in it could begin a line that says something else.
//
// Example: the path "a\nrm b" becomes "a\nrm b" with its quotes and the escape.
func InLine(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] == 0x7f {
			return string(jsontext.AppendString(nil, text))
		}
	}
	return text
}
