package pattern

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// FuzzMatch compares our machines with each other and with package regexp, on patterns that both read alike.
func FuzzMatch(f *testing.F) {
	for _, seed := range []string{`^[A-Z]{3}-\d{4,6}$`, `(a|b)*c`, `^(?:a?){3}b??$`, `a*$|^b`, `\bfoo\B`, `[^a-c]{2,}x`,
		`(^|,)a(,|$)`, `é+.`,
		`(a{1,70}b){1,2}`, `x{2,5}y`, `^(ab|a)(bc|c)?$`, `[\w-]+@\w`, `\x41[\d\D]`, `(?:)|a{0}`} {
		for _, text := range []string{"", "abc", "aab,a", "OPS-12345", "foo bar", "ééx", "xxxy", strings.Repeat("a", 80) +
			"b"} {
			f.Add(seed, text)
		}
	}
	f.Fuzz(matchesAlike)
}

// TestEveryShortPattern matches every pattern of a few symbols.
func TestEveryShortPattern(t *testing.T) {
	for pattern := range vectors.Short(t, 3, 5, "a", "b", "(", "(?:", "(?=", ")", "|", "*", "+", "?", "{1,2}", "{", "[",
		"^", "]", "-", "$", ".", `\`, `\d`, `\b`, "\u00e9") {
		matchesAlike(t, pattern, "ab\u00e9a")
	}
}

func matchesAlike(t *testing.T, pattern, text string) {
	if len(pattern) > 200 || len(text) > 2000 || !utf8.ValidString(text) {
		return
	}
	p, fault := Compile(pattern)
	if (p == nil) == (fault == nil) {
		t.Fatalf("%q: pattern %v, fault %v", pattern, p != nil, fault)
	}
	if fault != nil {
		if fault.Offset < 0 || fault.Offset > len(pattern) {
			t.Fatalf("%q: the fault is at %d", pattern, fault.Offset)
		}
		return
	}
	got := p.Match([]byte(text))
	same(t, pattern, text, got)
	if re := translated(pattern); re != nil && re.MatchString(text) != got {
		t.Fatalf("%q on %q: got %v, regexp %v", pattern, text, got, !got)
	}
}

// same checks that all machines that can run the pattern give the same result.
func same(t *testing.T, pattern, text string, want bool) {
	p := parser{text: pattern}
	root := p.alternation(0)
	b := builder{tree: &p}
	if b.looksAhead() {
		return
	}
	prog := b.compile(root)
	if prog == nil {
		return // too many positions once the repetitions are written out
	}
	if got := newWide(prog).match([]byte(text)); got != want {
		t.Fatalf("%q on %q: wide says %v, Match %v", pattern, text, got, want)
	}
	if len(prog.at) > narrowPositions {
		return
	}
	if got := newNarrow(prog).match([]byte(text)); got != want {
		t.Fatalf("%q on %q: narrow says %v, Match %v", pattern, text, got, want)
	}
}

// bounds are the bounds of a repetition that both read alike. With a leading zero, regexp takes the text literally.
var bounds = regexp.MustCompile(`^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}`)

// translated returns the pattern as package regexp reads it, or nil if regexp reads some part differently.
func translated(pattern string) *regexp.Regexp {
	var out strings.Builder
	inSet := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			if i++; i == len(pattern) || !strings.ContainsRune("dDwWbBtnvfr\\/.*+?()[]{}|^$-", rune(pattern[i])) {
				return nil
			}
			if inSet && strings.ContainsRune("bBdDwW", rune(pattern[i])) || pattern[i] == 'v' {
				return nil
			}
			if pattern[i] == '/' {
				out.WriteByte('/')
				continue
			}
			out.WriteString(pattern[i-1 : i+1])
			continue
		case inSet && c == ']':
			inSet = false
		case inSet && c == '[':
			out.WriteByte('\\')
		case !inSet && c == '[':
			inSet = true
			if rest := strings.TrimPrefix(pattern[i+1:], "^"); strings.HasPrefix(rest, "]") {
				return nil
			}
		case !inSet && c == '.':
			out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
			continue
		case !inSet && (c == '{' || c == '}' || c == ']'):
			if c != '{' || !bounds.MatchString(pattern[i:]) {
				return nil
			}
			end := strings.IndexByte(pattern[i:], '}')
			out.WriteString(pattern[i : i+end+1])
			i += end
			continue
		case !inSet && strings.HasPrefix(pattern[i:], "(?"):
			if !strings.HasPrefix(pattern[i:], "(?:") {
				return nil
			}
		}
		out.WriteByte(pattern[i])
	}
	re, err := regexp.Compile(out.String())
	if err != nil {
		return nil
	}
	return re
}
