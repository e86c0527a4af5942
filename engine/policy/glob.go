package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/impact"
	visible "github.com/elicit-engine/elicit/engine/internal/fold"
)

// glob is a compiled pattern over a whole string. * matches any runes, ? one rune, [abc] [a-z] [!a-z] one rune of a
// set, and \ takes the next rune literally. Matching takes time linear in the text for every pattern, because the text
// comes from a peer that may be hostile. There is no backtracking, so "*a*a*a*a*b" against a megabyte of "a" costs one
// pass. Most patterns of real files have their stars at the ends only, and need no program at all: they are compared by
// the functions of package strings.
type glob struct {
	sort    globSort
	wide    bool     // a host pattern with letters beyond ASCII, which is compared with the Unicode spelling
	text    string   // the literal part, for every sort but globAny and globProgram
	program *program // for globProgram
}

// globSort says how a pattern is compared. All sorts but globProgram need no state.
type globSort uint8

const (
	globExact globSort = iota
	globPrefix
	globSuffix
	globContains
	globAny
	globProgram
)

// maxGlob is the most runes of a pattern. The states of every program then fit stateWords.
const (
	maxGlob    = 255
	stateWords = (maxGlob + 1) / 64
)

// letters says which letters of a pattern and a text count as equal. The caller must pass texts in that spelling.
type letters uint8

const (
	exactCase letters = iota
	anyCase           // texts spelled by fold
	asRead            // texts spelled by fold.Text, which merges letters that a person takes for the same
)

// match reports whether the whole of s matches.
func (g *glob) match(s string) bool {
	switch g.sort {
	case globExact:
		return s == g.text
	case globPrefix:
		return strings.HasPrefix(s, g.text)
	case globSuffix:
		return strings.HasSuffix(s, g.text)
	case globContains:
		return strings.Contains(s, g.text)
	case globAny:
		return true
	}
	return g.program.match(s)
}

// element matches one rune: a literal, any rune, or a set.
type element struct {
	lo     rune // the literal when set and any are unset
	any    bool
	negate bool
	set    []span
}

// span is a range of a set, both ends included.
type span struct{ lo, hi rune }

// match compares one rune. With fold, r is already in small letters, and a set may have capitals, so both are tried.
func (e *element) match(r rune, fold bool) bool {
	switch {
	case e.any:
		return true
	case e.set == nil:
		return r == e.lo
	}
	in := contains(e.set, r) || fold && contains(e.set, unicode.ToUpper(r))
	return in != e.negate
}

func (e *element) literal() bool { return !e.any && e.set == nil }

func contains(set []span, r rune) bool {
	for _, s := range set {
		if s.lo <= r && r <= s.hi {
			return true
		}
	}
	return false
}

// compileGlob compiles a pattern. fault says what is wrong with it, and is "" for a valid pattern.
func compileGlob(pattern string, as letters) (g glob, fault string) {
	if utf8.RuneCountInString(pattern) > maxGlob {
		return g, "too long"
	}
	var (
		elements []element
		loops    [stateWords]uint64 // a star before element i keeps state i alive on any rune
		stars    int
	)
	for rest := pattern; rest != ""; {
		if rest[0] == '*' {
			loops[len(elements)/64] |= 1 << (len(elements) % 64)
			stars++
			rest = rest[1:]
			continue
		}
		var e element
		if e, rest, fault = readElement(rest, as); fault != "" {
			return g, fault
		}
		if as == asRead && e.literal() && visible.Dropped(e.lo) {
			continue
		}
		elements = append(elements, e)
	}
	if g, ok := literalGlob(elements, loops); ok {
		return g, ""
	}
	return glob{sort: globProgram, program: newProgram(elements, loops, as != exactCase)}, ""
}

