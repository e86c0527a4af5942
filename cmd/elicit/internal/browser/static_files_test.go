package browser

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
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

func TestPageIsSmall(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, f := range staticFiles {
		_, _ = w.Write(*f.text)
	}
	w.Close()
	if packed.Len() > 40<<10 {
		t.Errorf("the page is %d bytes compressed, at most 40 KiB", packed.Len())
	}
}
