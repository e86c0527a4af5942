package house

import (
	"bytes"
	"os"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// largest is the size of the largest file that git may hold. The index of the vectors is near it.
const largest = 1 << 20

// TestNoBuiltPrograms keeps what a compiler made for one system out of git. A clone would carry it forever. The modules
// of the guardians are Wasm for every system, and small.
func TestNoBuiltPrograms(t *testing.T) {
	programs := map[string]string{"\x7fELF": "Linux", "MZ\x90\x00": "Windows", "\xcf\xfa\xed\xfe": "macOS",
		"!<arch>\n": "a linker"}
	seen := 0
	for _, name := range listedByGit(t) {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // removed and not yet committed, or a link
		}
		seen++
		if info.Size() > largest {
			t.Errorf("%s has %d bytes, at most %d: a build should make it", name, info.Size(), largest)
			continue
		}
		text := must.Read(t, name)
		for magic, system := range programs {
			if bytes.HasPrefix(text, []byte(magic)) {
				t.Errorf("%s is a program for %s: add it to .gitignore", name, system)
			}
		}
	}
	if seen < 500 {
		t.Fatalf("only %d files: the test has lost its subject", seen)
	}
}
