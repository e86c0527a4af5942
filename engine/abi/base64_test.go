package abi

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
)

func FuzzBase64(f *testing.F) {
	for _, s := range []string{"", "AA==", "AAA=", "AAAA", "A===", "====", "AB=C", "/+8=", "AAAA\n", "AA==AAAA"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := base64.StdEncoding.DecodeString(s)
		if strings.ContainsAny(s, "\r\n") {
			err = base64.CorruptInputError(0) // the standard library skips line breaks; vectors have none
		}
		if got, ok := readBase64(s); ok != (err == nil) || ok && !bytes.Equal(got, want) {
			t.Fatalf("%q read as %x (%v), want %x (%v)", s, got, ok, want, err)
		}
	})
}
