package schema

import "bytes"

// wholeBeside spells the whole number next to one that has a fraction: the one above, or else the one below. A minimum
// and an exclusiveMaximum take the one above, the other two bounds the one below; then the same whole numbers fit. The
// number must be one that takeApart reads.
func wholeBeside(raw []byte, above bool) []byte {
	digits := wholeDigits(raw)
	negative := raw[0] == '-'
	if negative != above { // away from zero
		digits = increment(digits)
	}
	if negative && string(digits) != "0" {
		digits = append([]byte("-"), digits...)
	}
	return digits
}

// wholeDigits are the digits before the point of a number that has a fraction, without needless zeros. They are never
// more than the text of the number has: where an exponent adds zeros, no fraction is left.
func wholeDigits(raw []byte) []byte {
	t := takeApart(raw)
	digits := bytes.ReplaceAll(t.digits[:t.count], []byte("."), nil)
	digits = bytes.TrimLeft(digits[:max(len(digits)+t.exponent, 0)], "0")
	if len(digits) == 0 {
		return []byte("0")
	}
	return digits
}

// increment adds one to a text of digits.
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
