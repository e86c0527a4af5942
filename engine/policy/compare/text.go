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

// places are the steps that may come next. A set has them in ascending order. It does not change at. The result is a
// set in ascending order, so that equal sets have equal keys.
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

// matches reports whether the pattern matches the whole text, by the same steps as the search.
func matches(p pattern, text string) bool {
	at := closure(p, []int16{0})
	for _, r := range text {
		at = advance(p, at, r)
	}
	return slices.Contains(at, int16(len(p)))
}

// search looks for a text that a pattern of each group of want matches, and no pattern of not. The search is breadth
// first, so the text is a shortest one, which is easy to read in a report. A node is one set of places for each
// pattern. A node in which some group of want has no place left is dropped: no longer text can match.
//
// "git *" and not "git p*" gives "git " followed by nothing, and "a*" with "*b" and not "*bb" gives "ab".
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
		// A text that a pattern of not matches is no answer, but a longer one can be.
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
				// The number of sets can be exponential in the patterns.
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

// keyOf spells the sets. A place is below 0xFF00, so the high byte plus one is never 0, which ends a set.
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

// runesOf lists one character of each kind that the patterns tell apart, and one that no pattern names. Two characters
// that every step treats alike lead to equal nodes, so one of each kind is enough. The candidates begin with plain
// letters, which stand for "any other", and with a few beyond ASCII.
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

// texts is what the answers say of the texts of a subject. not begins with names that the class has taken, which belong
// to no answer. They are in the search and never in a clause.
type texts struct {
	want [][]pattern // of each, a pattern matches
	not  []pattern
	yes  []literal // of want
	no   []literal // of not, 0 for a pattern of no criterion
	kept int       // how many of want say that there is a text at all
}

// add adds an answer. One that holds needs one of its patterns to match, and one that does not needs all of them not
// to.
func (t *texts) add(a atom, holds bool) {
	if holds {
		t.want, t.yes = append(t.want, a.c.Globs), append(t.yes, a.of)
		return
	}
	for _, p := range a.c.Globs {
		t.not, t.no = append(t.not, p), append(t.no, a.of)
	}
}

// The value lives for one call of contradictions, which clears the map.
func (e *explorer) textOf(on string) *texts {
	if e.texts[on] == nil {
		not := e.taken(on)
		e.texts[on] = &texts{not: not, no: make([]literal, len(not))}
	}
	return e.texts[on]
}

// each lists what each of several texts must match: one text nothing, and one text each what is wanted.
func (t *texts) each() [][][]pattern {
	list := [][][]pattern{nil}
	for _, group := range t.want {
		list = append(list, [][]pattern{group})
	}
	return list
}

// taken lists the names that stand for themselves, where the class has another.
func (e *explorer) taken(on string) (list []pattern) {
	if on == "cwd" { // one that is known and leads nowhere else
		return []pattern{nil, policy.Upward}
	}
	names := e.class.taken
	if on == "server" {
		names = e.servers
	}
	if on != "server" && on != "tool" {
		return nil
	}
	for _, name := range append([]string{""}, names...) {
		list = append(list, policy.Literal(name))
	}
	if on == "server" {
		list = list[1:]
	}
	return list
}

// noText lists clauses that the texts of a subject break. several says that each text may match another pattern. A
// clause names as few answers as possible, because a short one rules out more: first the patterns of not that the proof
// needed (core), then each group of want is left out on trial.
func (e *explorer) noText(t *texts, several bool) (clauses [][]literal) {
	try := func(want [][]pattern, of []literal) {
		// unsure makes no clause: only a proof that there is no text does.
		s := e.solve(want, t.not)
		if s.is != nothing {
			return
		}
		var clause []literal
		var not []pattern
		for _, i := range s.core {
			if not = append(not, t.not[i]); t.no[i] != 0 {
				clause = append(clause, t.no[i])
			}
		}
		for i := t.kept; i < len(want); {
			fewer := slices.Delete(slices.Clone(want), i, i+1)
			// There is no text even without this group, so its answer is not to blame.
			if e.solve(fewer, not).is == nothing {
				want, of = fewer, slices.Delete(slices.Clone(of), i, i+1)
			} else {
				i++
			}
		}
		for _, l := range of {
			clause = append(clause, -l)
		}
		clauses = append(clauses, clause)
	}
	if !several {
		try(t.want, t.yes)
		return clauses
	}
	try(nil, nil)
	for i := range t.want {
		try(t.want[i:i+1], t.yes[i:i+1])
	}
	return clauses
}

type solution struct {
	text string
	is   found
	core []int // for nothing: which of not there is no text without
}

// solve is search, which begins with few of the patterns that must not match. It adds a pattern of not only when a text
// was found that it matches. Most questions need few of them, and the cost of search grows with each. After 200 rounds
// the answer is unsure.
func (e *explorer) solve(want [][]pattern, not []pattern) (s solution) {
	var key []byte
	for _, group := range want {
		for _, p := range group {
			key = e.short(key, p)
		}
		key = append(key, ';')
	}
	key = append(key, '|')
	for _, p := range not {
		key = e.short(key, p)
	}
	if s, known := e.solved[string(key)]; known {
		return s
	}
	var against []pattern
	for range 200 {
		s.text, s.is = search(want, against)
		if s.is != some {
			break
		}
		at := slices.IndexFunc(not, func(p pattern) bool { return matches(p, s.text) })
		if at < 0 {
			break
		}
		against, s.core, s.is = append(against, not[at]), append(s.core, at), unsure
	}
	e.solved[string(key)] = s
	return s
}

// number is a short name of a pattern or an answer. Numbers keep the keys of solved short: a pattern has up to 255
// steps, and its number has three bytes.
func (e *explorer) number(key string) int {
	n, known := e.numbers[key]
	if !known {
		n = len(e.numbers)
		e.numbers[key] = n
	}
	return n
}

// short appends the number of a pattern.
func (e *explorer) short(key []byte, p pattern) []byte {
	if len(p) == 0 {
		return append(key, ',')
	}
	n, known := e.patterns[&p[0]] // a pattern begins at a step of its own
	if !known || len(p) != e.lengths[n] {
		n = e.number("pattern " + policy.KeyOf(p))
		e.patterns[&p[0]], e.lengths[n] = n, len(p)
	}
	return append(key, byte(n>>16), byte(n>>8), byte(n), ',')
}
