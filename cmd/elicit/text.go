package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// cell makes a peer's text fit into one cell of a table: it has no tab, no line end and no character that a terminal
// obeys.
func cell(s string) string {
	return strings.ReplaceAll(ui.Plain(strings.ReplaceAll(s, "\t", " ")), "\n", " ")
}

func shortPath(path string) string {
	home, err := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && ok {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// oneLine makes a peer's text fit into one line: it has no line end and no character that a terminal obeys.
func oneLine(s string) string { return strings.ReplaceAll(ui.Plain(s), "\n", " ") }

// counted returns a number with its noun: "1 file" or "3 files".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// abridged returns the message or the URL of a request, shortened for a table.
func abridged(r elicit.Request) string {
	const most = 48
	said := cell(r.Message)
	if r.Mode == elicit.URL {
		said = cell(r.URL)
	}
	if runes := []rune(said); len(runes) > most {
		said = string(runes[:most-1]) + "…"
	}
	return said
}
