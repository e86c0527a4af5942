package pattern

import (
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/order"
)

// class is a set of code points: ASCII ones as bits, the others as sorted ranges that neither touch nor
// overlap. add and union leave the ranges in any order. settle must run before has, not, overlaps or equal is
// called. A class with one range is settled from the start.
type class struct {
	ascii [2]uint64
	wide  []span
}

type span struct{ low, high rune }

const lastRune = utf8.MaxRune

// has costs a test of one bit for ASCII, and log n steps for n ranges.
func (c *class) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	low, high := 0, len(c.wide)
	for low < high {
		mid := (low + high) / 2
		switch s := c.wide[mid]; {
		case r < s.low:
			high = mid
		case r > s.high:
			low = mid + 1
		default:
			return true
		}
	}
	return false
}

// add adds the code points from low to high. The ranges are unsorted until settle.
func (c *class) add(low, high rune) {
	for r := low; r <= high && r < utf8.RuneSelf; r++ {
		c.ascii[r>>6] |= 1 << (r & 63)
	}
	if high >= utf8.RuneSelf {
		c.wide = append(c.wide, span{max(low, utf8.RuneSelf), high})
	}
}

// union adds the members of d, and leaves d alone.
func (c *class) union(d class) {
	c.ascii[0] |= d.ascii[0]
	c.ascii[1] |= d.ascii[1]
	c.wide = append(c.wide, d.wide...)
}

// settle sorts the ranges and joins those that touch.
func (c *class) settle() {
	if len(c.wide) < 2 {
		return
	}
	order.Stable(c.wide, func(a, b span) int { return int(a.low - b.low) })
	kept := c.wide[:1]
	for _, s := range c.wide[1:] {
		if last := &kept[len(kept)-1]; s.low <= last.high+1 {
			last.high = max(last.high, s.high)
		} else {
			kept = append(kept, s)
		}
	}
	c.wide = kept
}

// not returns the complement of a settled class. The result is settled too.
func (c class) not() class {
	d := class{ascii: [2]uint64{^c.ascii[0], ^c.ascii[1]}}
	from := rune(utf8.RuneSelf)
	// from is the first code point that no range so far has covered. Sorted ranges make one pass enough.
	for _, s := range c.wide {
		if s.low > from {
			d.wide = append(d.wide, span{from, s.low - 1})
		}
		from = s.high + 1
	}
	if from <= lastRune {
		d.wide = append(d.wide, span{from, lastRune})
	}
	return d
}

// overlaps reports whether two settled classes share a code point. It goes over both lists once, from low to
// high.
func (c *class) overlaps(d *class) bool {
	if c.ascii[0]&d.ascii[0]|c.ascii[1]&d.ascii[1] != 0 {
		return true
	}
	for i, j := 0, 0; i < len(c.wide) && j < len(d.wide); {
		switch a, b := c.wide[i], d.wide[j]; {
		case a.high < b.low:
			i++
		case b.high < a.low:
			j++
		default:
			return true
		}
	}
	return false
}

func (c *class) equal(d *class) bool { return c.ascii == d.ascii && slices.Equal(c.wide, d.wide) }

// classes are the distinct classes of one pattern. Nodes and machines refer to a class by its index. ranges
// counts the ranges of all classes, to bound their memory.
type classes struct {
	list   []class
	ranges int
}

// add adds a settled class. ok is false if the pattern has too many ranges. Equal classes have one index, so
// that a{2}a is two runs of one class and can be joined.
func (k *classes) add(c class) (i uint16, ok bool) {
	// There are at most MaxBytes classes, and comparing two ends at the first range that differs.
	for i := range k.list {
		if k.list[i].equal(&c) {
			return uint16(i), true
		}
	}
	k.list = append(k.list, c)
	k.ranges += len(c.wide)
	return uint16(len(k.list) - 1), k.ranges <= maxRanges
}

// each calls f with every ASCII member.
func (c *class) each(f func(b int)) {
	for w, set := range c.ascii {
		for ; set != 0; set &= set - 1 {
			f(w<<6 + bits.TrailingZeros64(set))
		}
	}
}

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

func isWord(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_' }

// spaceClass is ECMA-262's WhiteSpace and LineTerminator.
func spaceClass() class {
	return class{
		ascii: [2]uint64{0x1F<<'\t' | 1<<' ', 0},
		wide: []span{{0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
			{0x3000, 0x3000}, {0xFEFF, 0xFEFF}},
	}
}

// category returns the class of a Unicode general category by its ECMA-262 name, short or long, with or without
// its key. The tables are those of package unicode, so the version of Unicode is that of the Go release.
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

// tableClass makes a class of a table of package unicode.
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

// addStrided adds every stride-th code point from low to high. Tables of capitals have a stride of 2.
func (c *class) addStrided(low, high, stride rune) {
	if stride == 1 {
		c.add(low, high)
		return
	}
	for r := low; r <= high; r += stride {
		c.add(r, r)
	}
}
