package module_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/wasm/module"
)

var small = []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x00\x05\x04note")

func Example() {
	sections, err := module.Sections(small)
	for _, s := range sections {
		fmt.Printf("%d: %q\n", s.ID, s.Content)
	}
	fmt.Println(err)
	// Output:
	// 1: "\x01`\x00\x00"
	// 0: "\x04note"
	// <nil>
}

// TestSections writes what it read, and reads nothing of a module that is cut inside a section.
func TestSections(t *testing.T) {
	for n := range len(small) + 1 {
		sections, err := module.Sections(small[:n])
		if whole := n == 8 || n == 14 || n == len(small); whole == errors.Is(err, module.ErrShort) {
			t.Errorf("%d bytes: %v", n, err)
		} else if !whole {
			continue
		}
		again := bytes.Clone(small[:module.HeadSize])
		for _, s := range sections {
			again = s.Append(again)
		}
		if !bytes.Equal(again, small[:n]) {
			t.Errorf("%q, not %q", again, small[:n])
		}
	}
}
