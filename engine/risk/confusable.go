package risk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

//go:generate go run gen_confusables.go

// confusable pairs a letter with the Latin letter that it looks like.
type confusable struct {
	letter rune
	latin  byte
}

// confusables is the generated table, sorted by letter.
var confusables = func() (list []confusable) {
	for _, row := range &confusableRows {
		for _, r := range row.alike {
			list = append(list, confusable{r, row.latin})
		}
	}
	order.Stable(list, func(a, b confusable) int { return cmp.Compare(a.letter, b.letter) })
	return list
}()

// looksLatin returns the Latin letter that r looks like (UTS 39 §4). It knows letters outside ASCII only. The table has
// the letters whose prototype in UTS 39 is one small Latin letter or digit. Sequences such as "rn" are for skeleton.
func looksLatin(r rune) (byte, bool) {
	i, ok := slices.BinarySearchFunc(confusables, r, func(c confusable, r rune) int { return cmp.Compare(c.letter, r) })
	if !ok {
		return 0, false
	}
	return confusables[i].latin, true
}

// Skeleton spells a text as a reader in a hurry sees it: without capitals, accents and invisible characters, and with
// Latin letters for the look-alikes of other alphabets. Two texts with one skeleton are easily confused. Texts with
// different skeletons may still be confused.
func Skeleton(text string) string { return skeleton(text) }

// skeleton spells a name as a reader in a hurry sees it: without capitals, accents and invisible characters, and with
// Latin letters for the look-alikes of other alphabets. 0 becomes o, 1 becomes l, rn becomes m, vv becomes w. Two names
// with one skeleton are easily confused. For example, "PayPa1", "pаypal" with a Cyrillic а and "paypal" have the
// skeleton "paypal". "rnicrosoft" and "microsoft" have the same one, too. The result is for comparing alone, and no
// host shows it.
func skeleton(name string) string {
	out := make([]byte, 0, len(name))
	for _, r := range name {
		if c, ok := looksLatin(r); ok {
			r = rune(c)
		} else if hidden(r) {
			continue
		} else {
			r = secret.Fold(r)
		}
		switch {
		case r == '0':
			r = 'o'
		case r == '1' || r == '|':
			r = 'l'
		// "rn" is written as m, also when the r is itself a look-alike.
		case r == 'n' && endsIn(out, 'r'):
			out, r = out[:len(out)-1], 'm'
		case r == 'v' && endsIn(out, 'v'):
			out, r = out[:len(out)-1], 'w'
		}
		out = append(out, string(r)...)
	}
	return string(out)
}

func endsIn(s []byte, c byte) bool { return len(s) > 0 && s[len(s)-1] == c }

// oneSlip reports whether b is a with one letter added, dropped or replaced, or with two neighbours swapped. The
// distance is that of Damerau and Levenshtein, for the value 1 only, so one pass is enough. Equal texts are no slip.
// "githib" and "github" are one slip apart, and so are "reqeusts" and "requests".
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// standsIn reports whether name is a whole word of text. Every byte that is no letter or digit separates words.
// "github-login.com" has the word github, and "githubber.com" has not. name must not be empty.
func standsIn(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !wordByte(text[from-1])) && (to == len(text) || !wordByte(text[to])) {
			return true
		}
		at = from + 1
	}
}
