package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// texts is what the answers say of the texts of a subject.
type texts struct {
	want [][]pattern // of each, a pattern matches
	not  []pattern
	yes  []literal // of want
	no   []literal // of not, 0 for a pattern of no criterion
}

func (t *texts) add(a atom, holds bool) {
	if holds {
		t.want, t.yes = append(t.want, a.c.Globs), append(t.yes, a.of)
		return
	}
	for _, p := range a.c.Globs {
		t.not, t.no = append(t.not, p), append(t.no, a.of)
	}
}

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

// noText lists clauses that the texts of a subject break. several says that each text may match another pattern.
func (e *explorer) noText(t *texts, several bool) (clauses [][]literal) {
	try := func(want [][]pattern, of []literal) {
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
		for i := 0; i < len(want); {
			fewer := slices.Delete(slices.Clone(want), i, i+1)
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

// solve is search, which begins with few of the patterns that must not match.
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

// number is a short name of a pattern or an answer.
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
	n := e.number("pattern " + policy.KeyOf(p))
	return append(key, byte(n>>16), byte(n>>8), byte(n), ',')
}
