// Package hostile reads hostile and harmless lines from the files beside it. No peer may act on the hostile lines, and
// the harmless ones must pass. Tests send them to the connection machine and to real clients and servers.
package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Line is one line. Its text has placeholders for values that only a session has ($id, $q, $t, $members); Put replaces
// them.
type Line struct{ Name, Text string }

// Read reads a file in dir. file is its name without the suffix.
func Read(dir, file string) (list []Line, err error) {
	words := map[string]string{}
	raw, err := os.ReadFile(filepath.Join(dir, "words.json"))
	if err == nil {
		err = json.Unmarshal(raw, &words)
	}
	if err != nil {
		return nil, err
	}
	if raw, err = os.ReadFile(filepath.Join(dir, file+".jsonl")); err != nil {
		return nil, err
	}
	for row := range bytes.Lines(raw) {
		if row[0] == '#' {
			continue
		}
		var r struct {
			Name   string
			Line   string
			Base64 []byte
		}
		if err := json.Unmarshal(row, &r); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", file, err, row)
		}
		text := r.Line + string(r.Base64)
		for range words {
			text = Put(text, words)
		}
		text = repeated(repeated(text, "$deep(", "[", "]"), "$pad(", "x", "")
		list = append(list, Line{r.Name, strings.ReplaceAll(text, "$name", r.Name)})
	}
	return list, nil
}

// Put replaces the placeholders by the given values. It replaces the longest names first: $question before $q.
func Put(text string, given map[string]string) string {
	var names, pairs []string
	for name := range given {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		pairs = append(pairs, name, given[name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// repeated replaces the piece NAME N ")" by N times before and N times after.
func repeated(text, name, before, after string) string {
	head, rest, found := strings.Cut(text, name)
	number, tail, ok := strings.Cut(rest, ")")
	n, err := strconv.Atoi(number)
	if !found || !ok || err != nil {
		return text
	}
	return head + strings.Repeat(before, n) + strings.Repeat(after, n) + tail
}
