package schema

import "math/bits"

// A step is a number as coefficient × 10^exponent. The coefficient has no trailing zeros. It lets multipleOf
// work without floats and big integers: 0.3 is a multiple of 0.1. 12.50 is 125 × 10^-1: digits is the text
// "12.50", count is 4, and exponent is -1. Zero has a count of 0. The sign is not kept, because it makes no
// difference to a multiple.
type step struct {
	digits   []byte // the text with the digits, with or without a point
	count    int    // how many bytes of digits there are up to the last digit that is not zero
	exponent int
	ok       bool // false when the exponent is beyond a million
}

// stepDigits is the most digits of a multipleOf. With it, a remainder fits 64 bits.
const stepDigits = 18

const maxExponent = 1_000_000

// takeApart reads the text of a number that a Scanner has accepted. Its result shares that memory. The cost is
// linear in the text.
func takeApart(raw []byte) (t step) {
	if len(raw) > 0 && raw[0] == '-' {
		raw = raw[1:]
	}
	end, exponent, ok := len(raw), 0, true
	for i, c := range raw {
		if c|0x20 == 'e' {
			end = i
			exponent, ok = readExponent(raw[i+1:])
			break
		}
	}
	point := -1
	for i, c := range raw[:end] {
		if c == '.' {
			point = i
		} else if c != '0' {
			t.count = i + 1
		}
	}
	t.digits, t.ok = raw, ok
	// The exponent is that of the last digit that counts. Digits after the point lower it, and zeros that were
	// dropped in front of the point raise it.
	switch {
	case t.count == 0: // zero keeps the exponent 0
	case point < 0:
		t.exponent = exponent + end - t.count
	case t.count > point:
		t.exponent = exponent - (t.count - 1 - point)
	default:
		t.exponent = exponent + point - t.count
	}
	return t
}

// readExponent reads the digits after e. ok is false beyond a million, so the sums of two exponents stay small
// numbers.
func readExponent(b []byte) (n int, ok bool) {
	negative := false
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		negative, b = b[0] == '-', b[1:]
	}
	for _, c := range b {
		if n = n*10 + int(c-'0'); n > maxExponent {
			return 0, false
		}
	}
	if negative {
		n = -n
	}
	return n, true
}

// coefficient returns the digits as an integer. ok is false when there are more than stepDigits.
func (t step) coefficient() (v uint64, ok bool) {
	n := 0
	for _, c := range t.digits[:t.count] {
		if c == '.' || v == 0 && c == '0' {
			continue
		}
		if n++; n > stepDigits {
			return 0, false
		}
		v = v*10 + uint64(c-'0')
	}
	return v, true
}

// remainder returns the digits modulo m. The digits may be very many. The remainder is taken digit by digit, so
// it never needs more than a word.
func (t step) remainder(m uint64) (r uint64) {
	for _, c := range t.digits[:t.count] {
		if c != '.' {
			r = mulmod(r, 10, m, uint64(c-'0'))
		}
	}
	return r
}

// mulmod returns (a*b + add) mod m, for a < m. bits.Rem64 takes the high word modulo m first, so a large add
// does no harm.
func mulmod(a, b, m, add uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, add, 0)
	return bits.Rem64(hi+carry, lo, m)
}

// scaled returns a number in units of 10^-places, of which 5 and 2 places make 500. ok is false beyond 10^18 of them,
// and for a number with more places.
func scaled(raw []byte, places int) (v int64, ok bool) {
	t := takeApart(raw)
	digits, ok := t.coefficient()
	if t.count == 0 {
		return 0, ok
	}
	zeros := t.exponent + places
	if !ok || !t.ok || zeros < 0 {
		return 0, false
	}
	for ; zeros > 0; zeros-- {
		if digits *= 10; digits > mostScaled {
			return 0, false
		}
	}
	if v = int64(digits); raw[0] == '-' {
		v = -v
	}
	return v, true
}

// mostScaled leaves room for sums of such numbers.
const mostScaled = 1e18

// commonMultiple returns the least number that a and b divide, both at least 1. ok is false beyond mostScaled.
func commonMultiple(a, b int64) (m int64, ok bool) {
	divisor, rest := a, b
	for rest != 0 {
		divisor, rest = rest, divisor%rest
	}
	hi, lo := bits.Mul64(uint64(a/divisor), uint64(b))
	return int64(lo), hi == 0 && lo <= mostScaled
}

// usableStep reports whether isMultiple can be exact for a multipleOf: a positive number of at most stepDigits
// digits, after zeros at both ends are dropped.
func usableStep(raw []byte) bool {
	t := takeApart(raw)
	_, ok := t.coefficient()
	return ok && t.ok
}

// isMultiple reports whether value is a whole multiple of of, exactly. A value with an exponent beyond a
// million is a multiple of nothing, because computing it is not worth the work. With value = v × 10^a and of =
// m × 10^b, the question is whether m divides v × 10^(a-b). If b is larger than a, then m × 10^(b-a) would have
// to divide v, but v has no factor 10. Otherwise the power of ten is found by squaring, in about 20 steps for
// the largest exponent.
func isMultiple(value, of []byte) bool {
	v, m := takeApart(value), takeApart(of)
	if v.count == 0 {
		return true
	}
	shift := v.exponent - m.exponent
	if !v.ok || shift < 0 { // value has no trailing zero left to give
		return false
	}
	// Compile has refused a step of 0, so c is at least 1.
	c, _ := m.coefficient()
	r := v.remainder(c)
	for ten := uint64(10) % c; shift > 0; shift >>= 1 {
		if shift&1 == 1 {
			r = mulmod(r, ten, c, 0)
		}
		ten = mulmod(ten, ten, c, 0)
	}
	return r == 0
}
