package guardian

import (
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		covers, exact bool
	}{
		{"/request", "request/message", true, false},
		{"/request/message", "request/message", true, true},
		{"/request/message", "request", false, false},
		{"/request/message", "request/messages", false, false},
		{"/request/form/fields/*/name", "request/form/fields/3/name", true, false},
		{"/request/form/fields/*/name", "request/form/fields/3/title", false, false},
		{"/request/form/fields/*", "request/form/fields/3/choices/0", true, false},
		{"/answer/*", "answer/password", true, false},
		{"/answer/*", "answer/*", true, false},
		{"/answer/password", "answer/password", true, true},
		{"/answer/password", "answer/password/x", true, false},
		{"/answer/a~1b~0c", "answer/a|b~c", true, true},
		{"/answer/", "answer/", true, true},
		{"/answer/", "answer/x", false, false},
	} {
		p, ok := ParsePattern(c.pattern)
		path := strings.Split(c.path, "/")
		for i := range path {
			path[i] = strings.ReplaceAll(path[i], "|", "/")
		}
		if !ok || p.String() != c.pattern || p.Covers(path) != c.covers || p.Exact(path) != c.exact {
			t.Errorf("%s on %q: read %t as %s, covers %t, exact %t; want %t, %t", c.pattern, path, ok, p, p.Covers(path),
				p.Exact(path), c.covers, c.exact)
		}
		if r := (Reads{{}, p}); r.Covers(path) != c.covers || r.Exact(path) != c.exact {
			t.Errorf("%s in a list disagrees with itself on %q", c.pattern, path)
		}
	}
	for _, bad := range []string{"", "/", "answer", "/answers", "/*", "/seed", "/settings/x", "/answer/~", "/answer/~2",
		"/answer/\xff",
		"/answer/" + strings.Repeat("a", maxPattern), "/answer" + strings.Repeat("/a", maxTokens)} {
		if p, ok := ParsePattern(bad); ok {
			t.Errorf("%q was read as %s", bad, p)
		}
	}
	if (Pattern{}).Covers([]string{"request"}) || (Pattern{}).Exact(nil) || (Reads{}).Covers(nil) {
		t.Error("nothing covers something")
	}
}
