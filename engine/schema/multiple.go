package schema

import "math/bits"

// A step is a number as coefficient × 10^exponent. The coefficient has no trailing zeros. It lets multipleOf work
// without floats and big integers: 0.3 is a multiple of 0.1.
type step struct {
	digits   []byte // the text with the digits, with or without a point
	count    int    // how many bytes of digits there are up to the last digit that is not zero
	exponent int
	ok       bool // false when the exponent is beyond a million
}

// stepDigits is the most digits of a multipleOf. With it, a remainder fits 64 bits.
const stepDigits = 18

const maxExponent = 1_000_000

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
	switch {
	case t.count == 0:
		t.exponent = 0
	case point < 0:
		t.exponent = exponent + end - t.count
	case t.count > point:
		t.exponent = exponent - (t.count - 1 - point)
	default:
		t.exponent = exponent + point - t.count
	}
	return t
}

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

// remainder returns the digits modulo m.
func (t step) remainder(m uint64) (r uint64) {
	for _, c := range t.digits[:t.count] {
		if c != '.' {
			r = mulmod(r, 10, m, uint64(c-'0'))
		}
	}
	return r
}

// mulmod returns (a*b + add) mod m, for a < m.
func mulmod(a, b, m, add uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	lo, carry := bits.Add64(lo, add, 0)
	return bits.Rem64(hi+carry, lo, m)
}

func usableStep(raw []byte) bool {
	t := takeApart(raw)
	_, ok := t.coefficient()
	return ok && t.ok
}

// isMultiple reports whether value is a whole multiple of of, exactly. A value with an exponent beyond a million is a
// multiple of nothing, because computing it is not worth the work.
func isMultiple(value, of []byte) bool {
	v, m := takeApart(value), takeApart(of)
	if v.count == 0 {
		return true
	}
	shift := v.exponent - m.exponent
	if !v.ok || shift < 0 { // value has no trailing zero left to give
		return false
	}
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
