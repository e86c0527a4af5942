package pattern

import "unicode/utf8"

// chains is a choice of sequences that need no backtracking.
type chains struct {
	list    []chain
	classes []class
}

// chain matches its runs one after the other, each as long as possible. That is exact, because the next part
// could use no character that a run would give back: see settle. ^a{2,3}b*$ is the runs a from 2 to 3 and b
// from 0, with begin and end set. A chain without runs matches every text, unless it has both anchors and thus
// asks for the empty one.
type chain struct {
	runs       []run
	begin, end bool // ^ and $
}

// run is a repeated class. A max of -1 means without end.
type run struct {
	class    uint16
	min, max int32
}

// A chain may have 32 runs, twice its share, because few patterns have eight chains.
const (
	maxChains = 8
	maxRuns   = 128 // of all chains together
)

func (c *chains) match(text []byte) bool {
	for i := range c.list {
		if c.list[i].search(text, c.classes) {
			return true
		}
	}
	return false
}

// search looks for the chain in a text. Without ^, settle has made sure that the first run needs at least one
// character. A place where that does not fit is passed after one test.
func (c *chain) search(text []byte, classes []class) bool {
	switch {
	case c.begin:
		return c.from(text, classes)
	case len(c.runs) == 0:
		return true
	}
	first := &classes[c.runs[0].class]
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[at:])
		}
		if first.has(r) && c.from(text[at:], classes) {
			return true
		}
		at += size
	}
	return false
}

// from matches at the start of text. It never goes back. A run that took too few characters has no other way to
// match, and neither has the chain.
func (c *chain) from(text []byte, classes []class) bool {
	at := 0
	for i := range c.runs {
		run := &c.runs[i]
		cl := &classes[run.class]
		count := int32(0)
		// A max of -1 never equals the count, so such a run goes on as long as its class does.
		for at < len(text) && count != run.max {
			if b := text[at]; b < utf8.RuneSelf {
				if cl.ascii[b>>6]&(1<<(b&63)) == 0 {
					break
				}
				at++
			} else {
				r, size := utf8.DecodeRune(text[at:])
				if !cl.has(r) {
					break
				}
				at += size
			}
			count++
		}
		if count < run.min {
			return false
		}
	}
	return !c.end || at == len(text)
}

// chains reads a tree as chains, if it is that simple. ok is false if the tree is not so simple. The caller
// then uses a program. reach adds up what all chains may read from one place, so the product with the text
// stays bounded.
func (b *builder) chains(root int32) (*chains, bool) {
	list, ok := b.expand(root)
	if !ok {
		return nil, false
	}
	runs, reach := 0, int32(0)
	for i := range list {
		length, ok := list[i].settle(b.tree.classes.list)
		if reach += length; !ok || reach > MaxPositions {
			return nil, false
		}
		runs += len(list[i].runs)
	}
	b.size += max(runs, int(reach))
	return &chains{list, b.tree.classes.list}, true
}

// expand turns a tree into a choice of sequences. ok is false if there are too many or the tree has other
// parts. a(b|c)d becomes abd and acd. Look-aheads, \b and \B have no place in a chain.
func (b *builder) expand(n int32) ([]chain, bool) {
	nd := b.tree.nodes[n]
	switch nd.op {
	case opEmpty:
		return []chain{{}}, true
	case opBegin:
		return []chain{{begin: true}}, true
	case opEnd:
		return []chain{{end: true}}, true
	case opClass:
		return []chain{{runs: []run{{nd.class, 1, 1}}}}, true
	case opRepeat:
		return b.expandRepeat(nd)
	case opCat:
		return b.expandCat(nd)
	case opAlt:
		var list []chain
		for part := nd.first; part != none; part = b.tree.nodes[part].next {
			branch, ok := b.expand(part)
			if list = append(list, branch...); !ok || len(list) > maxChains {
				return nil, false
			}
		}
		return list, true
	}
	return nil, false
}

// expandCat appends in place as long as there is a single sequence, which is the usual case.
func (b *builder) expandCat(nd node) ([]chain, bool) {
	list := []chain{{runs: make([]run, 0, 8)}}
	for part := nd.first; part != none; part = b.tree.nodes[part].next {
		if p := &b.tree.nodes[part]; p.op == opClass {
			for i := range list {
				if !list[i].join(&chain{runs: []run{{p.class, 1, 1}}}) {
					return nil, false
				}
			}
			continue
		}
		tails, ok := b.expand(part)
		if !ok || len(list)*len(tails) > maxChains {
			return nil, false
		}
		if list, ok = cross(list, tails); !ok {
			return nil, false
		}
	}
	return list, true
}

