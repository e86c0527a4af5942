package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/secret"
)

// These are the most bytes read of a name before '=', of a value after it, and of the authority of an address.
const (
	maxAssigned  = 64
	maxValue     = 256
	fewestSecret = 4
)

// assigned returns the value in NAME=value if the name asks for a secret: DB_PASSWORD=…, AccountKey=…. at is the '='.
// The reader stands at the "=" and looks back for the name, at most maxAssigned bytes. "password = hunter2" and
// "DB_PASSWORD='hunter2'" count, up to the next blank or quote. "a == b" does not: the name before "=" asks for
// nothing.
func assigned(text string, at int) shape {
	end := at
	// "password" = x and password = x have a quote and a blank before the sign, at most two bytes.
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '"' || text[end-1] == '\'') && at-end < 2 {
		end--
	}
	from := end
	for from > 0 && end-from < maxAssigned && nameByte(text[from-1]) {
		from--
	}
	if from == end {
		return shape{}
	}
	if _, ok := secret.Label(text[from:end]); !ok {
		return shape{}
	}
	start := at + 1
	for start < len(text) && start-at < 4 && (text[start] == ' ' || text[start] == '"' || text[start] == '\'') {
		start++
	}
	return valueAt(text, start)
}

func nameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' }

// valueAt returns the text from start up to white space, a quote or a separator, unless it is a placeholder.
func valueAt(text string, start int) shape {
	end := start
	for end < len(text) && end-start < maxValue && !strings.ContainsRune(" \t\r\n;&,\"'`<>()", rune(text[end])) {
		end++
	}
	value := text[start:end]
	if placeholder(value) {
		return shape{}
	}
	return shape{shapePassword, start, end}
}

// placeholder reports a text that examples write in place of a secret: a text that is too short, a variable, one
// character repeated, or a word that names the secret. PASSWORD=$SECRET, PASSWORD=<your password>, PASSWORD=xxxx and
// PASSWORD=changeme show where a secret would stand.
func placeholder(value string) bool {
	// The first signs begin variables and marks: $X, {{x}}, <x>, %x%, ****, [x].
	if len(value) < fewestSecret || strings.ContainsAny(value[:1], "${<%*.[#") || strings.Trim(value, value[:1]) == "" {
		return true
	}
	switch lowerASCII(value) {
	case "true", "false", "none", "null", "undefined", "optional", "required", "string",
		"changeme", "redacted", "example", "your", "xxxx":
		return true
	}
	m, ok := secret.Label(value)
	return ok && m.End == len(value) && !strings.ContainsAny(value, "0123456789@$!") ||
		strings.HasPrefix(lowerASCII(value), "your")
}

// locator returns the secret that an address gives away: the secret of an otpauth URI, or the password before the host.
// colon is the colon of "://". postgres://app:hunter2@db/app gives away hunter2. Only the authority is searched, so an
// "@" in a path is no user.
func locator(text string, run, colon int) shape {
	rest := text[colon:]
	if !strings.HasPrefix(rest, "://") {
		return shape{}
	}
	rest = rest[:min(len(rest), maxValue)]
	if i := strings.IndexAny(rest, " \t\r\n\"'<>`"); i >= 0 {
		rest = rest[:i]
	}
	if lowerASCII(text[run:colon]) == "otpauth" {
		if i := strings.Index(lowerASCII(rest), "secret="); i >= 0 && len(rest)-i >= len("secret=")+8 {
			return shape{shapeOTP, run, colon + len(rest)}
		}
		return shape{}
	}
	authority := rest[3:]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return shape{}
	}
	name := strings.IndexByte(authority[:at], ':')
	if name < 0 || placeholder(authority[name+1:at]) {
		return shape{}
	}
	return shape{shapePassword, colon + 3 + name + 1, colon + 3 + at}
}

// netrc returns the value after the word password in a line of a .netrc file. Such a line names a machine and a login.
func netrc(text string, from, end int) shape {
	if end-from != len("password") || lowerASCII(text[from:end]) != "password" || end >= len(text) || text[end] > ' ' {
		return shape{}
	}
	before := lowerASCII(text[max(0, from-maxValue):from])
	if !strings.Contains(before, "login ") ||
		!strings.Contains(before, "machine ") && !strings.Contains(before, "default ") {
		return shape{}
	}
	return valueAt(text, end+1)
}

// socialSecurity returns the length of a social security number of the United States at the start of s, or 0 when there
// is none. The number has three, two and four digits between hyphens, in the ranges that are issued. The ranges are
// those of the Social Security Administration: no area 000, 666 or 9xx, no group 00, no serial 0000. 123-45-6789 is the
// number that forms show as an example.
func socialSecurity(s string) int {
	if len(s) < 11 || s[3] != '-' || s[6] != '-' || len(s) > 11 && (wordByte(s[11]) || s[11] == '-') {
		return 0
	}
	for i := range 11 {
		if i != 3 && i != 6 && !isDigit(s[i]) {
			return 0
		}
	}
	if area := s[:3]; area == "000" || area == "666" || area[0] == '9' ||
		s[4:6] == "00" || s[7:11] == "0000" || s[:11] == "123-45-6789" {
		return 0
	}
	return 11
}
