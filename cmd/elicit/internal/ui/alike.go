package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// choiceLabels is what each choice is called. No two labels look alike: choices whose titles differ only where they are
// cut, in what is invisible or in letters of other alphabets show the place where they differ, and choices with the
// same title show their values.
func choiceLabels(f *schema.Field) []string {
	labels := make([]string, len(f.Choices))
	for i := range f.Choices {
		labels[i] = joined(clipMiddle(oneLine(f.Choices[i].Title), 120), clipMiddle(oneLine(f.Choices[i].Description), 200))
	}
	for _, group := range lookalikes(labels) {
		heads := make([]string, len(group))
		for k, i := range group {
			heads[k] = clip(oneLine(f.Choices[i].Title), 60)
		}
		for k, sign := range signs(f.Choices, group) {
			labels[group[k]] = heads[k] + sign
		}
	}
	if len(lookalikes(labels)) > 0 { // somebody wrote a title that looks like what we say of another
		for i := range labels {
			labels[i] = fmt.Sprintf("%d: %s", i+1, labels[i])
		}
	}
	return labels
}

func joined(title, description string) string {
	return strings.Join(nonEmpty(title, description), " — ")
}

// lookalikes groups the places of labels that a reader cannot tell apart, in the order of their first one.
func lookalikes(labels []string) (groups [][]int) {
	places := make(map[string][]int, len(labels))
	for i, label := range labels {
		key := looks(label)
		places[key] = append(places[key], i)
	}
	for i, label := range labels {
		if group := places[looks(label)]; len(group) > 1 && group[0] == i {
			groups = append(groups, group)
		}
	}
	return groups
}

// looks is the same for texts that look alike. How many spaces there are shows no better than what has no width; and an
// accent may be a character of its own.
func looks(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f || r == '\ufe0f' || string(r) == joiner {
			return -1
		}
		return r
	}, s)
	return risk.Skeleton(strings.Join(strings.Fields(s), " "))
}

// signs tells the choices of a group apart: by their texts if those differ, else by their values, which always do.
func signs(choices []schema.Choice, group []int) []string {
	texts := make([][]rune, len(group))
	distinct := map[string]bool{}
	for k, i := range group {
		text := joined(choices[i].Title, choices[i].Description)
		texts[k], distinct[text] = []rune(text), true
	}
	what := ""
	if len(distinct) < len(group) {
		what = "value "
		for k, i := range group {
			texts[k] = []rune(choices[i].Value)
		}
	}
	out := make([]string, len(group))
	all := make([]int, len(group))
	for k := range all {
		all[k] = k
	}
	tellApart(texts, all, what, out)
	return out
}

// window is how many characters are shown from the place where texts differ, and before it.
const window, windowBefore = 40, 10

// tellApart writes a sign for each of the texts that are listed, which must differ: what stands where they first differ.
// Those whose signs look alike all the same get theirs from the next difference.
func tellApart(texts [][]rune, list []int, what string, signs []string) {
	from := samePrefix(texts, list)
	if !slices.ContainsFunc(list, func(i int) bool { return len(texts[i]) > from }) {
		return // the same text twice, which the form's compiler does not let through
	}
	shown := make([]string, len(list))
	spell := func(quote func(string) string) (alike [][]int) {
		for k, i := range list {
			shown[k] = sign(texts[i], from, what, quote)
			signs[i] = shown[k]
		}
		return lookalikes(shown)
	}
	groups := spell(func(s string) string { return "“" + plain.Line(s) + "”" })
	if len(groups) > 0 {
		spell(strconv.QuoteToASCII)
		groups = same(shown)
	}
	for _, group := range groups {
		rest := make([]int, len(group))
		for k, at := range group {
			rest[k] = list[at]
		}
		tellApart(texts, rest, what, signs)
	}
}

// sign says what a text has from a place on.
func sign(text []rune, from int, what string, quote func(string) string) string {
	if from <= windowBefore && len(text) <= window {
		return " (" + what + quote(string(text)) + ")"
	}
	start := max(from-windowBefore, 0)
	end := min(from+window-windowBefore, len(text))
	return fmt.Sprintf(" (%sfrom character %d: %s)", what, start+1, quote(string(text[start:end])))
}

// same groups the places of texts that are equal.
func same(texts []string) (groups [][]int) {
	places := map[string][]int{}
	for i, text := range texts {
		places[text] = append(places[text], i)
	}
	for i, text := range texts {
		if group := places[text]; len(group) > 1 && group[0] == i {
			groups = append(groups, group)
		}
	}
	return groups
}

// samePrefix is how many characters all the texts of a list begin with.
func samePrefix(texts [][]rune, list []int) int {
	first := texts[list[0]]
	n := len(first)
	for _, i := range list[1:] {
		n = min(n, len(texts[i]))
		for k := range n {
			if texts[i][k] != first[k] {
				n = k
				break
			}
		}
	}
	return n
}

// clipMiddle shortens s to at most n characters by its middle, because what matters may stand at its end.
func clipMiddle(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	head := (n - 1) * 2 / 3
	return string(slices.Concat(r[:head], []rune{'…'}, r[len(r)-(n-1-head):]))
}
