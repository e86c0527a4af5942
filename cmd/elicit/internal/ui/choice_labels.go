package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// choiceLabels returns the label of each choice. No two labels look alike, so that a peer cannot make a person select
// another value than the one they read. When titles differ only in a part that is cut off, in invisible characters or
// in letters of other alphabets, the labels show the place where they differ. When titles are the same, the labels show
// the values.
func choiceLabels(f *schema.Field) []string {
	labels := make([]string, len(f.Choices))
	for i := range f.Choices {
		c := &f.Choices[i]
		labels[i] = joined(plain.Short(oneLine(c.Title), 120), plain.Short(oneLine(c.Description), 200))
	}
	for _, group := range lookalikes(labels) {
		heads := make([]string, len(group))
		for k, i := range group {
			heads[k] = clip(oneLine(f.Choices[i].Title), 60)
		}
		for k, sign := range distinctions(f.Choices, group) {
			labels[group[k]] = heads[k] + sign
		}
	}
	if len(lookalikes(labels)) > 0 { // a title of the peer looks like the label that this function made for another
		for i := range labels {
			labels[i] = fmt.Sprintf("%d: %s", i+1, labels[i])
		}
	}
	return labels
}

func joined(title, description string) string {
	return strings.Join(nonEmpty(title, description), " — ")
}

// lookalikes groups the indices of labels that look alike.
func lookalikes(labels []string) [][]int { return equalTexts(each.Of(labels, normalised)) }

// normalised returns the same text for texts that look alike. It ignores the number of spaces, because that is as
// invisible as a character without width. An accent may be a separate character.
func normalised(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f || r == '\ufe0f' || string(r) == joiner {
			return -1
		}
		return r
	}, s)
	return risk.Skeleton(strings.Join(strings.Fields(s), " "))
}

// distinctions returns a text for each choice of a group that makes it different: a part of the titles if those differ,
// else a part of the values, which always differ.
func distinctions(choices []schema.Choice, group []int) []string {
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
	addDistinctions(texts, all, what, out)
	return out
}

// window and windowBefore are the numbers of characters that a label shows after and before the first difference.
const window, windowBefore = 40, 10

// addDistinctions writes a distinction for each of the listed texts, which must differ: the part at their first
// difference. Texts whose distinctions still look alike get theirs from the next difference.
func addDistinctions(texts [][]rune, list []int, what string, signs []string) {
	from := samePrefix(texts, list)
	if !slices.ContainsFunc(list, func(i int) bool { return len(texts[i]) > from }) {
		return // two equal texts, which the form's compiler refuses
	}
	shown := make([]string, len(list))
	spell := func(quote func(string) string) (alike [][]int) {
		for k, i := range list {
			shown[k] = distinction(texts[i], from, what, quote)
			signs[i] = shown[k]
		}
		return lookalikes(shown)
	}
	groups := spell(func(s string) string { return "“" + plain.Line(s) + "”" })
	if len(groups) > 0 {
		spell(strconv.QuoteToASCII)
		groups = equalTexts(shown)
	}
	for _, group := range groups {
		rest := make([]int, len(group))
		for k, at := range group {
			rest[k] = list[at]
		}
		addDistinctions(texts, rest, what, signs)
	}
}

// distinction describes the part of a text that begins at from.
func distinction(text []rune, from int, what string, quote func(string) string) string {
	if from <= windowBefore && len(text) <= window {
		return " (" + what + quote(string(text)) + ")"
	}
	start := max(from-windowBefore, 0)
	end := min(from+window-windowBefore, len(text))
	return fmt.Sprintf(" (%sfrom character %d: %s)", what, start+1, quote(string(text[start:end])))
}

// equalTexts groups the indices of equal texts. The groups have the order of their first texts.
func equalTexts(texts []string) (groups [][]int) {
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

// samePrefix returns the number of characters at the beginning that all listed texts have in common.
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
