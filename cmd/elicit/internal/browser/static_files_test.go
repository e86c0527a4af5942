package browser

import (
	"bytes"
	"compress/gzip"
	"slices"
	"testing"
)

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
		if most := 48<<10 + min(i, 1)*6<<10; packed.Len() > most {
			t.Errorf("with %q the page is %d bytes compressed, at most %d", language, packed.Len(), most)
		}
	}
}
