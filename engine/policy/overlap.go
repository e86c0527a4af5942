package policy

import "github.com/elicit-engine/elicit/engine/internal/guarded"

// A command may name files by a pattern, and a rule names paths by another. Both may mean one file if some text matches
// both.

// maxOverlap bounds the work of one decision, because a peer chooses the command. Beyond it, two patterns may overlap.
// Without it, a command with thousands of open paths and a file of 2,000 patterns would take minutes. "May overlap" is
// the safe answer, because only rules that tighten ask.
const maxOverlap = 1 << 20

// patternStep is one element of a pattern.
type patternStep struct {
	star, any bool
	lit       byte
}

// stepsOf reads a pattern. A set counts as any byte, and letters beyond ASCII are bytes: more texts match then. escaped
// says that a backslash takes the next byte literally. Both sides are read in this way: the pattern of a rule, with
// escapes, and the open path of a command, without. The pattern of a rule has no fault.
func stepsOf(text string, escaped bool) (list []patternStep) {
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '*':
			list = append(list, patternStep{star: true})
		case b == '?':
			list = append(list, patternStep{any: true})
		case b == '[' && escaped:
			list = append(list, patternStep{any: true})
			for i++; text[i] != ']'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case b == '[':
			end, one := guarded.SetEnd(text[i:])
			list = append(list, patternStep{any: one, star: !one})
			i += max(end, 1) - 1
		case b == '\\' && escaped:
			i++
			list = append(list, patternStep{lit: text[i]})
		default:
			list = append(list, patternStep{lit: b})
		}
	}
	return list
}

// overlaps reports whether some text matches the pattern of a rule and an open path. free says that a wildcard of the
// path stands for any text. Otherwise it is a shell's: it matches no slash, and no dot where a name begins. overlaps
// walks the pairs of places in both. A pair is seen once. This is the emptiness test of the product of two automata:
// state (i, j) has i steps of p and j of o behind it. Time and memory are the product of the lengths.
func (t *tally) overlaps(p, o []patternStep, free bool) bool {
	// A place in the open path counts twice: begun says that the star there has matched a byte. A star of a shell
	// matches no dot at the beginning of a name, so it matters whether it has begun.
	width := 2 * (len(o) + 1)
	x := t.texts()
	if x.overlapped += (len(p) + 1) * width; x.overlapped > maxOverlap {
		return true
	}
	seen := make([]bool, (len(p)+1)*width)
	todo := []int{0}
	push := func(i, j, begun int) {
		if at := i*width + 2*j + begun; !seen[at] {
			seen[at] = true
			todo = append(todo, at)
		}
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j, begun := at/width, at%width/2, at%2
		if i == len(p) && j == len(o) {
			return true
		}
		if i < len(p) && p[i].star {
			push(i+1, j, begun)
		}
		if j < len(o) && o[j].star {
			push(i, j+1, 0)
		}
		if i == len(p) || j == len(o) || !meets(p[i], o, j, begun, free) {
			continue
		}
		next, to, on := i+1, j+1, 0
		if p[i].star {
			next = i
		}
		if o[j].star {
			to, on = j, 1
		}
		push(next, to, on)
	}
	return false
}

// meets reports whether some byte matches both steps. "rm *" does not match ".env" (POSIX: a leading period is matched
// by a period alone).
func meets(p patternStep, o []patternStep, j, begun int, free bool) bool {
	literal := !p.star && !p.any
	switch s := o[j]; {
	case !s.star && !s.any:
		return !literal || p.lit == s.lit
	case free || !literal:
		return true
	case p.lit == '/':
		return false
	}
	first := begun == 0 && (j == 0 || o[j-1].lit == '/')
	return !first || p.lit != '.'
}
