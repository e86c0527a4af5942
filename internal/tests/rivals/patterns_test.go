package rivals

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/elicit-engine/elicit/engine/schema"
)

type patternCase struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

// TestPatterns compares patterns with those of Node. A pattern that Node reads with the flag u matches the same texts
// here, or is refused as one without a linear machine. The flag v changes only what its grammar changes.
func TestPatterns(t *testing.T) {
	rival := node(t, "pattern")
	rows := []*difference{
		{rival: "v", why: "set notation"},    // ECMA-262, 22.2.1: ClassSetExpression
		{rival: "u", why: "older grammar"},   // package pattern, The language; ECMA-262, B.1.2
		{rival: "u", why: "one name twice"},  // groups of every kind only group; ECMA-262 2025, 22.2.1.1 allows some
		{rival: "Elicit", why: "no machine"}, // the fault names the construct
	}
	compared, matched := 0, 0
	batches(*runs, func(r []*rand.Rand) {
		cases := make([]patternCase, len(r))
		for i := range r {
			cases[i] = somePattern(r[i])
		}
		for i, theirs := range judged[[2]string](t, rival, cases) {
			c := cases[i]
			ours, code := patternVerdicts(t, c)
			switch u, v := theirs[0], theirs[1]; {
			case code == "pattern_unsupported" || code == "pattern_too_large":
				allow(rows, "Elicit", "no machine")
			case code == "" && u == "!" && allow(rows, "u", uRefuses(c.Pattern)):
			case ours != u:
				t.Errorf("%q on %q: got %s %s, Node says %s", c.Pattern, c.Texts, ours, code, u)
			case u != v && u != "!" && !(strings.Contains(c.Pattern, "[") && allow(rows, "v", "set notation")):
				t.Errorf("%q on %q: with u %s, with v %s", c.Pattern, c.Texts, u, v)
			default:
				compared++
				matched += min(1, strings.Count(ours, "1"))
			}
		}
	})
	t.Logf("%d patterns compared, %d match a text", compared, matched)
	if compared < *runs/2 || matched < compared/4 {
		t.Errorf("%d of %d patterns compared, %d match a text", compared, *runs, matched)
	}
	shown(t, rows)
}

var (
	older     = regexp.MustCompile(`\\[^\pL\pN]|[{}\]]|-`) // spellings with one meaning, which the flag u forbids
	groupName = regexp.MustCompile(`\(\?<([^=!>][^>]*)>`)
)

// uRefuses says what the flag u forbids in a pattern.
func uRefuses(pattern string) string {
	names := map[string]bool{}
	for _, found := range groupName.FindAllStringSubmatch(pattern, -1) {
		name := strings.ReplaceAll(found[1], `\u0061`, "a")
		if names[name] {
			return "one name twice"
		}
		names[name] = true
	}
	if older.MatchString(pattern) {
		return "older grammar"
	}
	return ""
}

// patternVerdicts returns a digit for each text, or "!" and the code of the problem.
func patternVerdicts(t *testing.T, c patternCase) (verdicts, code string) {
	quoted, _ := json.Marshal(c.Pattern)
	form, problems := schema.Compile(fmt.Appendf(nil,
		`{"type":"object","properties":{"f":{"type":"string","pattern":%s}}}`, quoted), schema.Options{})
	if form == nil {
		return "!", problems[0].Code
	}
	for _, text := range c.Texts {
		answer, _ := json.Marshal(map[string]string{"f": text})
		if len(form.Check(answer)) == 0 {
			verdicts += "1"
		} else {
			verdicts += "0"
		}
	}
	return verdicts, ""
}

var letters = strings.Split("a b c A 1 _ - . / \\ ] { \n \u2028 \u00a0 \ufeff é É ß ſ K 😀 😁 \U00010400 ٣ ǅ 〱", " ")

