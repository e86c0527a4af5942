package jsontext

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	tests := []struct {
		raw, want string
		runes     int
	}{
		{``, "", 0},
		{`abc`, "abc", 3},
		{`é€😀`, "é€😀", 3},
		{`\u00e9\u20AC\uD83D\uDE00`, "é€😀", 3},
		{`e\u0301`, "e\u0301", 2},
		{`\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t", 8},
		{`\u0000x`, "\x00x", 2},
		{`\uFFFDx`, "\uFFFDx", 2},
		{`👩\u200d👧`, "👩\u200d👧", 3},
	}
	for _, tt := range tests {
		var s Scanner
		s.Reset([]byte(`"`+tt.raw+`"`), Limits{})
		got := s.Text()
		if !s.End() {
			t.Fatalf("%q: %v", tt.raw, s.Fault())
		}
		if got.Runes != tt.runes || got.String() != tt.want || string(got.AppendTo(nil)) != tt.want {
			t.Errorf("%q: got %q with %d code points, want %q with %d", tt.raw, got.String(), got.Runes, tt.want, tt.runes)
		}
		if !got.Equal(tt.want) || got.Equal(tt.want+"x") || got.Equal("x"+tt.want) ||
			tt.want != "" && got.Equal(tt.want[:len(tt.want)-1]) {
			t.Errorf("%q: Equal is wrong", tt.raw)
		}
		if json, want := string(got.AppendJSON(nil)), string(AppendString(nil, tt.want)); json != want {
			t.Errorf("%q: canonical %s, want %s", tt.raw, json, want)
		}
		if n := testing.AllocsPerRun(5, func() { got.Equal(tt.want) }); n != 0 {
			t.Errorf("%q: Equal allocates %v times", tt.raw, n)
		}
	}
	if (Text{Raw: []byte(`\uFFFD`), Escaped: true}).Equal("\xFF") {
		t.Error("a replacement character equals a byte that is not UTF-8")
	}
}

// TestTextUnchecked decodes text that no gate has accepted. The result is unspecified, but the decoder must return.
func TestTextUnchecked(t *testing.T) {
	for _, raw := range []string{`\`, `\u`, `\u12`, `\uD800`, `\uD800\`, `\uD800\u`, `\q`, "\xFF", `\uDC00\uDC00`} {
		text := Text{Raw: []byte(raw), Escaped: true}
		if s := text.String(); !utf8.ValidString(s) || text.Equal("no") {
			t.Errorf("%q: %q", raw, s)
		}
		AppendValue(nil, []byte(`["`+raw))
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"b\\c\x00\x1f\x7f\u2028é😀\xff")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendString(nil, s)
		if fault := Check(quoted, Limits{Bytes: len(quoted)}); fault != nil {
			t.Fatalf("%q: %s: %v", s, quoted, fault)
		}
		var back string
		if err := json.Unmarshal(quoted, &back); err != nil {
			t.Fatal(err)
		}
		if want := string([]rune(s)); back != want {
			t.Fatalf("%q: %s reads as %q, want %q", s, quoted, back, want)
		}
		if again := string(AppendValue(nil, quoted)); again != string(quoted) {
			t.Fatalf("%s is not canonical: %s", quoted, again)
		}
	})
}

// TestHalfPairsAreOneCharacter checks that half a pair is U+FFFD, and that the text after it is read separately.
func TestHalfPairsAreOneCharacter(t *testing.T) {
	for raw, want := range map[string]string{
		`\ud800`: "\uFFFD", `a\udc00b`: "a\uFFFDb", `\ud800\n`: "\uFFFD\n", `\ud800\ud83d\ude00`: "\uFFFD😀",
		`\ud800\u0061`: "\uFFFDa",
	} {
		text := Text{Raw: []byte(raw), Escaped: true}
		if got := text.String(); got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
		if !text.Equal(want) {
			t.Errorf("%s is not equal to %q", raw, want)
		}
	}
}
