package digest

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"
)

// TestDerivation compares the derivation of keys with the standard library.
func TestDerivation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least, most int) []byte {
			return rapid.SliceOfN(rapid.Byte(), least, most).Draw(t, name)
		}
		secret, salt, header := draw("secret", 32, 200), draw("salt", 0, 64), draw("header", 0, 1100)
		got := make([]byte, rapid.IntRange(1, 100).Draw(t, "size"))
		Derive(got, secret, salt, "a label", header)
		want, err := hkdf.Key(sha256.New, secret, salt, "a label"+string(header), len(got))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%x, want %x: %v", got, want, err)
		}
		h := hmac.New(sha256.New, salt)
		h.Write(secret)
		h.Write(header)
		if sum := MAC(salt, secret, header); !bytes.Equal(sum[:], h.Sum(nil)) {
			t.Fatalf("%x, want %x", sum, h.Sum(nil))
		}
	})
}
