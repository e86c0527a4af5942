package compare

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/policy"
)

// texts is what the answers so far say of the texts of a subject.
type texts struct {
	want [][]pattern // of each, a pattern matches
	not  []pattern
}

func (t *texts) add(c *policy.Criterion, holds bool) {
	if holds {
		t.want = append(t.want, c.Globs)
	} else {
		t.not = append(t.not, c.Globs...)
	}
}

func (e *explorer) textOf(on string) *texts {
	if e.texts[on] == nil {
		e.texts[on] = &texts{not: e.taken(on)}
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

// textMay reports whether the answer is possible.
func (e *explorer) textMay(c *policy.Criterion, s sort, holds bool) bool {
	t := e.textOf(c.On)
	is := some
	switch {
	case holds && s == any: // one more text
		_, is = e.solve([][]pattern{c.Globs}, t.not)
	case holds:
		_, is = e.solve(append(slices.Clone(t.want), c.Globs), t.not)
	case s == any:
		not := append(slices.Clone(t.not), c.Globs...)
		for _, want := range t.each() {
			if _, is = e.solve(want, not); is != some {
				break
			}
		}
	default:
		_, is = e.solve(t.want, append(slices.Clone(t.not), c.Globs...))
	}
	return is != nothing
}

type solution struct {
	text string
	is   found
}

// solve is search, which begins with few of the patterns that must not match.
func (e *explorer) solve(want [][]pattern, not []pattern) (string, found) {
	key := ""
	for _, group := range want {
		for _, p := range group {
			key += e.short(p)
		}
		key += ";"
	}
	key += "|"
	for _, p := range not {
		key += e.short(p)
	}
	if s, known := e.solved[key]; known {
		return s.text, s.is
	}
	s := solution{}
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
		against, s.is = append(against, not[at]), unsure
	}
	e.solved[key] = s
	return s.text, s.is
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

// short spells the number of a pattern.
func (e *explorer) short(p pattern) string {
	n := e.number("pattern " + policy.KeyOf(p))
	return string([]byte{byte(n >> 16), byte(n >> 8), byte(n), ','})
}
