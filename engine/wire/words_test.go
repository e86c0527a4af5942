package wire

import (
	"strings"
	"testing"
)

// TestWords reads lists of arguments and spells them for a shell.
func TestWords(t *testing.T) {
	for _, test := range []struct{ list, want string }{
		{`[]`, ""},
		{`["git","push"]`, "git push"},
		{`["a b","it's",""]`, `'a b' 'it'\''s' ''`},
		{`["a",1]`, "no"},
		{`"a"`, "no"},
		{`["1","2","3","4"]`, "no"},
		{`null`, "no"},
	} {
		words, ok := Texts([]byte(test.list), 3)
		got := CommandLine(words)
		if !ok {
			got = "no"
		}
		if got != test.want || !ok && words != nil {
			t.Errorf("%s: %s, want %s", test.list, got, test.want)
		}
	}
	for _, pair := range strings.Fields("/a/./b/../c=/a/c //=/ a/../b=a/../b C:\\a\\..=C:\\a\\.. /=/") {
		name, want, _ := strings.Cut(pair, "=")
		if got := PlainPath(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
