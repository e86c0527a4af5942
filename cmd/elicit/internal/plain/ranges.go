package plain

// span is a range of code points, both ends included.
type span struct{ from, to rune }

// invisible lists the characters that have no mark of their own: a font draws nothing, a blank or a substitute. They
// are control and format characters, fillers, selectors, tags, annotations, private use, and code points that are no
// characters. The line feed and the tab are not in the list, because each renderer draws them in its own way.
//
// bindings/js/src/form/invisible.ts and bindings/lua/lua/elicit/invisible.lua are generated from this table
// (go test ./cmd/elicit/internal/plain -update), and a test compares them.
var invisible = []span{
	{0x00, 0x08}, {0x0b, 0x1f}, {0x7f, 0x9f}, // controls, C1 among them
	{0xad, 0xad},     // soft hyphen
	{0x34f, 0x34f},   // combining grapheme joiner
	{0x61c, 0x61c},   // Arabic letter mark
	{0x70f, 0x70f},   // Syriac abbreviation mark
	{0x115f, 0x1160}, // Hangul fillers
	{0x17b4, 0x17b5}, // Khmer inherent vowels
	{0x180b, 0x180f}, // Mongolian selectors and vowel separator
	{0x200b, 0x200f}, // zero width, joiners, direction marks
	{0x2028, 0x202e}, // separators, embeddings, overrides
	{0x2060, 0x206f}, // word joiner, invisible operators, isolates, deprecated formats
	{0x2800, 0x2800}, // Braille blank
	{0x3164, 0x3164}, // Hangul filler
	{0xe000, 0xf8ff}, // private use
	{0xfdd0, 0xfdef}, // no characters
	{0xfe00, 0xfe0f}, // variation selectors
	{0xfeff, 0xfeff}, // byte order mark
	{0xffa0, 0xffa0}, // halfwidth Hangul filler
	{0xfff0, 0xfffc}, // annotations, object replacement
	{0xfffe, 0xffff},
	{0x13430, 0x13440}, // Egyptian format controls
	{0x16fe4, 0x16fe4}, // Khitan filler
	{0x1bca0, 0x1bca3}, // shorthand format controls
	{0x1d159, 0x1d159}, // null notehead
	{0x1d173, 0x1d17a}, // musical format controls
	{0x1fffe, 0x1ffff}, {0x2fffe, 0x2ffff}, {0x3fffe, 0x3ffff}, {0x4fffe, 0x4ffff}, {0x5fffe, 0x5ffff},
	{0x6fffe, 0x6ffff}, {0x7fffe, 0x7ffff}, {0x8fffe, 0x8ffff}, {0x9fffe, 0x9ffff}, {0xafffe, 0xaffff},
	{0xbfffe, 0xbffff}, {0xcfffe, 0xcffff}, {0xdfffe, 0xdffff},
	{0xe0000, 0xe0fff},  // tags, variation selectors 17 to 256
	{0xefffe, 0x10ffff}, // private use
}

// pictographs lists symbols and emoji, also skin tones. Next to these a joiner or an emoji selector has a meaning.
var pictographs = []span{
	{0xa9, 0xa9}, {0xae, 0xae}, {0x203c, 0x203c}, {0x2049, 0x2049}, {0x2122, 0x2122}, {0x2139, 0x2139},
	{0x2190, 0x27ff}, {0x2900, 0x2bff}, {0x3030, 0x3030}, {0x303d, 0x303d}, {0x3297, 0x3297}, {0x3299, 0x3299},
	{0x1f000, 0x1faff},
}

// in reports whether r is in a sorted list.
func in(list []span, r rune) bool {
	low, high := 0, len(list)
	for low < high {
		if mid := (low + high) / 2; list[mid].to < r {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(list) && list[low].from <= r
}
