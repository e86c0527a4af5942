package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// A subject with one text, such as the server's name, can have any text that some patterns match and others do not.
// A search over sets of places in all patterns at once (subset construction) finds a shortest one, or proves that there
// is none.

// found says whether there is such a text.
type found uint8

const (
	nothing found = iota
	some
	unsure // the search took too long
)

const maxPlaces = 3000 // sets of places in one search

type pattern = []policy.Step

// places are the steps that may come next. A set has them in ascending order.
func advance(p pattern, at []int16, r rune) (next []int16) {
	for _, i := range at {
		if int(i) == len(p) {
			continue
		}
		if s := p[i]; s.Star {
			next = append(next, i)
		} else if s.Match(r) {
			next = append(next, i+1)
		}
	}
	return closure(p, next)
}

// closure adds the places behind stars.
func closure(p pattern, at []int16) []int16 {
	for k := 0; k < len(at); k++ {
		if i := at[k]; int(i) < len(p) && p[i].Star && !slices.Contains(at, i+1) {
			at = append(at, i+1)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

func matches(p pattern, text string) bool {
	at := closure(p, []int16{0})
	for _, r := range text {
		at = advance(p, at, r)
	}
	return slices.Contains(at, int16(len(p)))
}

// search looks for a text that a pattern of each group of want matches, and no pattern of not.
func search(want [][]pattern, not []pattern) (string, found) {
	list, groups := slices.Clone(not), make([][2]int, len(want))
	for i, group := range want {
		groups[i] = [2]int{len(list), len(list) + len(group)}
		list = append(list, group...)
	}
	alphabet := runesOf(list)
	type node struct {
		sets [][]int16
		text string
	}
	start := node{sets: make([][]int16, len(list))}
	for i, p := range list {
		start.sets[i] = closure(p, []int16{0})
	}
	accepts := func(n node) bool {
		end := func(i int) bool { return slices.Contains(n.sets[i], int16(len(list[i]))) }
		for i := range not {
			if end(i) {
				return false
			}
		}
		for _, g := range groups {
			if !slices.ContainsFunc(span(g), end) {
				return false
			}
		}
		return true
	}
	alive := func(n node) bool {
		for _, g := range groups {
			if !slices.ContainsFunc(span(g), func(i int) bool { return len(n.sets[i]) > 0 }) {
				return false
			}
		}
		return true
	}
	seen, todo := map[string]bool{keyOf(start.sets): true}, []node{start}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		if accepts(n) {
			return n.text, some
		}
		for _, r := range alphabet {
			next := node{make([][]int16, len(list)), n.text + string(r)}
			for i, p := range list {
				next.sets[i] = advance(p, n.sets[i], r)
			}
			if key := keyOf(next.sets); alive(next) && !seen[key] {
				if len(seen) == maxPlaces {
					return "", unsure
				}
				seen[key] = true
				todo = append(todo, next)
			}
		}
	}
	return "", nothing
}

func span(g [2]int) (list []int) {
	for i := g[0]; i < g[1]; i++ {
		list = append(list, i)
	}
	return list
}

func keyOf(sets [][]int16) string {
	key := make([]byte, 0, 4*len(sets))
	for _, set := range sets {
		for _, i := range set {
			key = append(key, byte(i>>8)+1, byte(i))
		}
		key = append(key, 0)
	}
	return string(key)
}

// runesOf lists one character of each kind that the patterns tell apart, and one that no pattern names.
func runesOf(list []pattern) []rune {
	seen := map[string]bool{}
	var runes []rune
	candidates := []rune("xyqzwvujk7~\u0142\u4e00\ue000")
	for _, p := range list {
		for _, s := range p {
			if !s.Star {
				candidates = append(candidates, s.Runes()...)
			}
		}
	}
	for _, r := range candidates {
		if r <= 0 || r > 0x10FFFF || r >= 0xD800 && r < 0xE000 {
			continue
		}
		var kind []byte
		for _, p := range list {
			for _, s := range p {
				if !s.Star && s.Match(r) {
					kind = append(kind, 1)
				} else {
					kind = append(kind, 0)
				}
			}
		}
		if !seen[string(kind)] {
			seen[string(kind)] = true
			runes = append(runes, r)
		}
	}
	return runes
}
