package risk

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// maxGrouped is the longest spelling of a card number or IBAN with its separators, in bytes of ASCII. maxWide is the
// same for a card number in other digits.
const (
	maxGrouped = 44
	maxWide    = 120
)

// cardNumber returns the length of the payment card number at the start of s, or 0 when there is none. A number has 13
// to 19 digits, lies in an issued range, has the right Luhn digit (ISO/IEC 7812-1), and is written in one piece or in
// groups. The digits of every alphabet count, and so do all separators that people type or paste. Numbers with very few
// different digits are no findings, because documentation uses them. "4539 1488 0343 6467" counts, and
// "1234567812345670" does not, because no network issues 12. A number that a letter follows is part of a longer word.
// The test of four different digits spares 4000 0000 0000 0002, which documents of payment services use.
func cardNumber(s string) int {
	var digits [20]byte
	var groups [20]int
	n, g, end, apart := 0, 0, 0, 0 // apart counts characters since the last digit
	for i := 0; i < len(s) && i < maxWide; {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			if fold.Invisible(r) {
				i += size
				continue
			}
			r = fold.Rune(r)
		}
		switch {
		case r >= '0' && r <= '9':
			if n == 19 {
				return 0
			}
			if apart > 0 {
				g++
			}
			digits[n] = byte(r - '0')
			n, apart = n+1, 0
			groups[g]++
			end = i + size
		// Two separators may stand between groups, as " - "; a third one ends the number.
		case separates(r) && apart < 2:
			apart++
		default:
			i = len(s) // another character ends the number
		}
		i += size
	}
	if end < len(s) && wordByte(s[end]) && (s[end] < utf8.RuneSelf || !breaks(s[end:])) ||
		!printedGroups(groups[:g+1]) || !issued(digits[:n]) || !luhn(digits[:n]) || distinct(digits[:n]) < 4 {
		return 0
	}
	return end
}

// separates reports characters that people put between groups of digits: spaces of any kind, line ends, hyphens, dots,
// slashes.
func separates(r rune) bool {
	switch r {
	case ' ', '-', '.', '/', '\n', '\r', '\t', '_', 0xB7,
		0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0x2022, 0xFF0D, 0xFF0E, 0xFF0F, 0x30FB:
		return true
	}
	return fold.Space(r)
}

// breaks reports whether s begins with a character that ends a word.
func breaks(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return separates(r) || fold.Invisible(r) || r >= 0x2000 && r <= 0x206F || r >= 0x3000 && r <= 0x303F ||
		r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0xFF00 && r <= 0xFF0F || r == 0x60C || r == 0x61B
}

// digitsEnd returns the end of the digits beyond ASCII at the start of s, so that each run is tried once.
func digitsEnd(s string) int {
	for i, r := range s {
		if d := fold.Rune(r); r < utf8.RuneSelf || d < '0' || d > '9' {
			return i
		}
	}
	return len(s)
}

// printedGroups allows one piece, groups of one, two or four with a shorter or longer last group, 4-6-5, and 4-6-4.
// 4-6-5 is American Express, and 4-6-4 Diners Club. "12 34 5678" is no card: groups that people do not use would make
// many lists of numbers into cards.
func printedGroups(groups []int) bool {
	if len(groups) == 1 {
		return true
	}
	if len(groups) == 3 && groups[0] == 4 && groups[1] == 6 {
		return groups[2] == 5 || groups[2] == 4
	}
	size := groups[0]
	for _, n := range groups[:len(groups)-1] {
		if n != size {
			return false
		}
	}
	last := groups[len(groups)-1]
	return len(groups) >= 4 && (size == 4 || (size == 1 || size == 2) && last <= size)
}

// issued reports whether card networks use this length and prefix.
func issued(d []byte) bool {
	if len(d) < 13 {
		return false
	}
	two := int(d[0])*10 + int(d[1])
	four := two*100 + int(d[2])*10 + int(d[3])
	switch {
	case d[0] == 4:
		return len(d) == 13 || len(d) == 16 || len(d) == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720, four == 6011, two == 65, four >= 3528 && four <= 3589:
		return len(d) == 16
	case two == 34 || two == 37:
		return len(d) == 15
	case two == 36, two == 38, two == 30:
		return len(d) == 14
	case two == 62, two == 50, two >= 56 && two <= 58:
		return len(d) >= 16
	}
	return false
}

// ISO/IEC 7812-1, annex B: every second digit from the right is doubled. One digit that is wrong, and most swaps of two
// neighbours, change the sum.
func luhn(d []byte) bool {
	sum := 0
	for i, c := range d {
		v := int(c)
		if (len(d)-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// distinct counts the different digits.
func distinct(d []byte) (n int) {
	var seen uint16
	for _, c := range d {
		if seen&(1<<c) == 0 {
			seen |= 1 << c
			n++
		}
	}
	return n
}

// ibanLengths holds the countries of the IBAN registry (ISO 13616), each with the length of its account numbers.
const ibanLengths = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18" +
	"FK18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20" +
	"LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31" +
	"SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20"

func ibanLength(country string) int {
	for i := 0; i < len(ibanLengths); i += 4 {
		if ibanLengths[i:i+2] == country {
			return int(ibanLengths[i+2]-'0')*10 + int(ibanLengths[i+3]-'0')
		}
	}
	return 0
}

// iban returns the length of the account number at the start of s, or 0 when there is none. The number has the length
// of its country and the right remainder by 97, and is written in one piece or in groups of four. The check is that of
// ISO 7064 (MOD 97-10): the first four characters go to the end, letters count as 10 to 35, and the remainder must be
// 1.
func iban(s string) int {
	if len(s) < 15 || !isDigit(s[2]) || !isDigit(s[3]) {
		return 0
	}
	want := ibanLength(s[:2])
	var text [34]byte
	n, i := 0, 0
	for ; i < len(s) && n < want; i++ {
		c := s[i]
		switch {
		case isDigit(c), c >= 'A' && c <= 'Z':
			text[n] = c
			n++
		// IBANs are printed in groups of four (ISO 13616).
		case c == ' ' && n%4 == 0 && s[i-1] != ' ':
		default:
			return 0
		}
	}
	if want == 0 || n < want || i < len(s) && wordByte(s[i]) {
		return 0
	}
	rest := 0
	for _, c := range string(text[4:n]) + string(text[:4]) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	if rest != 1 {
		return 0
	}
	return i
}

// privateKey returns the length of the first line of a PEM private key (RFC 7468) at the start of s, or 0. One line is
// enough: nobody quotes "-----BEGIN RSA PRIVATE KEY-----" without the key, and the key may be cut.
func privateKey(s string) int {
	const begin, end = "-----BEGIN ", "PRIVATE KEY"
	if !strings.HasPrefix(s, begin) {
		return 0
	}
	s = s[:min(len(s), 64)]
	i := strings.Index(s, end)
	if i < 0 || strings.ContainsAny(s[:i], "\r\n") {
		return 0
	}
	to := i + len(end)
	for to < len(s) && (s[to] == '-' || s[to] >= 'A' && s[to] <= 'Z' || s[to] == ' ') {
		to++
	}
	return to
}
