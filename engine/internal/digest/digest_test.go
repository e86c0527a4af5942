package digest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// TestBlocksAreSHA256 compares our own digest with the standard library's for every length around the block borders.
func TestBlocksAreSHA256(t *testing.T) {
	text := make([]byte, 5*blockSize)
	for i := range text {
		text[i] = byte(i * 7)
	}
	for n := range text {
		want := sha256.Sum256(text[:n])
		h := newBlocks()
		h.Write(text[:n])
		if got := h.Sum(nil); !bytes.Equal(got, want[:]) {
			t.Fatalf("%d bytes:\n got %x\nwant %x", n, got, want)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte("abc"), []byte(""), []byte("a longer text that goes over the border of one block of sixty-four bytes"))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		ours, theirs := Hash(newBlocks()), sha256.New()
		for _, part := range [][]byte{a, b, c} {
			ours.Write(part)
			theirs.Write(part)
			if got, want := ours.Sum(nil), theirs.Sum(nil); !bytes.Equal(got, want) {
				t.Fatalf("after %q\n got %x\nwant %x", part, got, want)
			}
		}
		ours.Reset()
		if got, want := ours.Sum(nil), sha256.Sum256(nil); !bytes.Equal(got, want[:]) {
			t.Fatalf("after a reset %x", got)
		}
	})
}

func FuzzHex(f *testing.F) {
	f.Add([]byte{0, 255, 16}, "00fF10")
	f.Add([]byte{1}, "0g")
	f.Fuzz(func(t *testing.T, p []byte, s string) {
		if got := Hex(p); got != hex.EncodeToString(p) {
			t.Fatalf("%x spelt %s", p, got)
		}
		want, err := hex.DecodeString(s)
		got := make([]byte, len(s)/2)
		if ok := ReadHex(got, s); ok != (err == nil) || ok && !bytes.Equal(got, want) {
			t.Fatalf("%q read as %x (%v), want %x (%v)", s, got, ok, want, err)
		}
		if ReadHex(make([]byte, len(s)/2+1), s) {
			t.Fatalf("%q read as a byte too many", s)
		}
	})
}
