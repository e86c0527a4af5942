// Package webtest checks the files of a page that a Go program embeds.
package webtest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Fresh compares the made files in a directory with their sources without building them: page.sum has the output of
// sha256sum for every source file, with paths below root. The tests of the npm package build the page again and compare
// the bytes.
func Fresh(t *testing.T, dir, root string) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(dir, "page.sum"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(sums)) {
		want, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("page.sum has the line %q", line)
		}
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			t.Errorf("the page was made of a file that is gone; run ./build.sh page: %v", err)
			continue
		}
		if got := sha256.Sum256(source); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s has changed since the page was made; run ./build.sh page", path)
		}
		checked++
	}
	if checked < 5 {
		t.Errorf("only %d sources were checked", checked)
	}
}
