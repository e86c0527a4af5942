package jsontext

import "math/bits"

// LooseDepth is the deepest nesting of objects and arrays that LooseEnd accepts.
const LooseDepth = 512

// LooseEnd reads the JSON value at i and returns the position after it. It accepts every value of the JSON grammar (RFC
// 8259). Repeated keys, numbers of any size, and escapes that are half a surrogate pair pass, because real tools write
// them into their output. Use it for text that is passed on and never acted upon.
//
// doc must be valid UTF-8. depth is how many objects and arrays are open around i. The total depth may not exceed
// LooseDepth. For a refused value, code is one of Codes and end is the position of the error.
func LooseEnd(doc []byte, i, depth int) (end int, code string) {
	var objects [LooseDepth / 64]uint64 // a bit for each open container: set for an object
	outside := depth
	for {
		if i >= len(doc) {
			return i, CodeTruncated
		}
		opened := false
		switch c := doc[i]; {
		case c == '"':
			if i, code = looseStringEnd(doc, i+1); code != "" {
				return i, code
			}
		case c|0x20 == '{': // '[' is '{' without bit 5
			if depth >= LooseDepth {
				return i, CodeDepth
			}
			// The bit may be left from a container that was closed before at this depth.
			objects[depth>>6] &^= 1 << (depth & 63)
			if c == '{' {
				objects[depth>>6] |= 1 << (depth & 63)
			}
			depth++
			i, opened = i+1, true
		default:
			if i, code = looseScalarEnd(doc, i); code != "" {
				return i, code
			}
		}
		if i, depth, code = looseNext(doc, i, depth, outside, opened, &objects); code != "" || depth == outside {
			return i, code
		}
	}
}

// looseNext moves from after a value, or after the bracket that opened a container, to the next value. It
// closes the containers that end before that. At the depth outside, there is no next value. opened means that i
// is behind an opening bracket, where the container may end or its first member begins. It returns the
// position, the depth and a code. The position is that of a value, and in an object behind its key and colon.
func looseNext(doc []byte, i, depth, outside int, opened bool, objects *[LooseDepth / 64]uint64) (int, int, string) {
	for depth > outside {
		object := objects[(depth-1)>>6]&(1<<((depth-1)&63)) != 0
		if i = Space(doc, i); i >= len(doc) {
			return i, depth, CodeTruncated
		}
		switch c := doc[i]; {
		case c == '}' && object, c == ']' && !object:
			i, depth, opened = i+1, depth-1, false
			continue
		case !opened && c != ',':
			return i, depth, CodeSyntax
		case !opened:
			i = Space(doc, i+1)
		}
		if !object {
			return i, depth, ""
		}
		i, code := looseKeyEnd(doc, i)
		return i, depth, code
	}
	return i, depth, ""
}

// looseKeyEnd reads the key at i and its colon, and returns where the value begins.
func looseKeyEnd(doc []byte, i int) (int, string) {
	switch {
	case i >= len(doc):
		return i, CodeTruncated
	case doc[i] != '"':
		return i, CodeSyntax
	}
	i, code := looseStringEnd(doc, i+1)
	if code != "" {
		return i, code
	}
	switch i = Space(doc, i); {
	case i >= len(doc):
		return i, CodeTruncated
	case doc[i] != ':':
		return i, CodeSyntax
	}
	return Space(doc, i+1), ""
}

// looseScalarEnd reads a number or a literal. It returns the position after it. A word byte behind it is an
// error, as in "truer" and 1x.
func looseScalarEnd(doc []byte, i int) (int, string) {
	for _, name := range [...]string{"true", "false", "null"} {
		if end := i + len(name); doc[i] == name[0] {
			if end <= len(doc) && string(doc[i:end]) == name && (end == len(doc) || classes[doc[end]]&word == 0) {
				return end, ""
			}
			return i, CodeSyntax
		}
	}
	if doc[i] != '-' && classes[doc[i]]&digit == 0 {
		return i, CodeSyntax
	}
	end, ok := NumberEnd(doc, i)
	if !ok {
		return end, CodeNumber
	}
	return end, ""
}

// looseStringEnd reads a string whose text begins at i, and returns the position after its closing quote. It
// skips bytes above ASCII, because the caller has checked that doc is UTF-8. Unlike StringEnd, it counts
// nothing, so it needs no look at the bytes of a code point. i is behind the opening quote.
func looseStringEnd(doc []byte, i int) (int, string) {
	for {
		for ; i+8 <= len(doc); i += 8 {
			x := eight(doc[i : i+8 : i+8])
			quote, slash := x^'"'*ones, x^'\\'*ones
			// The lowest bit that is set is correct. A borrow can falsify only bits above it.
			if x = ((x-0x20*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops; x != 0 {
				i += bits.TrailingZeros64(x) >> 3
				break
			}
		}
		for i < len(doc) && doc[i] >= 0x20 && doc[i] != '"' && doc[i] != '\\' {
			i++
		}
		switch {
		case i >= len(doc):
			return i, CodeTruncated
		case doc[i] == '"':
			return i + 1, ""
		case doc[i] != '\\':
			return i, CodeControl
		case i+1 < len(doc) && classes[doc[i+1]]&short != 0:
			i += 2
			continue
		}
		_, n, code := unescape(doc[i:])
		if code != "" && code != CodeSurrogate {
			return i, code
		}
		if code == CodeSurrogate { // half a pair; the text after it is read separately
			n = 6
		}
		i += n
	}
}

// eight returns eight bytes as one number. The first byte is the lowest.
func eight(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
