package meter

// The specification leaves one result to the engine: the bits of a NaN. wazero's compiler and its interpreter differ
// there. The two compilers inside V8 differ too, and one run may use both for the same function. A guest that looks at
// these bits would give verdicts that do not repeat. Wherever arithmetic can make a NaN, the rewriter therefore
// replaces it by the canonical one. Operators that only move values leave their bits alone.

// markNaN is put behind an operator whose result may be a NaN; arg is the type.
const markNaN markKind = markTableGrow + 1

// makesNaN names the operators whose NaNs have bits of the engine's choice. abs, neg and copysign are defined to the
// bit.
func makesNaN(op byte) bool {
	return op >= 0x8d && op <= 0x97 || op >= 0x9b && op <= 0xa5 || op == 0xb6 || op == 0xbb
}

// canonical makes the result of the present instruction canonical, unless the next one takes it and cannot distinguish
// NaNs. These are arithmetic, whose own result becomes canonical, comparisons, truncations and drop.
func (c *checker) canonical(of byte) {
	if c.r.at < c.r.end {
		next := c.r.src[c.r.at]
		truncates := next >= 0xa8 && next <= 0xab || next >= 0xae && next <= 0xb1
		if makesNaN(next) || truncates || next == 0x1a || next >= 0x5b && next <= 0x66 {
			return
		}
	}
	c.floats[of&1] = true
	c.mark(c.r.at, 0, markNaN, int(of))
}

// declareFloats declares the locals that canonical results are kept in, one for each type that needs it, and returns
// how many; they stand behind the spare one.
func (w *code) declareFloats(c *checker) {
	for _, of := range [...]byte{f32, f64} {
		if c.floats[of&1] {
			w.b = append(w.b, 1, of)
		}
	}
}

func (f *flow) floatTypes() (count int) {
	for _, used := range f.floats {
		if used {
			count++
		}
	}
	return count
}

// makeCanonical leaves the float on top of the stack as it is, or the canonical NaN when it is one. There is no branch
// in it, and engines' compilers take time by the branches.
func (w *code) makeCanonical(c *checker, of byte) {
	kept, equal := w.spare+1, byte(0x5b)
	if of == f64 {
		kept, equal = w.spare+c.floatTypes(), 0x61
	}
	w.local(0x22, kept)
	if of == f64 {
		w.op(0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)
	} else {
		w.op(0x43, 0, 0, 0xc0, 0x7f)
	}
	w.local(0x20, kept)
	w.local(0x20, kept)
	w.op(equal, 0x1b)
}
