package wire

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// Parts joins the parts of a message for people. An empty part is left out.
type Parts struct {
	text strings.Builder
	Cut  bool // some part was too long
}

// Add adds a part. If the part is longer than most bytes, its end is replaced by its digest.
func (p *Parts) Add(part string, most int) {
	if part == "" {
		return
	}
	if p.text.Len() > 0 {
		p.text.WriteString("\n\n")
	}
	if len(part) <= most {
		p.text.WriteString(part)
		return
	}
	p.Cut = true
	sum := digest.Sum256([]byte(part))
	kept := Clip(part, most)
	more := strconv.Itoa(len(part) - len(kept))
	p.text.WriteString(kept + "… (" + more + " more bytes, SHA-256 of all " + digest.Hex(sum[:]) + ")")
}

// String returns the message.
func (p *Parts) String() string { return p.text.String() }

// AppendWord appends one argument of a command so that a shell would read the same argument.
func AppendWord(dst []byte, word string) []byte {
	plain := word != ""
	for i := 0; i < len(word); i++ {
		c := word[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("-_./:=,+@%", c) >= 0)
	}
	if plain {
		return append(dst, word...)
	}
	dst = append(dst, '\'')
	dst = append(dst, strings.ReplaceAll(word, "'", `'\''`)...)
	return append(dst, '\'')
}
