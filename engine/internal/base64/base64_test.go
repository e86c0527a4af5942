package base64_test

import (
	std "encoding/base64"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/base64"
	"github.com/elicit-engine/elicit/internal/vectors"
	"pgregory.net/rapid"
)

// spellings are the two of this package, with the standard library's.
var spellings = map[string]struct {
	std    *std.Encoding
	append func(dst, src []byte) []byte
	read   func(dst []byte, text string) ([]byte, bool)
}{
	"standard": {std.StdEncoding, base64.Append, base64.Read},
	"URL": {std.RawURLEncoding, base64.AppendURL, func(dst []byte, text string) ([]byte, bool) {
		return base64.ReadURL(dst, []byte(text))
	}},
}

func TestAgainstTheStandard(t *testing.T) {
	for name, s := range spellings {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			raw := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "raw")
			text := string(s.append([]byte("x"), raw))
			if want := "x" + s.std.EncodeToString(raw); text != want {
				t.Fatalf("%q, want %q", text, want)
			}
			if name == "URL" && len(text)-1 != base64.URLSize(len(raw)) {
				t.Fatalf("%q of size %d", text, base64.URLSize(len(raw)))
			}
			if back, ok := s.read([]byte("y"), text[1:]); !ok || string(back) != "y"+string(raw) {
				t.Fatalf("%v %x", ok, back)
			}
		}))
	}
}

// TestOneSpelling: a text is read only if this package writes it.
func TestOneSpelling(t *testing.T) {
	for name := range spellings {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			oneSpelling(t, name, rapid.StringOfN(rapid.RuneFrom([]rune("AQgwz09-_=+/\n é")), 0, 12, -1).Draw(t, "text"))
		}))
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "AA==", "AAA=", "AAAA", "A===", "====", "AB=C", "/+8=", "AAAA\n", "AA==AAAA", "AB=="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name := range spellings {
			oneSpelling(t, name, text)
		}
	})
}

// TestEveryShortText reads every text of a few symbols.
func TestEveryShortText(t *testing.T) {
	for text := range vectors.Short(t, 4, 6, "A", "Q", "g", "w", "9", "0", "=", "+", "/", "-", "_", "\n", "\u00e9",
		"\x00") {
		for name := range spellings {
			oneSpelling(t, name, text)
		}
	}
}

func oneSpelling(t interface{ Fatalf(string, ...any) }, name, text string) {
	s := spellings[name]
	raw, ok := s.read([]byte("y"), text)
	want, err := s.std.Strict().DecodeString(text)
	if strings.ContainsAny(text, "\r\n") {
		err = std.CorruptInputError(0) // the standard library skips line breaks
	}
	if ok != (err == nil) {
		t.Fatalf("%s: %q: %v, want %v", name, text, ok, err)
	} else if !ok && string(raw) != "y" || ok && string(raw) != "y"+string(want) {
		t.Fatalf("%s: %q: %x", name, text, raw)
	}
}