// cross joins each head with each tail. It may write into the heads.
func cross(heads, tails []chain) ([]chain, bool) {
	if len(tails) == 1 {
		for i := range heads {
			if !heads[i].join(&tails[0]) {
				return nil, false
			}
		}
		return heads, true
	}
	list := make([]chain, 0, len(heads)*len(tails))
	for i := range heads {
		for j := range tails {
			c := chain{append(make([]run, 0, len(heads[i].runs)+len(tails[j].runs)), heads[i].runs...),
				heads[i].begin, heads[i].end}
			if !c.join(&tails[j]) {
				return nil, false
			}
			list = append(list, c)
		}
	}
	return list, true
}

// join appends d. Anchors are allowed only at the ends. It returns false if a ^ would come behind a character,
// or a character behind a $, or if there are too many runs. c may then be half joined.
func (c *chain) join(d *chain) bool {
	if d.begin && len(c.runs) > 0 || c.end && len(d.runs) > 0 {
		return false
	}
	c.begin, c.end = c.begin || d.begin, c.end || d.end
	for _, r := range d.runs {
		c.push(r)
	}
	return len(c.runs) <= maxRuns/maxChains*2
}

// push appends a run, or extends the last one if that repeats the same class. aa*a is the run a from 2 without
// end: the counts add up, since any number between the sums can be split.
func (c *chain) push(r run) {
	if n := len(c.runs); n > 0 && c.runs[n-1].class == r.class {
		last := &c.runs[n-1]
		last.min = min(last.min+r.min, largestCount)
		if last.max < 0 || r.max < 0 {
			last.max = -1
		} else {
			last.max = min(last.max+r.max, largestCount)
		}
		return
	}
	c.runs = append(c.runs, r)
}

// expandRepeat turns a repetition into chains. ok is false unless it is one of these:
//
//	[ab]{2,5}   one run
//	(abc)?      abc, and the empty chain
//	(ab){3}     ababab
//	(ab){0}     the empty chain
func (b *builder) expandRepeat(nd node) ([]chain, bool) {
	if nd.max == 0 {
		return []chain{{}}, true
	}
	list, ok := b.expand(nd.first)
	if !ok {
		return nil, false
	}
	if len(list) == 1 && len(list[0].runs) == 1 && !list[0].begin && !list[0].end {
		if r := list[0].runs[0]; r.min == 1 && r.max == 1 {
			return []chain{{runs: []run{{r.class, nd.min, nd.max}}}}, true
		}
	}
	if nd.min == 0 && nd.max == 1 {
		return append(list, chain{}), len(list) < maxChains
	}
	if nd.min != nd.max || nd.min > maxRuns || len(list) > 1 {
		return nil, false
	}
	whole := chain{}
	for range nd.min {
		if !whole.join(&list[0]) {
			return nil, false
		}
	}
	return []chain{whole}, true
}

// settle drops parts that make no difference, and reports whether the chain is exact: nothing that may follow a
// run of several lengths shares a character with it. length bounds what a search reads in each place. Without
// $, the last run needs no more than its least count, because whatever follows may be anything. In the same
// way, a search without ^ may skip what a longer first run would take. a+b+ is thus the search for ab.
//
// ^[a-z]+[0-9]*$ is exact. ^[a-z]*[a-f]$ is not: the first run would take the last letter, too. Without ^, a
// run without end in the middle is refused as well, since each place of the search could read the rest of the
// text.
func (c *chain) settle(classes []class) (length int32, exact bool) {
	// Drop or shorten runs at the end of a chain without $.
	for n := len(c.runs); n > 0 && !c.end; n = len(c.runs) {
		last := &c.runs[n-1]
		if last.max = last.min; last.min > 0 {
			break
		}
		c.runs = c.runs[:n-1]
	}
	// Do the same at the beginning of a chain without ^.
	for len(c.runs) > 0 && !c.begin {
		first := &c.runs[0]
		if first.max = first.min; first.min > 0 {
			break
		}
		c.runs = c.runs[1:]
	}
	for i := range c.runs {
		r := &c.runs[i]
		if !c.begin {
			if r.max < 0 {
				return 0, false
			}
			length = min(length+r.max, MaxPositions+1)
		}
		if r.min != r.max && !c.decided(i, classes) {
			return 0, false
		}
	}
	return length, true
}

// decided reports whether run i may take as much as it can. It may if no later run that could come next accepts
// one of its characters. The runs that could come next are those up to the first one that needs a character.
func (c *chain) decided(i int, classes []class) bool {
	for j := i + 1; j < len(c.runs); j++ {
		if classes[c.runs[i].class].overlaps(&classes[c.runs[j].class]) {
			return false
		}
		if c.runs[j].min > 0 {
			break
		}
	}
	return true
}
