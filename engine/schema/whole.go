package schema

import "bytes"

// wholeBeside returns the whole number next to a number with a fraction: the one above, or else the one below. A
// minimum and an exclusiveMaximum take the one above, the other two bounds the one below. The same whole numbers then
// meet the bound. takeApart must accept the number.
//
//	wholeBeside(1.5, above)    2     a minimum of 1.5 allows 2 and more
//	wholeBeside(1.5, below)    1     a maximum of 1.5 allows 1 and less
//	wholeBeside(-1.5, above)   -1
//	wholeBeside(-0.5, above)   0     never -0
func wholeBeside(raw []byte, above bool) []byte {
	digits := takeApart(raw).whole()
	negative := raw[0] == '-'
	if negative != above { // away from zero
		digits = increment(digits)
	}
	if negative && string(digits) != "0" {
		digits = append([]byte("-"), digits...)
	}
	return digits
}

// whole returns the digits before the point, without leading zeros. A number with a fraction never has more of
// them than its text. For another number, the caller bounds the zeros that its exponent adds. The result is new
// memory, which the caller may change.
func (t step) whole() []byte {
	digits := bytes.ReplaceAll(t.digits[:t.count], []byte("."), nil)
	if t.exponent < 0 {
		digits = digits[:max(len(digits)+t.exponent, 0)]
	} else {
		digits = append(digits, bytes.Repeat([]byte("0"), t.exponent)...)
	}
	if digits = bytes.TrimLeft(digits, "0"); len(digits) == 0 {
		return []byte("0")
	}
	return digits
}

// mostDigits is the most digits of a whole number that is spelled anew. No program reads longer ones as an
// integer. An answer of 1e999999 would otherwise grow to a megabyte.
const mostDigits = 40

// appendWhole appends a whole number without a point and an exponent: 5 for 5.0, and 500 for 5e2. It leaves
// other numbers as they are. Many readers of JSON take 5.0 and 5e2 for fractions, although JSON Schema counts
// both as integers.
func appendWhole(dst, raw []byte) []byte {
	if !bytes.ContainsAny(raw, ".eE") && string(raw) != "-0" {
		return append(dst, raw...)
	}
	t := takeApart(raw)
	if !t.ok || t.exponent < 0 || t.count+t.exponent > mostDigits {
		return append(dst, raw...)
	}
	digits := t.whole()
	if raw[0] == '-' && string(digits) != "0" {
		dst = append(dst, '-')
	}
	return append(dst, digits...)
}

// increment adds one to a text of digits. It changes the digits in place, and needs memory only to make 1000 of
// 999.
func increment(digits []byte) []byte {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return digits
		}
		digits[i] = '0'
	}
	return append([]byte("1"), digits...)
}
