package pattern

import "unicode"

func runeClass(r rune) (c class) {
	c.add(r, r)
	return c
}

// lineClass is the dot: every character but ECMA-262's line terminators.
func lineClass() class {
	return class{
		ascii: [2]uint64{^uint64(1<<'\n' | 1<<'\r'), ^uint64(0)},
		wide:  []span{{0x80, 0x2027}, {0x202A, lastRune}},
	}
}

func digitClass() class { return class{ascii: [2]uint64{0x03FF << '0', 0}} }

// wordClass is [A-Za-z0-9_].
func wordClass() class {
	const letters = 0x03FFFFFF << 1
	return class{ascii: [2]uint64{0x03FF << '0', letters | letters<<32 | 1<<('_'-64)}}
}

func isWord(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_'
}

// spaceClass is ECMA-262's WhiteSpace and LineTerminator.
func spaceClass() class {
	return class{
		ascii: [2]uint64{0x1F<<'\t' | 1<<' ', 0},
		wide: []span{{0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
			{0x3000, 0x3000}, {0xFEFF, 0xFEFF}},
	}
}

// category returns the class of a Unicode general category by its ECMA-262 name, short or long, with or without its
// key.
func category(name string) (class, bool) {
	switch name {
	case "L", "Letter":
		return tableClass(unicode.L), true
	case "Lu", "Uppercase_Letter":
		return tableClass(unicode.Lu), true
	case "Ll", "Lowercase_Letter":
		return tableClass(unicode.Ll), true
	case "M", "Mark", "Combining_Mark":
		return tableClass(unicode.M), true
	case "N", "Number":
		return tableClass(unicode.N), true
	case "Nd", "Decimal_Number", "digit":
		return tableClass(unicode.Nd), true
	case "P", "Punctuation", "punct":
		return tableClass(unicode.P), true
	case "Zs", "Space_Separator":
		return tableClass(unicode.Zs), true
	}
	return class{}, false
}

func tableClass(t *unicode.RangeTable) (c class) {
	c.wide = make([]span, 0, len(t.R16)+len(t.R32))
	for _, r := range t.R16 {
		c.addStrided(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range t.R32 {
		c.addStrided(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	c.settle()
	return c
}

func (c *class) addStrided(low, high, stride rune) {
	if stride == 1 {
		c.add(low, high)
		return
	}
	for r := low; r <= high; r += stride {
		c.add(r, r)
	}
}
