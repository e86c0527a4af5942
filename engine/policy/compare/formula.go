package compare

import (
	"slices"
	"strings"
)

// A literal is a variable, or as a negative number its negation. 0 is no literal: tables use it for "not made yet".
// Variable 1 is true from the beginning, so that constants need no case of their own.
type literal = int32

// yes is the literal that is always true.
const yes literal = 1

// formula is a set of clauses. Each of them needs a true literal. A search assigns a literal at a time, follows what
// each assignment forces, and learns a new clause from each conflict (CDCL). Clauses are only added. The first two
// literals of a clause are watched: as long as neither is false, the clause forces nothing. So an assignment looks at
// the clauses that watch its negation, and at no others.
//
// Invariants between calls: trail has the assigned literals in order, choices are places in it, and all literals before
// head have been followed. Each variable with a value stands in trail once.
type formula struct {
	clauses   [][]literal
	watches   [][]int32 // by place of a literal: the clauses that look at it when it becomes false
	value     []int8    // of each variable: 1, -1, or 0 for none yet
	depth     []int32   // of each variable: how many choices came before it
	because   []int32   // of each variable: the clause that forced it, or -1
	trail     []literal
	choices   []int // where each choice begins in the trail
	head      int
	next      literal // no variable above it is without a value
	likes     map[literal]bool
	ands      map[string]literal
	conflicts int
	never     bool // nothing satisfies the clauses
}

// newFormula makes a formula in which variable 1 is true and nothing else is said.
func newFormula() *formula {
	f := &formula{ands: map[string]literal{}, likes: map[literal]bool{}}
	f.value, f.depth, f.because, f.watches = make([]int8, 1), make([]int32, 1), make([]int32, 1), make([][]int32, 2)
	f.add(f.variable())
	return f
}

// A variable that is made later is chosen first (next counts down). So search decides the events of the rules before
// the answers that they follow from.
func (f *formula) variable() literal {
	f.value, f.depth, f.because = append(f.value, 0), append(f.depth, 0), append(f.because, -1)
	f.watches = append(f.watches, nil, nil)
	f.next = literal(len(f.value) - 1)
	return f.next
}

func variableOf(l literal) literal { return max(l, -l) }

// 2v is the place of v and 2v+1 that of its negation, so both have a place in one slice.
func placeOf(l literal) int {
	if l < 0 {
		return int(-2*l + 1)
	}
	return int(2 * l)
}

func (f *formula) holds(l literal) bool { return f.is(l) > 0 }

// is returns 1 for a true literal, -1 for a false one, and 0 while it has no value.
func (f *formula) is(l literal) int8 {
	if l < 0 {
		return -f.value[-l]
	}
	return f.value[l]
}

// and is a literal that holds if all of the list do. Equal lists have one literal. The clauses are those of Tseitin:
// the new variable and the conjunction imply each other. A list with a literal and its negation is false.
func (f *formula) and(list ...literal) literal {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(l literal) bool { return l == yes })
	for _, l := range list {
		if _, both := slices.BinarySearch(list, -l); both || l == -yes {
			return -yes
		}
	}
	switch len(list) {
	case 0:
		return yes
	case 1:
		return list[0]
	}
	var key strings.Builder
	for _, l := range list {
		key.Write([]byte{byte(l >> 24), byte(l >> 16), byte(l >> 8), byte(l)})
	}
	all, known := f.ands[key.String()]
	if known {
		return all
	}
	all = f.variable()
	f.ands[key.String()] = all
	none := []literal{all}
	for _, l := range list {
		f.add(-all, l)
		none = append(none, -l)
	}
	f.add(none...)
	return all
}

// By De Morgan's law. An empty list is false.
func (f *formula) or(list ...literal) literal {
	not := make([]literal, len(list))
	for i, l := range list {
		not[i] = -l
	}
	return -f.and(not...)
}

