package wire

import (
	"path"
	"strings"
)

// Texts reads a list of texts. It returns false for anything else, and for a list of more than most.
func Texts(raw []byte, most int) (list []string, ok bool) {
	items, n := Elements(raw, most)
	if TypeOf(raw) != Array || n > most {
		return nil, false
	}
	for _, one := range items {
		text, is := Text(one)
		if !is {
			return nil, false
		}
		list = append(list, text)
	}
	return list, true
}

// CommandLine returns a list of arguments as a shell would read them.
func CommandLine(words []string) string {
	var line []byte
	for i, word := range words {
		if i > 0 {
			line = append(line, ' ')
		}
		line = appendWord(line, word)
	}
	return string(line)
}

// appendWord appends one argument of a command so that a shell would read the same argument.
//
// Single quotes keep every character but themselves (POSIX XCU 2.2.2). A quote in the word ends them, stands escaped,
// and opens them again.
func appendWord(dst []byte, word string) []byte {
	plain := word != ""
	for i := 0; i < len(word); i++ {
		c := word[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("-_./:=,+@%", c) >= 0)
	}
	if plain {
		return append(dst, word...)
	}
	dst = append(dst, '\'')
	dst = append(dst, strings.ReplaceAll(word, "'", `'\''`)...)
	return append(dst, '\'')
}

// PlainPath returns an absolute path without "." and "..", so that a rule for a directory matches what is in it.
// Another path stays as it is.
//
// Example: /w/../etc becomes /etc. It follows no links and looks at no disk.
func PlainPath(name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name)
	}
	return name
}
