package risk

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// shape is a part of a text that is a secret by its form alone, whatever the text says about it.
type shape struct {
	kind     shapeKind
	from, to int
}

// shapeKind is the kind of secret. Its name is the argument "kind" of a finding. The order is the severity: worstShape
// takes the highest kind. A new kind goes to its place in this order and into shapeNames, and its severity into
// sentSeverity and shownSeverity.
type shapeKind byte

const (
	shapeNone shapeKind = iota
	shapeRandom
	shapeIBAN
	shapeSSN
	shapeCard
	shapePassword
	shapeJWT
	shapeKey
	shapeOTP
	shapePrivateKey
	shapeSeed
)

var shapeNames = [...]string{"", "random", "iban", "ssn", "card", "password", "jwt", "api_key", "otp_key",
	"private_key", "seed_phrase"}

func (k shapeKind) String() string { return shapeNames[k] }

// These are the fewest bytes of an assignment (pw=abcd), a card number, a dozen words of three letters, and a key.
const (
	shortestShape = 7
	shortestCard  = 13
	shortestSeed  = 47
	shortestToken = 20
)

// worstShape returns the most severe shape in a text, the first one if there are several, and the number of all shapes.
// count is 0 for nearly every text, and then worst has no meaning.
func worstShape(text string) (worst shape, count int) {
	eachShape(text, func(s shape) {
		if count++; s.kind > worst.kind {
			worst = s
		}
	})
	return worst, count
}

// eachShape gives take every shape in a text. It reads each byte a bounded number of times: runs of token bytes do not
// overlap, and a look beyond a run reads at most maxGrouped bytes. Shapes come in the order of their beginnings, but
// for the recovery phrase, which comes first and may enclose others. take is called for each of them at once, so
// nothing is allocated.
func eachShape(text string, take func(shape)) {
	if !mayHoldShape(text) {
		return
	}
	if len(text) >= shortestSeed {
		if s, ok := seedPhrase(text); ok {
			take(s)
		}
	}
	run := 0 // the start of the last run of token bytes
	for i := 0; i < len(text); {
		var s shape
		end := i + 1
		switch c := text[i]; {
		case tokenByte(c):
			for end < len(text) && tokenByte(text[end]) {
				end++
			}
			run = i
			// The word password of a .netrc line is a run of letters as any other.
			if s = shapeAt(text, i, end); s.kind == shapeNone {
				s = netrc(text, i, end)
			}
		case c == '=':
			s = assigned(text, i)
			// TOKEN=ghp_… is a key and an assignment. The key says more, and the loop meets it next.
			if s.kind != shapeNone && shapeAt(text, s.from, s.to).kind != shapeNone {
				s = shape{} // the later shape tells more about the same bytes
			}
		case c == ':':
			s = locator(text, run, i)
		// A card number may be written in other digits, such as Arabic ones or full-width ones.
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(text[i:])
			end = i + n
			if d := fold.Rune(r); d >= '0' && d <= '9' {
				if n := cardNumber(text[i:]); n > 0 {
					s = shape{shapeCard, i, i + n}
				} else {
					end = i + digitsEnd(text[i:])
				}
			}
		}
		if s.kind != shapeNone {
			take(s)
			end = max(end, s.to)
		}
		i = end
	}
}

// mayHoldShape is a cheap test that every text with a shape passes, and few others: many words, many digits, a long run
// without a space, the start of an IBAN, dashes in a row, an assignment, an address, or a word that names a password.
// It may say yes to a text without a shape, and never no to one with a shape. Each condition stands for one shape: 13
// digits for a card, a run of 20 for a token, "d " behind "p" for the word password of a .netrc line.
func mayHoldShape[T string | []byte](text T) bool {
	if len(text) < shortestShape || len(text) >= shortestSeed {
		return len(text) >= shortestSeed
	}
	digits, run := 0, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !tokenByte(c) {
			run = 0
			switch {
			case c >= utf8.RuneSelf:
				digits++ // at least two bytes make a digit
			// An assignment and an address need no length.
			case c == '=', c == ':' && i+1 < len(text) && text[i+1] == '/',
				c <= ' ' && i >= 8 && text[i-1]|0x20 == 'd' && text[i-8]|0x20 == 'p':
				return true
			}
			if digits >= shortestCard {
				return true
			}
			continue
		}
		if run++; run >= shortestToken || c == '-' && run > 1 &&
			(text[i-1] == '-' || i >= 3 && i+3 < len(text) && text[i+3] == '-' && isDigit(text[i-1])) {
			return true
		}
		if !isDigit(c) {
			continue
		}
		if digits++; digits >= shortestCard ||
			run >= 4 && isDigit(text[i-1]) && isCapital(text[i-2]) && isCapital(text[i-3]) {
			return true
		}
	}
	return false
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// shapeAt returns the shape that begins at from. The run of token bytes there ends at end. The first byte decides what
// is tried, so each run costs one look in most texts. end is behind the run of token bytes, which is no bound for a
// card number: that may go on behind a blank.
func shapeAt(text string, from, end int) shape {
	switch c := text[from]; {
	case c == '-':
		if n := privateKey(text[from:]); n > 0 {
			return shape{shapePrivateKey, from, from + n}
		}
	case isDigit(c):
		if n := cardNumber(text[from:]); n > 0 {
			return shape{shapeCard, from, from + n}
		}
		if n := socialSecurity(text[from:]); n > 0 {
			return shape{shapeSSN, from, from + n}
		}
	case c >= 'A' && c <= 'Z':
		if n := iban(text[from:]); n > 0 {
			return shape{shapeIBAN, from, from + n}
		}
	}
	if end-from < shortestToken {
		return shape{}
	}
	// The end of a sentence is not part of a token.
	run := strings.TrimRight(text[from:end], ".-/")
	switch {
	case len(run) < shortestToken:
	case isJWT(run):
		return shape{shapeJWT, from, from + len(run)}
	case isKey(run):
		return shape{shapeKey, from, from + len(run)}
	case isRandom(run):
		return shape{shapeRandom, from, from + len(run)}
	}
	return shape{}
}

// tokenByte reports the bytes that keys and tokens consist of. '=' is not one, so that a value is seen after its name.
func tokenByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.' || c == '+' || c == '/'
}

// reportShape reports the most severe of count shapes in a text, with the severity of its kind. The evidence quotes
// only the ends of the secret.
func (h *hits) reportShape(text string, worst shape, count int, severity func(shapeKind) elicit.Severity) {
	shown := masked(text[worst.from:worst.to])
	if worst.kind == shapePassword { // too short to show its ends
		shown = "…"
	}
	h.report(severity(worst.kind), worst.from, worst.to, shown,
		[]elicit.Arg{elicit.Str("kind", worst.kind.String()), elicit.Num("count", count)})
}

// masked shows the first and the last two characters of a secret. A text below eight characters would be told by four
// of them, so nothing of it is shown.
func masked(s string) string {
	runes := []rune(s)
	if len(runes) < 8 {
		return "…"
	}
	return string(runes[:2]) + "…" + string(runes[len(runes)-2:])
}
