package ui

import "testing"

func TestPlain(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ordinary", "Deploy?\nYes", "Deploy?\nYes"},
		{"letters of any script", "Größe 日本 مرحبا", "Größe 日本 مرحبا"},
		{"escape sequence", "a\x1b[31mred", "a<U+001B>[31mred"},
		{"C1 control", "a\u009bm", "a<U+009B>m"},
		{"direction override", "a\u202eb", "a<U+202E>b"},
		{"isolate", "\u2066x\u2069", "<U+2066>x<U+2069>"},
		{"zero width space", "pay\u200bpal", "pay<U+200B>pal"},
		{"joiner among letters", "a\u200db", "a<U+200D>b"},
		{"joiner among emoji", "👩\u200d💻", "👩\u200d💻"},
		{"carriage return", "good\rbad", "good<U+000D>bad"},
		{"line ends", "a\r\nb\u2028c", "a\nb<U+2028>c"},
		{"spaces", "a\u00a0b\tc", "a b    c"},
		{"tags", "x\U000E0041", "x<U+E0041>"},
		{"stacked marks", "a\u0301\u0301\u0301\u0301\u0301", "a\u0301\u0301\u0301\u0301<U+0301>"},
		{"broken UTF-8", "a\xffb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Plain(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
