package main

import (
	"bytes"
	"slices"
	"testing"
)

// withData returns a module with the given data section.
func withData(section ...byte) []byte {
	return append(append([]byte("\x00asm\x01\x00\x00\x00"), dataSection, byte(len(section))), section...)
}

// TestPackKeepsTheMemory packs segments in another order than that of their addresses, with short and long gaps.
func TestPackKeepsTheMemory(t *testing.T) {
	given := withData(3,
		0, 0x41, 0xc8, 0x01, 0x0b, 1, 3, // 200: 3
		0, 0x41, 0x08, 0x0b, 2, 1, 0, // 8: 1, 0
		0, 0x41, 0x14, 0x0b, 1, 2) // 20: 2
	want := withData(2,
		0, 0x41, 0x08, 0x0b, 13, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
		0, 0x41, 0xc8, 0x01, 0x0b, 1, 3)
	for _, m := range [][]byte{given, want} {
		if got, err := pack(m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v\n got % x\nwant % x", err, got, want)
		}
	}
}

// TestPackRefuses gives modules that it does not understand. None may come out changed in meaning.
func TestPackRefuses(t *testing.T) {
	for name, m := range map[string][]byte{
		"nothing":               nil,
		"cut off":               withData(1, 0, 0x41, 8, 0x0b, 9, 1),
		"overlapping segments":  withData(2, 0, 0x41, 8, 0x0b, 2, 1, 1, 0, 0x41, 9, 0x0b, 1, 2),
		"a passive segment":     withData(1, 1, 1, 7),
		"an imported address":   withData(1, 0, 0x23, 0, 0x0b, 1, 7),
		"no table of functions": slices.Insert(withData(1, 0, 0x41, 8, 0x0b, 1, 7), 8, codeSection, 1, 0),
		"a count of segments":   append([]byte("\x00asm\x01\x00\x00\x00"), dataCountSection, 1, 1),
	} {
		if got, err := pack(m); err == nil {
			t.Errorf("%s: % x", name, got)
		}
	}
}
