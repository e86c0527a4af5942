package clientconfig

import (
	"bytes"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Hunk is a group of lines that a change replaces.
type Hunk struct {
	Line     int // of the first line in the old document, from 1
	Old, New []string
}

// Diff lists the lines that differ between the document and the one that a change made from it.
func (d *Doc) Diff(next *Doc) []Hunk { return d.diff(next.text, slices.Clone(next.edits)) }

func (f *onDisk) diff(next []byte, edits []edit) (hunks []Hunk) {
	if len(edits) == 0 && !bytes.Equal(f.text, next) { // another file, as it was kept
		edits = []edit{{span{0, len(f.text)}, string(next)}}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	for i := 0; i < len(edits); {
		first := lineStart(f.text, edits[i].start)
		last := f.lineEnd(edits[i].end)
		n := i + 1
		for n < len(edits) && edits[n].start <= last {
			last = max(last, f.lineEnd(edits[n].end))
			n++
		}
		moved := slices.Clone(edits[i:n])
		for k := range moved {
			moved[k].start, moved[k].end = moved[k].start-first, moved[k].end-first
		}
		hunks = append(hunks, hunk(f.text[:first], f.text[first:last], moved))
		i = n
	}
	return hunks
}

func hunk(before, old []byte, edits []edit) Hunk {
	h := Hunk{Line: 1 + bytes.Count(before, []byte{'\n'}), Old: lines(old), New: lines(apply(old, edits))}
	for len(h.Old) > 0 && len(h.New) > 0 && h.Old[0] == h.New[0] {
		h.Line, h.Old, h.New = h.Line+1, h.Old[1:], h.New[1:]
	}
	for len(h.Old) > 0 && len(h.New) > 0 && h.Old[len(h.Old)-1] == h.New[len(h.New)-1] {
		h.Old, h.New = h.Old[:len(h.Old)-1], h.New[:len(h.New)-1]
	}
	if len(h.Old) == 1 && len(h.New) == 1 {
		h.Old[0], h.New[0] = shorten(h.Old[0], h.New[0])
	}
	return h
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}

// A file without line ends is one long line. Around what differs, aroundChange bytes of it are shown.
const (
	longLine     = 200
	aroundChange = 40
)

// shorten cuts what two long lines have in common at their ends.
func shorten(a, b string) (string, string) {
	if len(a) <= longLine && len(b) <= longLine {
		return a, b
	}
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	cut := func(s string) string {
		return plain.Part(s, max(head-aroundChange, 0), min(len(s)-tail+aroundChange, len(s)))
	}
	return cut(a), cut(b)
}
