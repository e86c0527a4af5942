package plain

import (
	"strings"
	"unicode/utf8"
)

// Position returns the line and the column of a byte of a text, as editors show them: both count from 1, and columns
// are characters. A byte outside the text counts as the nearest end.
func Position[T string | []byte](text T, at int) (line, column int) {
	before := string(text[:min(max(at, 0), len(text))])
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}
