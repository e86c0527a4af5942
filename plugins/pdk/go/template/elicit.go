// Everything that a guardian of Elicit needs in Go: it reads the question and writes the verdict. Nothing here is yours
// to change.

package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is JSON as the host spelled it. A missing value is "" and has no members, no items and no text.
type Value string

// Get is the value at a pointer of RFC 6901, such as "/request/form/fields/0/name".
func (v Value) Get(pointer string) Value {
	for pointer != "" && v != "" {
		token, rest := pointer[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, rest = token[:i], token[i:]
		}
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		next, index := Value(""), 0
		v.Each(func(name string, one Value) bool {
			if v[0] == '[' {
				name = strconv.Itoa(index)
				index++
			}
			if name == token {
				next = one
			}
			return next == ""
		})
		v, pointer = next, rest
	}
	return v
}

// Each walks the members of an object, or the items of a list, whose names are "", until yield says no.
func (v Value) Each(yield func(name string, value Value) bool) {
	if !v.IsObject() && !v.IsList() {
		return
	}
	for rest := v[1:]; ; {
		rest = blank(rest, ',')
		if rest == "" || rest[0] == '}' || rest[0] == ']' {
			return
		}
		name := ""
		if v.IsObject() {
			n := end(rest)
			name = rest[:n].Text()
			rest = blank(rest[n:], ':')
		}
		n := end(rest)
		if !yield(name, rest[:n]) {
			return
		}
		rest = rest[n:]
	}
}

func (v Value) IsText() bool   { return len(v) > 1 && v[0] == '"' }
func (v Value) IsList() bool   { return v != "" && v[0] == '[' }
func (v Value) IsObject() bool { return v != "" && v[0] == '{' }

// Text is what a string means, "" unless it is one.
func (v Value) Text() string {
	if !v.IsText() {
		return ""
	}
	in := string(v[1 : len(v)-1])
	i := strings.IndexByte(in, '\\')
	if i < 0 {
		return in
	}
	out := make([]byte, 0, len(in))
	for ; i >= 0 && i+1 < len(in); i = strings.IndexByte(in, '\\') {
		out = append(out, in[:i]...)
		c := in[i+1]
		in = in[i+2:]
		if c != 'u' {
			if k := strings.IndexByte("nrtbf", c); k >= 0 {
				c = "\n\r\t\b\f"[k]
			}
			out = append(out, c)
			continue
		}
		r, n := hex(in), 4
		if r>>10 == 0x36 && len(in) > 6 && in[4:6] == `\u` && hex(in[6:])>>10 == 0x37 {
			r, n = 0x10000+(r&0x3ff<<10|hex(in[6:])&0x3ff), 10
		}
		out = utf8.AppendRune(out, r) // half a surrogate pair is U+FFFD
		in = in[min(n, len(in)):]
	}
	return string(append(out, in...))
}

// Int is a whole number.
func (v Value) Int() (int64, bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

func hex(s string) rune {
	n, err := strconv.ParseUint(s[:min(4, len(s))], 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}

func blank(v Value, also byte) Value {
	for v != "" && (v[0] <= ' ' || v[0] == also) {
		v = v[1:]
	}
	return v
}

// end is the length of the value v begins with. It counts brackets and calls nothing of itself, however deep they go.
func end(v Value) int {
	depth := 0
	for i := 0; i < len(v); {
		c := v[i]
		i++
		switch {
		case c == '"':
			i = quoted(v, i)
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth = max(depth-1, 0)
		case c > ' ' && c != ',' && c != ':':
			for i < len(v) && v[i] > ' ' && v[i] != ',' && v[i] != '}' && v[i] != ']' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(v)
}

// quoted is the place behind the closing quote of the string whose content begins at i.
func quoted(v Value, i int) int {
	for {
		n := strings.IndexByte(string(v[i:]), '"')
		if n < 0 {
			return len(v)
		}
		slashes := 0
		for slashes < n && v[i+n-slashes-1] == '\\' {
			slashes++
		}
		if i += n + 1; slashes%2 == 0 {
			return i
		}
	}
}