func somePattern(r *rand.Rand) patternCase {
	c := patternCase{Pattern: someChoice(r, 0)}
	if r.Intn(10) == 0 { // spoil it
		at := r.Intn(len(c.Pattern) + 1)
		c.Pattern = strings.ToValidUTF8(c.Pattern[:at]+pick(r, "\\", "(", ")", "[", "]", "{", "}", "*", "?", "|", "-", "^",
			"$", "{1", "{,2}", "(?", "(?<")+c.Pattern[at:], "")
	}
	for range 8 {
		text := ""
		for range r.Intn(7) {
			text += pick(r, pick(r, letters...), anyCharacter(r))
		}
		if r.Intn(3) == 0 {
			text = strings.Repeat(pick(r, letters[:8]...), r.Intn(6))
		}
		c.Texts = append(c.Texts, text)
	}
	return c
}

// anyCharacter is one of those that Go's tables have, because Node's are of a newer version of Unicode.
func anyCharacter(r *rand.Rand) string {
	for {
		c := rune(r.Intn(0x20000))
		if unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf) {
			return string(c)
		}
	}
}

func someChoice(r *rand.Rand, depth int) string {
	branches := []string{}
	for range 1 + r.Intn(6)/4 {
		branch := pick(r, "", "", "", "^", `\b`)
		for range r.Intn(4) {
			branch += someTerm(r, depth)
		}
		branches = append(branches, branch+pick(r, "", "", "", "$", `\B`))
	}
	return strings.Join(branches, "|")
}

func someTerm(r *rand.Rand, depth int) string {
	term := someAtom(r, depth)
	if r.Intn(3) == 0 {
		term += pick(r, "*", "+", "?", "{0}", "{2}", "{1,}", "{0,2}", "{1,3}", "{2,1}", "*?", "+?", "??", "{1,2}?", "{01}",
			"**", "{1,2}{2}")
	}
	return term
}

func someAtom(r *rand.Rand, depth int) string {
	switch n := r.Intn(12); {
	case n < 4:
		return regexp.QuoteMeta(pick(r, letters...))
	case n < 6:
		return someEscape(r)
	case n < 8:
		return someClass(r)
	case n == 8:
		return "."
	case n == 9 && depth < 2 && r.Intn(3) == 0:
		return pick(r, "(?=", "(?!", "(?<=", "(?<!", "(?i:") + someChoice(r, depth+1) + ")"
	case depth < 2:
		return pick(r, "(", "(?:", "(?<n>", "(?<é>", "(?<n\\u0061>", "(?<1>") + someChoice(r, depth+1) + ")"
	}
	return pick(r, "a", "b")
}

func someEscape(r *rand.Rand) string {
	return pick(r, `\d`, `\D`, `\w`, `\W`, `\s`, `\S`, `\t`, `\n`, `\v`, `\f`, `\r`, `\0`, `\cA`, `\cj`, `\x41`, `\u0061`,
		`\u{1F600}`, `\uD83D\uDE00`, `\uD83D`, `\/`, `\-`, `\.`, `\p{L}`, `\p{Lu}`, `\P{Ll}`, `\p{Nd}`, `\p{P}`, `\p{Zs}`,
		`\p{M}`, `\p{N}`, `\p{Letter}`, `\p{Script=Greek}`, `\p{gc=L}`, `\1`, `\k<n>`, `\a`, `\_`, `\ `, `\é`, `\x4`, `\u12`,
		`\00`, `\b`, `\u{110000}`, `\c`, `\p{l}`, `\p{}`)
}

func someClass(r *rand.Rand) string {
	class := pick(r, "[", "[", "[^")
	for range r.Intn(4) {
		switch r.Intn(4) {
		case 0:
			class += pick(r, "a-c", "A-Z", "0-9", "😀-😁", `\x41-\x43`, "c-a", `a-\w`, `\d-z`, "--/", "+--", "a-é")
		case 1:
			class += someEscape(r)
		default:
			class += pick(r, append(letters[:24:24], "^", "$", "|", "(", ")", "*", "&&", "--", "[", `\]`)...)
		}
	}
	return class + "]"
}