// add adds a clause. It ends a search. Literals that are false for good are dropped, and a clause that is true for good
// is no clause. back(0) makes "for good" exact: at depth 0 no choice stands.
func (f *formula) add(clause ...literal) {
	f.back(0)
	var list []literal
	for _, l := range clause {
		if f.holds(l) || slices.Contains(list, -l) {
			return
		}
		if f.is(l) == 0 && !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	switch len(list) {
	case 0:
		f.never = true
	case 1:
		f.assign(list[0], -1)
		f.never = f.never || f.propagate() >= 0
	default:
		f.keep(list)
	}
}

// keep stores a clause of at least two literals and watches its first two. The formula owns clause from then on.
func (f *formula) keep(clause []literal) int32 {
	at := int32(len(f.clauses))
	f.clauses = append(f.clauses, clause)
	for _, l := range clause[:2] {
		f.watches[placeOf(l)] = append(f.watches[placeOf(l)], at)
	}
	return at
}

// assign makes a literal true. because is the clause that forced it, or -1 for a choice and for a fact.
func (f *formula) assign(l literal, because int32) {
	v := variableOf(l)
	f.value[v] = 1
	if l < 0 {
		f.value[v] = -1
	}
	f.depth[v], f.because[v] = int32(len(f.choices)), because
	f.trail = append(f.trail, l)
}

// back takes all back that came after some choices.
func (f *formula) back(choices int) {
	if len(f.choices) <= choices {
		return
	}
	from := f.choices[choices]
	for _, l := range f.trail[from:] {
		f.value[variableOf(l)] = 0
		f.next = max(f.next, variableOf(l))
	}
	f.trail, f.choices, f.head = f.trail[:from], f.choices[:choices], from
}

// propagate follows what the assignments force. It returns a clause without a true literal, or -1. kept shares the
// array of list. That is safe, because it never overtakes the place that is read, and a clause is appended to the list
// of another literal only.
func (f *formula) propagate() int32 {
	for ; f.head < len(f.trail); f.head++ {
		no := -f.trail[f.head]
		list := f.watches[placeOf(no)]
		kept := list[:0]
		for i, at := range list {
			c := f.clauses[at]
			// The literal that became false is moved to the second place, so c[0] is the other watched one.
			if c[0] == no {
				c[0], c[1] = c[1], no
			}
			if f.holds(c[0]) {
				kept = append(kept, at)
				continue
			}
			// Another literal that is not false takes over the watch.
			if k := slices.IndexFunc(c[2:], func(l literal) bool { return f.is(l) >= 0 }); k >= 0 {
				c[1], c[k+2] = c[k+2], no
				f.watches[placeOf(c[1])] = append(f.watches[placeOf(c[1])], at)
				continue
			}
			kept = append(kept, at)
			if f.is(c[0]) < 0 {
				// The clauses that were not looked at stay in the list.
				f.watches[placeOf(no)] = append(kept, list[i+1:]...)
				return at
			}
			f.assign(c[0], at)
		}
		f.watches[placeOf(no)] = kept
	}
	return -1
}

// learn makes a clause of a conflict, and takes back the choices that it rules out. It resolves the conflict with the
// reasons of its literals until one literal of the last choice is left (the first unique implication point). The
// learned clause forces the negation of that one after the jump back. learned[1] becomes the literal of the greatest
// depth that remains, because a watched literal must be the last one to lose its value.
func (f *formula) learn(conflict int32) {
	f.conflicts++
	seen, open, learned := map[literal]bool{}, 0, []literal{0}
	at, clause := len(f.trail), f.clauses[conflict]
	var l literal
	for {
		for _, m := range clause {
			v := variableOf(m)
			// A literal of depth 0 is false for good, and needs no place in what is learned.
			if m == l || seen[v] || f.depth[v] == 0 {
				continue
			}
			if seen[v] = true; int(f.depth[v]) == len(f.choices) {
				open++
			} else {
				learned = append(learned, m)
			}
		}
		for at--; !seen[variableOf(f.trail[at])]; at-- {
			continue
		}
		if l = f.trail[at]; open == 1 {
			break
		}
		open, clause = open-1, f.clauses[f.because[variableOf(l)]]
	}
	learned[0] = -l
	to := 0
	for i := 1; i < len(learned); i++ {
		if d := int(f.depth[variableOf(learned[i])]); d > to {
			to = d
			learned[1], learned[i] = learned[i], learned[1]
		}
	}
	f.back(to)
	because := int32(-1)
	if len(learned) > 1 {
		because = f.keep(learned)
	}
	f.assign(learned[0], because)
}

// satisfy looks for values of all variables. sure says that the search ended within its bound. After found, all
// variables have values until the next add or satisfy. likes says which value is tried first for a variable; it changes
// how fast a difference is found, and not whether it is.
func (f *formula) satisfy() (found, sure bool) {
	f.back(0)
	for most := f.conflicts + maxConflicts; !f.never; {
		if conflict := f.propagate(); conflict >= 0 {
			// A conflict without a choice: nothing satisfies the clauses.
			if len(f.choices) == 0 {
				f.never = true
				break
			}
			if f.learn(conflict); f.conflicts > most {
				return false, false
			}
			continue
		}
		for f.next > 0 && f.value[f.next] != 0 {
			f.next--
		}
		if f.next == 0 {
			return true, true
		}
		f.choices = append(f.choices, len(f.trail))
		if f.likes[f.next] {
			f.assign(f.next, -1)
		} else {
			f.assign(-f.next, -1)
		}
	}
	return false, true
}

// The bound holds for one search and not for the class. A class has few hundred variables, so it is seldom reached.
const maxConflicts = 50_000
