package fold

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"production": "production", "PRODUCTION": "production", "pro\u00adduction": "production", "ｐｒｏｄｕｃｔｉｏｎ": "production",
		"\u0440roduction": "production", "pro\u010fuction": "production", "prod\ufe0fuction": "production",
		"prod\u200buction": "production",
		"prod\u034fuction": "production", "prod\u3164uction": "production", "p\u0301roduction": "production",
		"𝐩𝐫𝐨𝐝𝐮𝐜𝐭𝐢𝐨𝐧": "production",
		"ⓟⓡⓞⓓⓤⓒⓣⓘⓞⓝ": "production", "ᴘʀᴏᴅᴜᴄᴛɪᴏɴ": "production", "🅿🅁🅾🄳": "prod", "prod\x00uction": "production",
		"prod\u2800uction":            "production",
		"to\u00a0production\u3000now": "to production now", "ﬁnal": "final", "１２３": "123", "٤٥": "45", "۴۵": "45",
		"a\nb\tc": "a\nb\tc",
		"日本語":     "日本語", "пароль": "пapoль", "Ω": "w", "": "", "！": "!", "\xff": "\ufffd",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q; want %q", in, got, want)
		}
	}
}

// FuzzText checks that folding twice changes nothing, and that Plain texts lose only their capitals.
func FuzzText(f *testing.F) {
	for _, s := range []string{"Pаss", "ﬁ", "\u0301", "٤", "Ⓐ", "Ѡ", "Ա", "\ufe0f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Text(s)
		if twice := Text(once); twice != once || !utf8.ValidString(once) {
			t.Errorf("%q folds to %q, then to %q", s, once, twice)
		}
		if Plain(s) && once != strings.ToLower(s) {
			t.Errorf("%q is plain, but folds to %q", s, once)
		}
	})
}

// TestRune checks for every character that folding it twice changes nothing.
func TestRune(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if got := Rune(Rune(r)); got != Rune(r) {
			t.Errorf("%U folds to %U, then to %U", r, Rune(r), got)
		}
	}
}
