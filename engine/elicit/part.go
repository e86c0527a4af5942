package elicit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// PartKind says what the lines of a part of a message are.
type PartKind string

// These are the kinds. Any other value is refused.
const (
	PartText      PartKind = "text"      // plain text
	PartCommand   PartKind = "command"   // a command as a shell reads it
	PartDirectory PartKind = "directory" // where a command would run
	PartDiff      PartKind = "diff"      // a unified diff; a line without a sign begins a file
	PartAccess    PartKind = "access"    // one permission a line: a word for the access, a space, and the place
)

// PartKinds lists every kind.
func PartKinds() []PartKind {
	return []PartKind{PartText, PartCommand, PartDirectory, PartDiff, PartAccess}
}

// Valid reports whether k is one of the kinds.
func (k PartKind) Valid() bool { return slices.Contains(PartKinds(), k) }

// Part says what the next Lines lines of a message are. A line ends with "\n", or with the message. Empty lines between
// two parts belong to the first of them. Example: the message "Run this?\nls -l\n/srv" has parts text 1, command 1,
// directory 1. A surface can then draw the command in a fixed font, and no text of a peer can be taken for it.
type Part struct {
	Is    PartKind
	Lines int // at least 1
}

// MaxParts is the most parts of one message.
const MaxParts = 64

// AppendJSON appends {"is","lines"}.
func (p Part) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "is", string(p.Is))
	o.Int("lines", int64(p.Lines))
	return o.End()
}

// WrongPart returns the pointer into Parts of the first thing that is wrong, and false if the parts are fit: at most
// MaxParts of known kinds, which cover the message exactly.
func (r *Request) WrongPart() (pointer string, wrong bool) {
	if len(r.Parts) == 0 {
		return "", false
	}
	if len(r.Parts) > MaxParts {
		return "", true
	}
	// The parts must cover all lines. A line behind the last part would be drawn by the whim of each surface.
	left := strings.Count(r.Message, "\n") + 1
	for i, part := range r.Parts {
		at := "/" + strconv.Itoa(i)
		if !part.Is.Valid() {
			return at + "/is", true
		}
		if part.Lines < 1 || part.Lines > left {
			return at + "/lines", true
		}
		left -= part.Lines
	}
	return "", left > 0
}
