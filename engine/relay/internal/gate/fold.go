package gate

import (
	"unicode"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// A reader may take a member for another one: encoding/json ignores case, .NET and Java compare by upper case,
// pydantic also accepts snake_case, and C strings end at a zero byte. If some reader could take a key for a known one
// that is spelled differently, the message is ambiguous.

// misread returns the problem with an unknown key that some reader could take for a known one, or for the prototype of
// the object. Members of the prototype pass for the object's own.
//
// JavaScript's JSON.parse makes "__proto__" an own member, but code that copies it with = or a merge sets the
// prototype. An attacker then gives the object members that it does not seem to have.
func misread(key jsontext.Text, known []string) *elicit.Problem {
	if key.Equal("__proto__") {
		return Faulty("key_prototype", "")
	}
	if k := lookalike(key, known); k != "" {
		return Faulty("key_lookalike", "", elicit.Str("key", Clipped(key.String())), elicit.Str("means", k))
	}
	return nil
}

// lookalike returns the known key that some reader could take key for, or "". A key with the exact spelling of a known
// one is no lookalike.
func lookalike(key jsontext.Text, known []string) string {
	if len(key.Raw) == 0 {
		return ""
	}
	first := key.Raw[0]
	// Most keys begin with another letter than any known one, and cost one comparison for each.
	if first < utf8.RuneSelf && !key.Escaped && !separates(rune(first)) {
		// Without this test, the hot path would fold every key of every message.
		for _, k := range known {
			if first|0x20 == k[0]|0x20 && FoldEqual(key.Raw, k) && string(key.Raw) != k {
				return k
			}
		}
		return ""
	}
	decoded := key.AppendTo(nil)
	for _, k := range known {
		if string(decoded) != k && FoldEqual(decoded, k) {
			return k
		}
	}
	return ""
}

// FoldEqual compares a key, up to its first zero byte, with a known one. It ignores case, separators and white space.
// The known key "_meta" keeps its underscore, because "meta" is a member of its own in many results.
//
// Examples: "ProgressToken", "progress_token", "progress-token" and "progressToken\x00evil" are equal to
// "progressToken".
func FoldEqual(key []byte, known string) bool {
	whole := known[0] == '_'
	for {
		var a, b rune
		a, key = nextFolded(key, whole)
		b, known = nextFoldedString(known, whole)
		switch {
		case a != b:
			return false
		case a == end:
			return true
		}
	}
}

const end rune = -1

func nextFolded(b []byte, whole bool) (rune, []byte) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		switch {
		case r == 0:
			return end, nil
		case !whole && separates(r):
			continue
		}
		return folded(r), b
	}
	return end, nil
}

// nextFoldedString is nextFolded for a string. A known key has no zero byte.
func nextFoldedString(s string, whole bool) (rune, string) {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		if !whole && separates(r) {
			continue
		}
		return folded(r), s
	}
	return end, ""
}

// separates reports whether some reader drops r: separators of words, white space, and characters without width.
//
// Beyond ASCII these are the zero-width characters U+200B to U+200F, the word joiner U+2060 and the byte order mark
// U+FEFF. A person sees none of them in a log.
func separates(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r == '-' || r <= ' '
	}
	return unicode.IsSpace(r) || 0x200B <= r && r <= 0x200F || r == 0x2060 || r == 0xFEFF
}

// unclear reports whether some reader could take the text of an unknown method for a known one.
//
// "tools/call " and "Tools/Call" are unclear, and so is a name with a space anywhere. "tools_list_all" is not: it has
// separators, but folds to no known method. An unclear method is refused, and any other unknown method passes.
func (w *Vocabulary) unclear(name []byte) bool {
	for rest := name; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if rest = rest[n:]; r != '_' && r != '-' && separates(r) {
			return true
		}
	}
	for _, known := range w.Methods {
		if known != "" && Alike(name, known) {
			return true
		}
	}
	return false
}

// Alike reports whether some reader could take text for a known text that is spelled differently.
func Alike(text []byte, known string) bool { return string(text) != known && FoldEqual(text, known) }

// folded maps the letters that readers take for one letter to that letter: ſ to s, the Kelvin sign to k, and the
// dotless and the dotted i beyond ASCII to i.
func folded(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r |= 0x20
		}
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
