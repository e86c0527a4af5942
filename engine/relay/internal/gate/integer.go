package gate

import (
	"bytes"
	"strconv"
)

// mostInteger is the largest number up to which JavaScript tells all integers apart.
//
// 2^53 itself is equal to 2^53+1 for JavaScript. It may pass all the same, because 2^53+1 never does.
const mostInteger = 1 << 53

// Integer reads a JSON number that is an integer, in any spelling: 5, 5.0, 50e-1. It returns its digits, without
// fraction, exponent and the sign of zero. ok is false for any other text, and for integers beyond mostInteger.
//
// The cost is linear in the text, and the value of an exponent costs nothing: "1e999999999" is refused by its scale.
func Integer(raw []byte) (text []byte, n int64, ok bool) {
	if digits := bytes.TrimPrefix(raw, []byte("-")); len(digits) > 0 && len(digits) < 16 && digits[0] != '0' {
		for _, c := range digits {
			if c < '0' || c > '9' {
				return spelledInteger(raw)
			}
			n = 10*n + int64(c-'0')
		}
		if len(digits) < len(raw) {
			n = -n
		}
		return raw, n, true
	}
	return spelledInteger(raw)
}

// spelledInteger is integer for a number that may be spelled in an unusual way.
func spelledInteger(raw []byte) ([]byte, int64, bool) {
	rest, negative := bytes.CutPrefix(raw, []byte("-"))
	whole, rest := digitsOf(rest)
	var fraction, power []byte
	scale := 0
	if after, ok := bytes.CutPrefix(rest, []byte(".")); ok {
		if fraction, rest = digitsOf(after); len(fraction) == 0 {
			return nil, 0, false
		}
	}
	if len(rest) > 0 && rest[0]|0x20 == 'e' {
		after, down := bytes.CutPrefix(rest[1:], []byte("-"))
		if !down {
			after = bytes.TrimPrefix(after, []byte("+"))
		}
		if power, rest = digitsOf(after); len(power) == 0 {
			return nil, 0, false
		}
		scale = 1 << 20 // beyond every id, if it does not fit
		if power = bytes.TrimLeft(power, "0"); len(power) < 6 {
			scale, _ = strconv.Atoi("0" + string(power))
		}
		if down {
			scale = -scale
		}
	}
	if len(rest) > 0 || len(whole) == 0 || len(whole) > 1 && whole[0] == '0' {
		return nil, 0, false
	}
	// Now the value is digits times ten to the power of scale. Zeros at both ends move into the scale, so 50e-1 becomes 5.
	digits := bytes.Join([][]byte{whole, fraction}, nil)
	scale -= len(fraction)
	digits = bytes.TrimLeft(digits, "0")
	kept := bytes.TrimRight(digits, "0")
	scale += len(digits) - len(kept)
	switch {
	case len(kept) == 0:
		return []byte("0"), 0, true
	// A negative scale leaves a fraction, as in 5.5. More than 16 digits are beyond mostInteger.
	case scale < 0 || len(kept)+scale > 16:
		return nil, 0, false
	}
	n, err := strconv.ParseInt(string(kept)+"0000000000000000"[:scale], 10, 64)
	if err != nil || n > mostInteger {
		return nil, 0, false
	}
	if negative {
		n = -n
	}
	return strconv.AppendInt(nil, n, 10), n, true
}

// digitsOf splits off the digits at the beginning of raw.
func digitsOf(raw []byte) (digits, rest []byte) {
	n := 0
	for n < len(raw) && raw[n] >= '0' && raw[n] <= '9' {
		n++
	}
	return raw[:n], raw[n:]
}
