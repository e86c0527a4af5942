package schema

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// fixed is a number of usual size, digits × 10^-places, small enough that two of them can be scaled to the same
// places without overflow. For other numbers ok is false, and their text is compared. Two such numbers are
// compared as integers of at most 12 + 6 = 18 digits, and an int64 holds all of those. -12.50 is the digits
// -1250 with 2 places. Ages, prices and most other numbers in forms are fixed.
type fixed struct {
	digits int64
	places uint8
	ok     bool
}

const (
	fixedDigits = 12 // in total
	fixedPlaces = 6  // after the point
)

var tens = [fixedPlaces + 1]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000}

// fixedOf reads the text of a number that a Scanner has accepted. A text with an exponent is not fixed. The
// length is tested first, so that the digits cannot overflow before they are counted.
func fixedOf(raw []byte) (f fixed) {
	i := 0
	if len(raw) > 0 && raw[0] == '-' {
		i = 1
	}
	if n := len(raw) - i; n == 0 || n > fixedDigits+1 {
		return fixed{}
	}
	point := -1
	for ; i < len(raw); i++ {
		switch c := raw[i]; {
		case c >= '0' && c <= '9':
			f.digits = f.digits*10 + int64(c-'0')
		case c == '.':
			point = i
		default:
			return fixed{}
		}
	}
	count := len(raw)
	if raw[0] == '-' {
		f.digits = -f.digits
		count--
	}
	if point >= 0 {
		f.places = uint8(len(raw) - 1 - point)
		count--
	}
	f.ok = f.places <= fixedPlaces && count <= fixedDigits
	return f
}

// compare orders two numbers exactly: as integers when both are fixed, otherwise by their text.
func compare(a jsontext.Number, fa fixed, b jsontext.Number, fb fixed) int {
	if !fa.ok || !fb.ok {
		return a.Compare(b)
	}
	// 12.5 and 12.50 become 1250 and 1250.
	if fa.places < fb.places {
		fa.digits *= tens[fb.places-fa.places]
	} else {
		fb.digits *= tens[fa.places-fb.places]
	}
	return cmp.Compare(fa.digits, fb.digits)
}
