package english

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// kinds are the sentences of every code, by what the code is said of.
func kinds() map[string]map[string]string {
	settled := map[string]string{}
	for cause, sentence := range causes {
		settled[string(cause)] = sentence
	}
	all := map[string]string{}
	for _, table := range []map[string]string{problems, relayProblems, sealProblems, askingProblems} {
		maps.Copy(all, table)
	}
	return map[string]map[string]string{"problem": all, "reason": reasons, "finding": findings, "remark": remarks,
		"cause": settled, "fault": faults, "status": statuses}
}

// shared are the codes of several kinds. Each means the same in all of them.
var shared = map[string]string{
	"internal":       "a bug of ours, whoever tells of it",
	"unknown_handle": "a status, and the problem that comes with it",
	"conflict":       "a status, and the problem that comes with it",
	"forked":         "a status, and the problem that comes with it",
	"rate_limited":   "why a request was refused, and the cause of its end",
	"timeout":        "the deadline passed, of a question or of a guardian",
	"session_closed": "the session is over: why a request ended, and why an event came too late",
	"no_memory":      "memory could not be had, by the C library or for a guardian",
}

// TestOneMeaning: a code of two kinds is one that means the same in both, and is listed.
func TestOneMeaning(t *testing.T) {
	seen := map[string]int{}
	for _, table := range kinds() {
		for code := range table {
			seen[code]++
		}
	}
	for code, n := range seen {
		if n > 1 && shared[code] == "" {
			t.Errorf("%s is a code of %d kinds: give one of them another name, or list it here with a reason", code, n)
		}
	}
	for code := range shared {
		if seen[code] < 2 {
			t.Errorf("%s is listed as shared and is not", code)
		}
	}
}

var argument = regexp.MustCompile(`\{[a-z_]+\}`)

// TestOneSpelling: no two codes say the same, and none has the words of another in another order.
func TestOneSpelling(t *testing.T) {
	saying, words, codes := map[string]string{}, map[string]string{}, 0
	take := func(in map[string]string, key, code, what string) {
		if other := in[key]; other != "" && other != code {
			t.Errorf("%s and %s %s: %q", other, code, what, key)
		}
		in[key] = code
	}
	for _, table := range kinds() {
		for code, sentence := range table {
			codes++
			take(saying, argument.ReplaceAllString(sentence, "{}"), code, "say the same")
			sorted := strings.Split(code, "_")
			slices.Sort(sorted)
			take(words, strings.Join(sorted, " "), code, "have the same words")
		}
	}
	if codes < 350 {
		t.Errorf("only %d codes: the test has lost its subject", codes)
	}
}

// TestEveryCodeHasARemedy: what to do is known for every code, once, and for nothing else.
func TestEveryCodeHasARemedy(t *testing.T) {
	known := map[string]bool{}
	for kind, table := range kinds() {
		for code := range table {
			known[code] = true
			if remedy := Remedy(code, nil); remedy == "" {
				t.Errorf("%s %s: no remedy; add one to a table in engine/english/tables_remedies_*.go", kind, code)
			} else if n := len(strings.Fields(remedy)); n > 16 {
				t.Errorf("%s %s: a remedy of %d words, at most 16", kind, code, n)
			}
		}
	}
	seen := map[string]bool{}
	for _, table := range remedyTables {
		for code := range table {
			if seen[code] {
				t.Errorf("%s has two remedies", code)
			}
			seen[code] = true
			if !known[code] && !strings.HasPrefix(code, "keyword ") {
				t.Errorf("%s has a remedy and is no code", code)
			}
		}
	}
}

// TestOptionalParts: a part in brackets is there when its arguments are, and a peer's brackets are text.
func TestOptionalParts(t *testing.T) {
	for _, c := range []struct{ want, template string }{
		{"a 1 b", "a {one} b"},
		{"a, 1", "a[, {one}]"},
		{"a", "a[, {two}]"},
		{"a b", "a[, {one} {two}] b"},
		{"[x]{y}", "{peer}"},
	} {
		args := []elicit.Arg{elicit.Num("one", 1), elicit.Str("peer", "[x]{y}")}
		if got := render("", c.template, args); got != c.want {
			t.Errorf("%s: got %q, want %q", c.template, got, c.want)
		}
	}
}

// TestMeaningsKnowEveryCode: `elicit explain` reads Meanings, so a new table must be in it.
func TestMeaningsKnowEveryCode(t *testing.T) {
	all := Codes()
	for kind, table := range kinds() {
		for code, sentence := range table {
			if !slices.Contains(all, code) {
				t.Errorf("%s %s is not among Codes", kind, code)
			}
			if !slices.ContainsFunc(Meanings(code), func(m Meaning) bool { return m.Sentence == sentence && m.Remedy != "" }) {
				t.Errorf("%s %s: Meanings gives %v", kind, code, Meanings(code))
			}
		}
	}
	if list := Meanings("no such code"); list != nil {
		t.Errorf("an unknown code means %v", list)
	}
}
