package jsontext

import (
	"bytes"
	"testing"
)

// TestPlainEnd compares the eight-byte steps with the table: every byte at every place, before bytes that could borrow.
func TestPlainEnd(t *testing.T) {
	for c := range 256 {
		for at := range 19 {
			for _, next := range []byte{'a', ' ', '!', '#', ']', '"', '\\', 0, 0x1f, 0x7f, 0x80, 0xff} {
				doc := bytes.Repeat([]byte{'a'}, 20)
				doc[at], doc[at+1] = byte(c), next
				want := 0
				for want < len(doc) && classes[doc[want]]&plain != 0 {
					want++
				}
				if got := plainEnd(doc, 0); got != want {
					t.Fatalf("%q: got %d want %d", doc, got, want)
				}
			}
		}
	}
}