// readElement reads one element that is no star. s is not empty.
func readElement(s string, as letters) (e element, rest, fault string) {
	switch s[0] {
	case '?':
		return element{any: true}, s[1:], ""
	case '[':
		return readSet(s[1:])
	case '\\':
		if s = s[1:]; s == "" {
			return e, "", "nothing after the last backslash"
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	switch as {
	case anyCase:
		r = unicode.ToLower(r)
	case asRead:
		r = visible.Rune(r)
		if visible.Space(r) {
			r = ' '
		}
	}
	return element{lo: r}, s[n:], ""
}

// readSet reads a set after its '['. A '-' at either end stands for itself.
func readSet(s string) (e element, rest, fault string) {
	if strings.HasPrefix(s, "!") {
		e.negate, s = true, s[1:]
	}
	for first := true; ; first = false {
		if s == "" {
			return e, "", "a set is not closed"
		}
		if s[0] == ']' {
			break
		}
		lo, next, ok := readSetRune(s)
		hi := lo
		if ok && (!first || s[0] != '-') && len(next) > 1 && next[0] == '-' && next[1] != ']' {
			hi, next, ok = readSetRune(next[1:])
		}
		if !ok {
			return e, "", "a set is not closed"
		}
		if hi < lo {
			return e, "", "a range runs backwards"
		}
		e.set, s = append(e.set, span{lo, hi}), next
	}
	if e.set == nil {
		return e, "", "a set is empty"
	}
	return e, s[1:], ""
}

func readSetRune(s string) (r rune, rest string, ok bool) {
	if s != "" && s[0] == '\\' {
		s = s[1:]
	}
	if s == "" {
		return 0, "", false
	}
	r, n := utf8.DecodeRuneInString(s)
	return r, s[n:], true
}

// literalGlob recognises patterns that need no program: literal runes with stars only at the ends.
func literalGlob(elements []element, loops [stateWords]uint64) (glob, bool) {
	at := func(i int) bool { return loops[i/64]>>(i%64)&1 == 1 }
	text := make([]byte, 0, len(elements))
	for i, e := range elements {
		if e.any || e.set != nil || i > 0 && at(i) {
			return glob{}, false
		}
		text = utf8.AppendRune(text, e.lo)
	}
	n := len(elements)
	g := glob{text: string(text)}
	switch {
	case n == 0 && at(0):
		g.sort = globAny
	case at(0) && at(n):
		g.sort = globContains
	case at(0):
		g.sort = globSuffix
	case at(n):
		g.sort = globPrefix
	}
	return g, true
}

// program follows all ways to match a pattern at once, with a bit for each state. In state i, i elements have matched.
// A rune moves every live state one element on, or keeps it in a star's loop. So the program never reads a rune twice.
type program struct {
	elements []element
	fold     bool
	words    int
	loops    [stateWords]uint64
	ascii    []uint64 // words masks for each ASCII rune: which elements match it
}

// newProgram makes the masks for ASCII once, so that a text of ASCII costs one look-up for each byte.
func newProgram(elements []element, loops [stateWords]uint64, fold bool) *program {
	p := &program{elements: elements, loops: loops, fold: fold, words: len(elements)/64 + 1}
	p.ascii = make([]uint64, utf8.RuneSelf*p.words)
	for r := range utf8.RuneSelf {
		p.mask(rune(r), p.ascii[r*p.words:][:p.words])
	}
	return p
}

func (p *program) mask(r rune, mask []uint64) {
	for i := range p.elements {
		if p.elements[i].match(r, p.fold) {
			mask[i/64] |= 1 << (i % 64)
		}
	}
}

func (p *program) match(s string) bool {
	live := [stateWords]uint64{1}
	last, wide := rune(-1), [stateWords]uint64{}
	end, bit := len(p.elements)/64, uint64(1)<<(len(p.elements)%64)
	for _, r := range s {
		mask := wide[:p.words]
		if r < utf8.RuneSelf {
			mask = p.ascii[int(r)*p.words:][:p.words]
		} else if r != last {
			clear(mask)
			p.mask(r, mask)
			last = r
		}
		if !p.step(&live, mask) {
			return false
		}
		if live[end]&p.loops[end]&bit != 0 {
			return true // the whole pattern has matched, and a final star matches the rest
		}
	}
	return live[end]&bit != 0
}

// step moves all live states over one rune. carry takes a bit from one word to the next.
func (p *program) step(live *[stateWords]uint64, mask []uint64) (alive bool) {
	var carry, any uint64
	for k, m := range mask {
		moved := live[k] & m
		live[k] = live[k]&p.loops[k] | moved<<1 | carry
		carry = moved >> 63
		any |= live[k]
	}
	return any != 0
}

// folded is a text that is lowered at most once, and only when a rule needs it.
type folded struct {
	text string
	done bool
}

func (f *folded) of(s string) string {
	if !f.done {
		f.text, f.done = fold(s), true
	}
	return f.text
}

// fold lowers each rune by itself, as compileGlob does for patterns. It returns s when nothing changes.
func fold(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	out.WriteString(s[:i])
	for ; i < len(s) && s[i] < utf8.RuneSelf; i++ {
		c := s[i]
		if c-'A' < 26 {
			c |= 0x20
		}
		out.WriteByte(c)
	}
	for _, r := range s[i:] {
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

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
			moved := i > 0 && live[i-1] && elements[i-1].match(r, g.program == nil || g.program.fold)
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
