package risk

import (
	"slices"
	"strings"
)

// keyPrefixes are the prefixes of keys that services issue, with the fewest bytes that follow.
var keyPrefixes = [...]struct {
	prefix string
	least  int
}{
	{"AKIA", 16}, {"ASIA", 16}, {"AIza", 30}, {"ya29.", 20}, {"ghp_", 30}, {"gho_", 30}, {"ghu_", 30}, {"ghs_", 30},
	{"ghr_", 30}, {"github_pat_", 30}, {"glpat-", 20}, {"sk-", 20}, {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16},
	{"whsec_", 24}, {"xoxb-", 20}, {"xoxp-", 20}, {"xoxa-", 20}, {"xoxr-", 20}, {"xoxs-", 20}, {"xapp-", 20}, {"npm_", 30},
	{"pypi-", 40}, {"hf_", 30}, {"dop_v1_", 40}, {"SG.", 40}, {"shpat_", 30}, {"glsa_", 30}, {"dckr_pat_", 20},
	{"lin_api_", 30}, {"sq0csp-", 20}, {"AGE-SECRET-KEY-1", 50},
	{"SK", 32}, // Twilio; hexadecimal, which isKey asks for
}

// isKey reports a key by its prefix. The rest must look random, so that "ghp_xxxx…" in a help text does not count. run
// has at least shortestToken bytes, so run[0] and run[1] exist. The first prefix that fits decides: no later one is
// tried, also if the rest is not random.
func isKey(run string) bool {
	for i := range keyPrefixes {
		k := &keyPrefixes[i]
		if run[0] == k.prefix[0] && run[1] == k.prefix[1] && strings.HasPrefix(run, k.prefix) {
			body := run[len(k.prefix):]
			if k.prefix == "SK" && (len(body) != 32 || strings.Trim(body, "0123456789abcdef") != "") {
				return false
			}
			t := tallyOf(body)
			// A name such as sk-tutorial-part-2 is not mixed.
			mixed := t.upper > 0 && t.lower > 0 || t.lower == 0 || t.digits*5 >= len(body)
			return len(body) >= k.least && t.digits > 0 && t.letters > 0 && t.distinct >= 8 && mixed &&
				!strings.Contains(body, "EXAMPLE")
		}
	}
	return false
}

// isJWT reports a signed or encrypted token in compact form (RFC 7515 §7.1, RFC 7516 §7.1). Its header is a JSON
// object, so it begins with eyJ. Two or four more parts follow.
func isJWT(run string) bool {
	if !strings.HasPrefix(run, "eyJ") || strings.ContainsAny(run, "+/") {
		return false
	}
	parts := strings.Count(run, ".") + 1
	header := strings.IndexByte(run, '.')
	return (parts == 3 || parts == 5) && header >= 12 && len(run)-header >= 20
}

// tally counts the kinds of characters in a token. tally counts in one pass, so that all conditions of isKey and
// isRandom are comparisons of numbers.
type tally struct {
	upper, lower, digits, letters, other int
	changes                              int // how often the class (capital, small letter, digit) changes
	words                                int // capitals that a small letter follows
	distinct                             int
}

func tallyOf(s string) (t tally) {
	var seen [2]uint64
	before := byte(0)
	for i := 0; i < len(s); i++ {
		c, class := s[i], byte(0)
		switch {
		case isDigit(c):
			class = 'd'
			t.digits++
		case c >= 'a' && c <= 'z':
			class = 'l'
			t.lower++
			if before == 'u' {
				t.words++
			}
		case c >= 'A' && c <= 'Z':
			class = 'u'
			t.upper++
		default:
			t.other++
		}
		if class != 0 && before != 0 && class != before {
			t.changes++
		}
		if class != 0 {
			before = class
		}
		if bit := uint64(1) << (c & 63); seen[c>>6&1]&bit == 0 {
			seen[c>>6&1] |= bit
			t.distinct++
		}
	}
	t.letters = t.upper + t.lower
	return t
}

// isRandom reports a string of 24 to 512 bytes that mixes capitals, small letters and digits as chance does and as
// names do not. The class changes at nearly every second byte, and capitals do not begin words. Hexadecimal digests and
// UUIDs are not random in this sense. The bounds were chosen so that names, versions, paths, digests and UUIDs do not
// count. A SHA-256 in hexadecimal has no capitals. "MyClassName2Handler" changes its class rarely.
func isRandom(run string) bool {
	if len(run) < 24 || len(run) > 512 {
		return false
	}
	t := tallyOf(run)
	return t.upper >= 3 && t.lower >= 3 && t.digits >= 2 && t.words*4 <= t.upper*3 && t.other*12 <= len(run) &&
		t.changes*20 >= len(run)*9 && t.distinct >= 14
}

// These bound the number of words in a recovery phrase (BIP-39), and the bytes between two words: a list number, a line
// end.
const (
	fewestSeedWords = 12
	mostSeedWords   = 24
	fewestDistinct  = 6 // a list of "line 0", "line 1" and so on is no recovery phrase
	maxSeedGap      = 6
)

// seedPhrase finds twelve words in a row that are all in the BIP-39 list. At least six of them must differ. Ordinary
// sentences do not get that far, because "a", "the", "to", "of", "and" and "is" are not in the list. Words may be
// numbered or stand on lines of their own, so up to six bytes may stand between two of them. The list is a filter of
// bits: a word outside the list passes one time in nine, and twelve in a row practically never do.
func seedPhrase(text string) (shape, bool) {
	var distinct [mostSeedWords]uint32
	count, different, from, to := 0, 0, 0, 0
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			i++
			continue
		}
		start := i
		h := uint32(2166136261)
		for i < len(text) && isLetter(text[i]) {
			h = (h ^ uint32(lowerByte(text[i]))) * 16777619
			i++
		}
		listed := i-start >= 3 && i-start <= 8 && seedWord(h)
		if !listed || count == 0 || start-to > maxSeedGap || count == mostSeedWords {
			// Text behind a phrase, such as another list word after a line end, takes nothing away from it.
			if count >= fewestSeedWords && different >= fewestDistinct {
				break
			}
			count, different, from = 0, 0, start
		}
		if !listed {
			continue
		}
		count, to = count+1, i
		if !slices.Contains(distinct[:different], h) {
			distinct[different] = h
			different++
		}
	}
	return shape{shapeSeed, from, to}, count >= fewestSeedWords && different >= fewestDistinct
}

// seedWord looks a word up by its FNV-1a hash, folded to 14 bits. It may say yes for a word outside of the list.
func seedWord(hash uint32) bool {
	hash ^= hash >> 16
	return seedWordBits[hash>>3&2047]&(1<<(hash&7)) != 0
}
