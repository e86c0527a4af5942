package guardian

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Pattern is a JSON pointer (RFC 6901) into a question, in which the token "*" stands for one array index or member
// name. It names a value and everything below it. It can name only values under /request, /answer and /note, because
// every guardian sees the rest of a question. The zero Pattern covers nothing. Examples: /request is all of the request
// but the later members. /answer/* is every member of the answer, without the values of secret ones. /answer/token
// names one member, also if it is secret.
type Pattern struct {
	tokens []string
}

// roots are the members of a question that a permit has to show.
var roots = []string{"request", "answer", "note"}

// These are the limits of one pattern, so that matching a manifest with 64 patterns stays cheap.
const (
	maxPattern = 512 // bytes
	maxTokens  = 16
)

// ParsePattern reads a pattern. It cannot name a member that is really called "*" alone.
func ParsePattern(s string) (Pattern, bool) {
	if len(s) > maxPattern || !strings.HasPrefix(s, "/") || !utf8.ValidString(s) {
		return Pattern{}, false
	}
	tokens := strings.Split(s[1:], "/")
	if len(tokens) > maxTokens || !slices.Contains(roots, tokens[0]) {
		return Pattern{}, false
	}
	for i, token := range tokens {
		plain, ok := unescape(token)
		if !ok {
			return Pattern{}, false
		}
		tokens[i] = plain
	}
	return Pattern{tokens}, true
}

// unescape reads ~0 and ~1 of RFC 6901 §3; any other tilde is an error. "a~1b" is "a/b" and "m~0n" is "m~n". An index
// is read as a name, which is its spelling in a path.
func unescape(token string) (string, bool) {
	if !strings.Contains(token, "~") {
		return token, true
	}
	var plain []byte
	for i := 0; i < len(token); i++ {
		c := token[i]
		if c == '~' {
			i++
			switch {
			case i < len(token) && token[i] == '0':
			case i < len(token) && token[i] == '1':
				c = '/'
			default:
				return "", false
			}
		}
		plain = append(plain, c)
	}
	return string(plain), true
}

// String returns the pattern as it is written in manifests and permits.
func (p Pattern) String() string {
	var s []byte
	for _, token := range p.tokens {
		s = jsontext.AppendToken(s, token)
	}
	return string(s)
}

// Covers reports whether the pattern names path or a value above it. path has the unescaped tokens from the question's
// root.
func (p Pattern) Covers(path []string) bool {
	if len(p.tokens) == 0 || len(p.tokens) > len(path) {
		return false
	}
	for i, token := range p.tokens {
		if token != "*" && token != path[i] {
			return false
		}
	}
	return true
}

// Exact reports whether the pattern names only path, token by token and without a star. A guardian sees a secret only
// with such a pattern. "/answer" and "/answer/*" name a password as well as a comment. An operator who writes them has
// not thought of the password.
func (p Pattern) Exact(path []string) bool {
	if len(p.tokens) == 0 || len(p.tokens) != len(path) {
		return false
	}
	for i, token := range p.tokens {
		if token == "*" || token != path[i] {
			return false
		}
	}
	return true
}

// Reads are the parts of a question that a guardian declares to read, or that it is permitted.
type Reads []Pattern

// Covers reports whether one of the patterns covers path.
func (r Reads) Covers(path []string) bool {
	for _, p := range r {
		if p.Covers(path) {
			return true
		}
	}
	return false
}

// Exact reports whether one of the patterns names only path.
func (r Reads) Exact(path []string) bool {
	for _, p := range r {
		if p.Exact(path) {
			return true
		}
	}
	return false
}

// names reports whether one of the patterns names a member of the request, or a value in it. /request/labels and
// /request/labels/0 name labels. The patterns /request and /request/* do not, because the star is no name.
func (r Reads) names(member string) bool {
	for _, p := range r {
		if len(p.tokens) > 1 && p.tokens[0] == "request" && p.tokens[1] == member {
			return true
		}
	}
	return false
}

// AppendJSON appends the patterns as an array of strings.
func (r Reads) AppendJSON(dst []byte) []byte {
	return jsontext.AppendEach(dst, len(r), func(dst []byte, i int) []byte {
		return jsontext.AppendString(dst, r[i].String())
	})
}
