package base64url

import (
	"encoding/base64"
	"testing"

	"pgregory.net/rapid"
)

func TestAgainstTheStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "raw")
		text := string(Append([]byte("x"), raw))
		if want := "x" + base64.RawURLEncoding.EncodeToString(raw); text != want || len(text)-1 != Size(len(raw)) {
			t.Fatalf("%q of size %d, want %q", text, Size(len(raw)), want)
		}
		if back, ok := Read([]byte("y"), []byte(text[1:])); !ok || string(back) != "y"+string(raw) {
			t.Fatalf("%v %x", ok, back)
		}
	})
}

// TestOneSpelling: a text is read only if Append writes it.
func TestOneSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("AQgwz09-_=+/\n é")), 0, 12, -1).Draw(t, "text")
		raw, ok := Read([]byte("y"), []byte(text))
		want, err := base64.RawURLEncoding.Strict().DecodeString(text)
		if has := err == nil && base64.RawURLEncoding.EncodeToString(want) == text; ok != has {
			t.Fatalf("%q: %v, want %v", text, ok, has)
		} else if !ok && string(raw) != "y" || ok && string(raw) != "y"+string(want) {
			t.Fatalf("%q: %x", text, raw)
		}
	})
}
