package impact

import (
	"slices"
	"strings"
	"testing"
)

// TestInlineRows finds every row and every name of the text, which are only found if they are sorted.
func TestInlineRows(t *testing.T) {
	last, list := "", ""
	for line := range strings.Lines(inlineText) {
		key, _, _ := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "  ") && list != "":
			for word := range strings.FieldsSeq(line) {
				if !listed(list).has(word) || listed(list).has(word+"~") {
					t.Errorf("%s in %s is not found", word, list)
				}
			}
		case strings.TrimSpace(line) == "" || line[0] == '#' || line[0] == ' ':
		default:
			if _, found := table(inlineText).search(key); !found || key <= last {
				t.Errorf("%q is behind %q", key, last)
			}
			last = key
			_, list, _ = strings.Cut(key, "@")
		}
	}
	if last == "" || !slices.IsSorted(strings.Fields(string(denied))) {
		t.Error("there is no list")
	}
}
