package jsontext

import (
	"cmp"
	"math"
)

// Number is a number as the document spells it. All arithmetic is exact and decimal, and takes time linear in
// the spelling for any exponent. With floats, 9007199254740993 would equal 9007199254740992. A Number without
// text is no number: the zero value stands for the absence of one. Methods take only text of the grammar.
type Number struct {
	Raw []byte // aliases the document
}

// small reads a plain integer of at most 18 digits. Most numbers are such integers. Its value is below 10^18,
// so it fits 64 bits. ok is false for 1.0 and 1e2, which decimal reads.
func (n Number) small() (v int64, ok bool) {
	raw := n.Raw
	minus := len(raw) > 0 && raw[0] == '-'
	if minus {
		raw = raw[1:]
	}
	if len(raw) > 18 {
		return 0, false
	}
	for _, c := range raw {
		if classes[c]&digit == 0 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if minus {
		v = -v
	}
	return v, true
}

// decimal is a number in parts: the sign, the digits d1 d2 … dn without zeros at either end, the places of d1
// and dn without the written exponent, and the exponent. 120.50e3 is +, "1205", 2, -1, "3". Zero has no digits.
// The first digit of 120.50e3 stands at 10^2 and the last at 10^-1, so the number lies between 10^(2+3) and
// 10^(3+3). Because the digits have no zeros at the ends, equal numbers have equal digits and equal places.
type decimal struct {
	negative    bool
	digits      []byte // may contain the point
	first, last int64
	expMinus    bool
	exp         []byte
}

// saturated is far beyond any distance between places in a document below 2 GiB. Two numbers whose exponents
// differ by more are ordered by the exponents alone.
const saturated = int64(1) << 40

// decimal takes the number apart. It allocates nothing. The digits alias the number.
func (n Number) decimal() (d decimal) {
	raw := n.Raw
	if len(raw) > 0 && raw[0] == '-' {
		d.negative, raw = true, raw[1:]
	}
	mantissa, point := len(raw), -1
	for i, c := range raw {
		if c == '.' {
			point = i
		}
		if c|0x20 == 'e' {
			mantissa = i
			d.setExponent(raw[i+1:])
			break
		}
	}
	if point < 0 {
		point = mantissa
	}
	from, to := 0, mantissa
	for from < to && (raw[from] == '0' || raw[from] == '.') {
		from++
	}
	for to > from && (raw[to-1] == '0' || raw[to-1] == '.') {
		to--
	}
	if d.digits = raw[from:to]; from == to {
		return decimal{}
	}
	d.first, d.last = place(from, point), place(to-1, point)
	return d
}

// place returns the power of ten of the digit at index i: 0, 1, 2 to the left of the point, -1, -2 to its
// right. i and point are indexes into the mantissa. In 120.50, with the point at 3, index 0 has the place 2 and
// index 4 the place -1.
func place(i, point int) int64 {
	if i > point {
		return int64(point - i)
	}
	return int64(point - i - 1)
}

// setExponent takes the text after e: +05 is plus 5. An exponent of 0 has no digits left.
func (d *decimal) setExponent(exp []byte) {
	if len(exp) > 0 && (exp[0] == '+' || exp[0] == '-') {
		d.expMinus, exp = exp[0] == '-', exp[1:]
	}
	for len(exp) > 0 && exp[0] == '0' {
		exp = exp[1:]
	}
	d.exp = exp
}

// IsInteger reports whether the value is a whole number in any spelling: 3, 3.0, 1e2, 0.5e1. The last digit
// that is not zero must stand at 10^0 or above.
func (n Number) IsInteger() bool {
	if _, ok := n.small(); ok {
		return true
	}
	d := n.decimal()
	return len(d.digits) == 0 || expDistance(d, decimal{})+d.last >= 0
}

// Sign returns -1, 0 or 1. The sign of -0 is 0.
func (n Number) Sign() int {
	if v, ok := n.small(); ok {
		return cmp.Compare(v, 0)
	}
	switch d := n.decimal(); {
	case len(d.digits) == 0:
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// Compare orders two numbers by value: -1 if n < m, 0 if they are equal, 1 if n > m. The sign decides first,
// then the place of the first digit, then the digits. 1e2 equals 100, and 1e1000000000 is above 1e999999999, in
// as many steps as the texts have bytes.
func (n Number) Compare(m Number) int {
	if v, ok := n.small(); ok {
		if w, ok := m.small(); ok {
			return cmp.Compare(v, w)
		}
	}
	a, b := n.decimal(), m.decimal()
	if c := cmp.Compare(n.Sign(), m.Sign()); c != 0 || len(a.digits) == 0 {
		return c
	}
	c := cmp.Compare(expDistance(a, b)+a.first, b.first)
	if c == 0 {
		c = compareDigits(a.digits, b.digits)
	}
	if a.negative {
		return -c
	}
	return c
}

// Int returns the exact value. ok is false if it is not a whole number or does not fit. 1.0 and 1e2 have
// values, and 1.5 and 1e19 have none.
func (n Number) Int() (int64, bool) {
	if v, ok := n.small(); ok {
		return v, true
	}
	d := n.decimal()
	if len(d.digits) == 0 {
		return 0, true
	}
	zeros := expDistance(d, decimal{}) + d.last
	// A digit and 19 zeros behind it are more than 64 bits hold.
	if zeros < 0 || zeros > 18 {
		return 0, false
	}
	v := int64(0) // kept negative, because the negative range is larger
	for _, c := range d.digits {
		if c == '.' {
			continue
		}
		if v < (math.MinInt64+int64(c-'0'))/10 {
			return 0, false
		}
		v = v*10 - int64(c-'0')
	}
	for ; zeros > 0; zeros-- {
		if v < math.MinInt64/10 {
			return 0, false
		}
		v *= 10
	}
	if d.negative {
		return v, true
	}
	return -v, v != math.MinInt64
}

// expDistance returns the written exponent of a minus that of b, saturated. It works digit by digit, because an
// exponent may have more digits than any machine word. Once the sum is out of range, no further digit brings it
// back. The digits of both exponents are subtracted from the left: 12 and -3 give 10·(1-0) + (2+3) = 15.
func expDistance(a, b decimal) int64 {
	width := max(len(a.exp), len(b.exp))
	sum := int64(0)
	for i := width; i > 0; i-- {
		sum = sum*10 + a.expDigit(i) - b.expDigit(i)
		if sum > saturated || sum < -saturated {
			return sum
		}
	}
	return sum
}

// expDigit returns the signed i-th digit of the exponent, counted from the right and starting with 1.
func (d *decimal) expDigit(i int) int64 {
	if i > len(d.exp) {
		return 0
	}
	v := int64(d.exp[len(d.exp)-i] - '0')
	if d.expMinus {
		return -v
	}
	return v
}

// compareDigits compares digits whose first ones have the same place. The digits are compared as fractions:
// "12" is above "119", as 0.12 is above 0.119. Points are stepped over.
func compareDigits(a, b []byte) int {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		if i < len(a) && a[i] == '.' {
			i++
		}
		if j < len(b) && b[j] == '.' {
			j++
		}
		if i >= len(a) || j >= len(b) { // neither ends in a zero, so the longer one is greater
			return cmp.Compare(len(a)-i, len(b)-j)
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
	}
}
