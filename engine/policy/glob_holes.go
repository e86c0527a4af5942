package policy

import "github.com/elicit-engine/elicit/engine/impact"

// mayMatch reports whether the pattern matches a text in some reading of its holes. left is how many steps it may take;
// after them it may match.
func (g *glob) mayMatch(text string, left *int) bool {
	elements, loop := g.elements()
	n := len(elements)
	live := make([]bool, n+1)
	live[0] = true
	for _, r := range text {
		alive := false
		for i := n; i >= 0; i-- {
			moved := r > impact.AnyWord && i > 0 && live[i-1] && elements[i-1].match(r, g.program == nil || g.program.fold)
			live[i] = live[i] && (r <= impact.AnyWord || loop(i)) || moved
			alive = alive || live[i]
		}
		for i := range n {
			wide := r == impact.AnyText || r == impact.AnyWord && !(elements[i].literal() && elements[i].lo == ' ')
			live[i+1] = live[i+1] || live[i] && wide
		}
		if live[n] && loop(n) {
			return true
		}
		if *left -= n + 1; !alive || *left < 0 {
			return alive
		}
	}
	return live[n]
}

// elements is the pattern in parts, with where a star may take any text.
func (g *glob) elements() ([]element, func(i int) bool) {
	if g.program != nil {
		return g.program.elements, func(i int) bool { return g.program.loops[i/64]>>(i%64)&1 == 1 }
	}
	var list []element
	for _, r := range g.text {
		list = append(list, element{lo: r})
	}
	before := g.sort == globSuffix || g.sort == globContains || g.sort == globAny
	after := g.sort == globPrefix || g.sort == globContains || g.sort == globAny
	return list, func(i int) bool { return i == 0 && before || i == len(list) && after }
}
