package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Cell makes a peer's text fit into one cell of a table: it has no tab, no line end and no character that a terminal
// obeys.
func Cell(s string) string {
	return strings.ReplaceAll(ui.Plain(strings.ReplaceAll(s, "\t", " ")), "\n", " ")
}

// ShortPath returns a path with ~ for the home directory.
func ShortPath(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && ok {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// OneLine makes a peer's text fit into one line: it has no line end and no character that a terminal obeys.
func OneLine(s string) string { return strings.ReplaceAll(ui.Plain(s), "\n", " ") }

// Counted returns a number with its noun: "1 file" or "3 files".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Abridged returns the message or the URL of a request, shortened for a table.
func Abridged(r elicit.Request) string {
	const most = 48
	said := Cell(r.Message)
	if r.Mode == elicit.URL {
		said = Cell(r.URL)
	}
	if runes := []rune(said); len(runes) > most {
		said = string(runes[:most-1]) + "…"
	}
	return said
}

// release is the version of a packaged program. The linker sets it, because a source without a tag has no version.
var release string

// Version is the version of the release, or else what the Go module system recorded for this build, "(unknown)" without
// one. For a build of a checkout, which has no version, the commit follows.
func Version() string {
	if release != "" {
		return release
	}
	build, ok := debug.ReadBuildInfo()
	if !ok || build.Main.Version == "" {
		return "(unknown)"
	}
	if build.Main.Version != "(devel)" {
		return build.Main.Version
	}
	text := build.Main.Version
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", changed"
		}
	}
	return text
}
