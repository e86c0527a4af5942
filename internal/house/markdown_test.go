package house

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestMarkdownWidths keeps prose to 100 columns and code blocks to 120. Rows of tables and pictures stay on one line,
// because Markdown cannot break them.
func TestMarkdownWidths(t *testing.T) {
	lines := 0
	for _, name := range listedByGit(t, "*.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // removed and not yet committed, or the empty name at the end
		}
		code := false
		for i, line := range strings.Split(string(text), "\n") {
			lines++
			start := strings.TrimLeft(line, " >")
			fence := strings.HasPrefix(start, "```")
			code = code != fence
			most := 100
			if code {
				most = widest
			} else if strings.HasPrefix(start, "|") || strings.HasPrefix(start, "![") {
				continue
			}
			if n := utf8.RuneCountInString(line); n > most {
				t.Errorf("%s:%d has %d columns; at most %d", name, i+1, n, most)
			}
		}
	}
	if lines < 5000 {
		t.Errorf("only %d lines of Markdown: the test has lost its subject", lines)
	}
}
