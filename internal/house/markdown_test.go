package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/internal/must"
)

var (
	anchored = regexp.MustCompile(`\]\(([^)#\s:]*)#([^)]+)\)`)
	inLink   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	noAnchor = regexp.MustCompile(`[^\pL\pN_\- ]`)
)

// anchors returns the anchors of a page's headings, as the sites that show Markdown make them.
func anchors(text string) map[string]bool {
	found, code := map[string]bool{}, false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if title := strings.TrimLeft(line, "#"); !code && title != line {
			title = inLink.ReplaceAllString(strings.TrimSpace(title), "$1")
			found[strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(title), ""), " ", "-")] = true
		}
	}
	return found
}

// TestDocsAnchors checks that every heading to which a page links exists.
func TestDocsAnchors(t *testing.T) {
	links := 0
	for _, name := range listedByGit(t, "*.md") {
		for _, found := range anchored.FindAllStringSubmatch(must.Text(t, name), -1) {
			to := name
			if found[1] != "" {
				to = filepath.Join(filepath.Dir(name), filepath.FromSlash(found[1]))
			}
			if links++; filepath.Ext(to) == ".md" && !anchors(must.Text(t, to))[found[2]] {
				t.Errorf("%s links to %s#%s, and there is no such heading", name, to, found[2])
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links to headings: the test has lost its subject", links)
	}
}

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
