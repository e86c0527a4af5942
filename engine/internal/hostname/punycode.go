package hostname

import (
	"strings"
	"unicode/utf8"
)

// These are the parameters of RFC 3492 §5.
const (
	punyBase    = 36
	punyTMin    = 1
	punyTMax    = 26
	punySkew    = 38
	punyDamp    = 700
	punyBias    = 72
	punyInitial = 128
	punyLimit   = 63 // characters in a DNS label, which bounds the work for a label
)

// decodePunycode decodes the part of a label after "xn--". It refuses a label that decodes to plain ASCII: such a name
// would have two spellings, and browsers disagree about it. The bounds on w, i and the number of runes keep all numbers
// small on machines of 32 bits, and the work for a label below a few thousand steps. A code point that is no character,
// or a surrogate, is refused.
func decodePunycode(s string) (string, bool) {
	if len(s) > punyLimit {
		return "", false
	}
	var out []rune
	// The last hyphen ends the basic characters. One at the front belongs to no encoding that this engine makes.
	if cut := strings.LastIndexByte(s, '-'); cut > 0 {
		for i := range cut {
			if s[i] >= 0x80 {
				return "", false
			}
			out = append(out, rune(LowerByte(s[i])))
		}
		s = s[cut+1:]
	}
	basic := len(out)
	n, i, bias := punyInitial, 0, punyBias
	for len(s) > 0 {
		old := i
		for w, k := 1, punyBase; ; k += punyBase {
			if len(s) == 0 {
				return "", false
			}
			digit := punyDigit(s[0])
			s = s[1:]
			// w grows by up to 35 with each digit, so this also bounds the digits of one number.
			if digit < 0 || w > 1<<28 {
				return "", false
			}
			i += digit * w
			t := punyThreshold(k, bias)
			if i > 1<<30 {
				return "", false
			}
			if digit < t {
				break
			}
			w *= punyBase - t
		}
		bias = punyAdapt(i-old, len(out)+1, old == 0)
		n += i / (len(out) + 1)
		i %= len(out) + 1
		if !utf8.ValidRune(rune(n)) || n > utf8.MaxRune || len(out) >= punyLimit {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), len(out) > basic
}

// encodePunycode encodes a label of lower-case letters, without "xn--". It does not check the length that DNS allows.
// The label has only letters that stable allows. It stops when the result is longer than any label, so a long text does
// not cost its square.
func encodePunycode(label string) string {
	runes := []rune(label)
	var out []byte
	for _, r := range runes {
		if r < 0x80 {
			out = append(out, byte(r))
		}
	}
	done, basic := len(out), len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(punyInitial), 0, punyBias
	for done < len(runes) && len(out) <= punyLimit {
		next := rune(utf8.MaxRune)
		for _, r := range runes {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r == n {
				out = appendPunyNumber(out, delta, bias)
				bias = punyAdapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
		n++
	}
	return string(out)
}

// appendPunyNumber appends a number in variable length, its lowest digit first (RFC 3492 section 3.3).
func appendPunyNumber(out []byte, q, bias int) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := punyBase; ; k += punyBase {
		t := punyThreshold(k, bias)
		if q < t {
			return append(out, digits[q])
		}
		out = append(out, digits[t+(q-t)%(punyBase-t)])
		q = (q - t) / (punyBase - t)
	}
}

func punyThreshold(k, bias int) int { return min(max(k-bias, punyTMin), punyTMax) }

// RFC 3492 section 6.1. The constants keep the thresholds near the size of the numbers that come next.
func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyTMin)*punyTMax/2 {
		delta /= punyBase - punyTMin
		k += punyBase
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}

// punyDigit is the value of a digit: a to z are 0 to 25, 0 to 9 are 26 to 35. It is -1 for any other byte.
func punyDigit(c byte) int {
	switch c = LowerByte(c); {
	case c >= 'a' && c <= 'z':
		return int(c - 'a')
	case IsDigit(c):
		return int(c-'0') + 26
	}
	return -1
}

// Unicode decodes the punycode labels of a host. It leaves labels that do not decode. It is for comparing hosts and for
// checks of letters. The result may hold anything, also invisible characters, so it must not be shown.
func Unicode(host string) string { return decodeLabels(host, func(string) bool { return true }) }

// ForPeople decodes only labels whose letters IDNA leaves unchanged. Other labels could hide a slash look-alike or an
// invisible character, so they stay in punycode. So does a label that would look like punycode, and be no name.
func ForPeople(host string) string {
	return decodeLabels(host, func(text string) bool {
		return !strings.HasPrefix(text, "xn--") &&
			!strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && !stable(r) })
	})
}

// decodeLabels decodes label by label, so one that does not decode leaves the others readable. It lowers ASCII.
func decodeLabels(host string, allowed func(text string) bool) string {
	host = Lower(host)
	if len(host) > 1024 || !strings.Contains(host, "xn--") {
		return host
	}
	var out []byte
	for label := range strings.SplitSeq(host, ".") {
		if rest, ok := strings.CutPrefix(label, "xn--"); ok {
			if text, ok := decodePunycode(rest); ok && allowed(text) {
				label = text
			}
		}
		out = append(append(out, label...), '.')
	}
	return string(out[:len(out)-1])
}
