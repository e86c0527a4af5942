package browser

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPageIsFresh compares the embedded page with its sources without building it: page.sum has the output of sha256sum
// for every source file. The tests of the npm package build the page again and compare the bytes.
func TestPageIsFresh(t *testing.T) {
	sums, err := os.ReadFile("page/page.sum")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(sums)) {
		want, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("page.sum has the line %q", line)
		}
		source, err := os.ReadFile(filepath.Join("../../../..", filepath.FromSlash(path)))
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

// TestPageIsSmall: a browser loads the page and at most one language besides English.
func TestPageIsSmall(t *testing.T) {
	languages := []string{"", "ar.js", "de.js", "zh.js"}
	for i, language := range languages {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		for name, f := range staticFiles {
			if name == language || !slices.Contains(languages[1:], name) {
				_, _ = w.Write(f.Text)
			}
		}
		w.Close()
		if most := 40<<10 + min(i, 1)*5<<10; packed.Len() > most {
			t.Errorf("with %q the page is %d bytes compressed, at most %d", language, packed.Len(), most)
		}
	}
}
