// Package pattern matches the regular expressions of JSON Schema, which are those of ECMA-262 with the u flag, in time
// linear in the text. A pattern comes from a peer: no pattern can make a match take longer than length × size.
// Constructs that have no such machine (back-references, look-behind, look-ahead anywhere but at the start) are refused
// by name.
//
// # The language
//
// Characters are code points, and text is UTF-8. A pattern without anchors matches anywhere in the text; ^ and $ are
// the ends of the text. \d and \w are ASCII, \s and . are those of ECMA-262. \p{…} knows the general categories L, Lu,
// Ll, M, N, Nd, P and Zs. Groups of every kind only group. Lazy quantifiers match the same texts as eager ones. Where
// the u flag forbids a spelling that has one meaning in the older grammar, that meaning holds: an escaped punctuation
// mark, a { } or ] that opens or closes nothing, a - beside \w in a class.
//
// # The machines
//
// Most patterns are a sequence of repeated classes in which every step is decided by the next character. They run on a
// table of classes and counts (chain). Other patterns run on the set of positions that may come next: up to 62
// positions in one machine word (narrow), more in a list (wide).
//
// # From a text to an answer
//
// Compile turns a text into a Pattern in these steps:
//
//	compileStraight   reads most patterns directly into one chain, without a tree
//	parser            reads the others into a tree of nodes; it stops at the first fault
//	builder           takes look-aheads off the front, and chooses a machine for each part that is left
//	program           writes repetitions out and collects the ways from position to position
//
// ^[a-z]+@[a-z]+$ is one chain of three runs. ^(?=.*[0-9]).{8,64}$ is a conjunction: ^.*[0-9] must match, and
// so must ^.{8,64}$. (cat|dog)s? is a choice of two chains. ([a-z]|-)+x needs a narrow machine.
//
// # Why the time is linear
//
// A position is one character of the pattern with its repetitions written out: ab{2}c has four. A machine knows
// the set of positions that may have read the last character, and the next character leads to the next set. The
// set is all that a machine remembers, so it never goes back in the text. A chain goes back by at most the
// length that it can match, which MaxPositions bounds.
//
// The limits hold at compile time. After that, a character costs at most one step for each position of a narrow
// machine, for each way of a wide one, and for each character that the chains may read from one place.
package pattern

// These are the limits of one pattern. A pattern comes from a peer, so each bound keeps one cost of Compile in
// hand: memory for positions and ranges, time for repetitions in each other, and the stack for groups in each
// other.
const (
	MaxBytes     = 4 << 10 // of the pattern's text
	MaxPositions = 1_000   // characters to match, with counted repetitions written out
	maxEdges     = 4 << 10 // ways from one position to the next
	maxWork      = 64 << 10
	maxDepth     = 100 // of groups
	maxRanges    = 4 << 10
)

// Pattern is a compiled pattern. It is immutable and safe to share. Example: a|^(?!b)c has two elements in
// either. The first is the machine of a. The second is the machine of ^b, negated, and the machine of ^c.
type Pattern struct {
	either []all // the pattern matches if one of these does
	size   int
}

// all is a conjunction: look-aheads at the start of the text, and the part after them. A condition with not
// holds if its machine does not match.
type all []condition

// condition is one search that must succeed, or fail if not is set.
type condition struct {
	machine
	not bool
}

// machine searches a text. Exactly one of its members is set. It is not an interface, so that the text may stay on the
// stack.
type machine struct {
	chains *chains
	narrow *narrow
	wide   *wide
}

func (m machine) match(text []byte) bool {
	switch {
	case m.chains != nil:
		return m.chains.match(text)
	case m.narrow != nil:
		return m.narrow.match(text)
	}
	return m.wide.match(text)
}

// Fault says why a pattern cannot be used. The values of What for Invalid are: unopened_group, unclosed_group,
// unclosed_class, unknown_group, bad_group_name, nothing_to_repeat, bad_repetition, bad_range and bad_escape.
// Those for Unsupported are: back_reference, look_behind, look_ahead, negative_look_ahead, inline_flags, and
// the text of a \p{…}.
type Fault struct {
	Code   string // "pattern_invalid", "pattern_unsupported" or "pattern_too_large"
	What   string // what is wrong with it, or the construct that is not supported
	Offset int    // byte offset of the fault in the pattern
}

// These are the codes of a Fault.
const (
	Invalid     = "pattern_invalid"
	Unsupported = "pattern_unsupported"
	TooLarge    = "pattern_too_large"
)

// Compile reads a pattern. Exactly one of the results is non-nil. Its work is bounded for every text. The text
// is decoded, without the escapes of JSON. TooLarge has no What. A pattern is not anchored: "a" occurs in
// "cat".
func Compile(text string) (*Pattern, *Fault) {
	if len(text) > MaxBytes {
		return nil, &Fault{TooLarge, "", MaxBytes}
	}
	if p := compileStraight(text); p != nil {
		return p, nil
	}
	p := parser{text: text}
	p.nodes = make([]node, 0, 8+len(text))
	p.classes.list = make([]class, 0, 8)
	root := p.alternation(0)
	// The alternation ends only at the end of the text or at a closing parenthesis, and no group is open here.
	if p.fault == nil && p.at < len(text) {
		p.fail(Invalid, "unopened_group", p.at)
	}
	if p.fault != nil {
		return nil, p.fault
	}
	b := builder{tree: &p}
	return b.pattern(root)
}

// Match reports whether the pattern occurs in text, which must be UTF-8. It does not allocate. It may be called
// from several goroutines at once, because all state is on the stack.
func (p *Pattern) Match(text []byte) bool {
	for _, conditions := range p.either {
		if conditions.match(text) {
			return true
		}
	}
	return false
}

// Size returns the most steps that one character of a text may cost: the positions of a narrow machine, the
// ways of a wide one, and the characters that a search with chains may read from one place. It is never below
// the number of runs or positions, so it also measures memory.
func (p *Pattern) Size() int { return p.size }

// match tries the conditions in the order of the pattern and stops at the first one that does not hold.
func (a all) match(text []byte) bool {
	for i := range a {
		if a[i].match(text) == a[i].not {
			return false
		}
	}
	return true
}
