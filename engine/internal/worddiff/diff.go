// Package worddiff compares two texts word by word: what stays, what is gone and what is new. It is for texts that a
// person reads, such as two questions of the same server. The work is bounded, so the texts may be hostile.
//
// # An example
//
//	old   Delete the 3 files in /tmp/a?
//	new   Delete the 5 files in /tmp/b?
//
//	Same "Delete the "  Gone "3"  New "5"  Same " files in /tmp/"  Gone "a"  New "b"  Same "?"
//
// # Steps
//
// words.go cuts both texts into tokens and numbers them, so that comparing two tokens is comparing two numbers.
// diff.go sets aside what both texts begin and end with, and writes the pieces. myers.go finds the shortest
// list of changes of the rest. The texts are UTF-8, and a broken byte is a token like any other.
package worddiff

import "strings"

// Is says what became of a piece of text.
type Is uint8

// A piece is in both texts, only in the old one, or only in the new one.
const (
	Same Is = iota
	Gone
	New
)

// Piece is a part of one or both texts. Text is not empty. It shares the memory of one of the two texts.
type Piece struct {
	Is   Is
	Text string
}

// MaxEdits is the most tokens that may be gone or new between texts that are almost the same. The work of a
// comparison grows with the square of the changes.
const MaxEdits = 512

// Compare returns the pieces of two texts that are almost the same: the texts differ, and the shortest list of changes
// leaves at least half of the words of the longer text in place. A word is a run of letters, digits and underscores, or
// any other single character that is no white space. The pieces that are Same or New make up the new text, and those
// that are Same or Gone the old one. Of neighbours, Gone comes before New.
//
// It returns nil for texts that are not almost the same, or that take more than MaxEdits changes. Every
// comparison takes steps from the given allowance; when none are left, Compare returns nil. steps is shared by
// all comparisons of one question, and Compare takes from it even if it returns nil. A caller with many old
// texts can therefore not be made to work without end.
func Compare(old, new string, steps *int) []Piece {
	if old == new {
		return nil
	}
	n := names{}
	a, b := n.split(old), n.split(new)
	*steps -= len(a) + len(b)
	least := max(1, (max(words(a), words(b))+1)/2)
	// This test is linear. Most texts that are not almost the same fail it, so the costly part never sees them.
	if !mayShare(a, b, len(n), least) {
		return nil
	}
	// A shortest list of changes exists that keeps the common beginning and end. Only the middle is left to
	// search.
	head := 0
	for head < len(a) && head < len(b) && a[head].id == b[head].id {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail].id == b[len(b)-1-tail].id {
		tail++
	}
	kept, ok := common(a[head:len(a)-tail], b[head:len(b)-tail], steps)
	if !ok {
		return nil
	}
	// White space does not count, or two texts of other words with as many spaces would be almost the same.
	shared := words(a[:head]) + words(a[len(a)-tail:])
	for _, k := range kept {
		if a[head+k.a].class != space {
			shared++
		}
	}
	if shared < least {
		return nil
	}
	w := writer{old: old, new: new}
	w.take(a, b, 0, 0, head)
	for _, k := range kept {
		w.take(a, b, head+k.a, head+k.b, 1)
	}
	w.take(a, b, len(a)-tail, len(b)-tail, tail)
	w.change(len(old), len(new))
	return w.pieces
}

// mayShare reports whether the texts have so many words in common if their order does not matter. count goes
// down to 0 for each token that has a partner, so a word that stands twice in b needs two in a.
func mayShare(a, b []token, ids, least int) bool {
	count, shared := make([]int32, ids), 0
	for i := range a {
		count[a[i].id]++
	}
	for i := range b {
		if count[b[i].id]--; count[b[i].id] >= 0 && b[i].class != space {
			shared++
		}
	}
	return shared >= least
}

// writer makes pieces of two texts from left to right. The texts up to a and b are in pieces. A piece that
// stays is cut from the new text.
type writer struct {
	old, new     string
	a, b         int // how much of the texts is in pieces
	pieces       []Piece
	oldAt, newAt int // where the run of changes began
}

// take adds n tokens that stay, from i in a and j in b, and before them what has changed.
func (w *writer) take(a, b []token, i, j, n int) {
	if n == 0 {
		return
	}
	w.change(a[i].start, b[j].start)
	end := b[j+n-1].end
	w.same(w.new[w.b:end])
	w.a, w.b = a[i+n-1].end, end
}

// same adds a piece that stays, or makes the last piece longer if that stays too. text begins at w.b in the new
// text.
func (w *writer) same(text string) {
	if last := len(w.pieces) - 1; last >= 0 && w.pieces[last].Is == Same {
		w.pieces[last].Text = w.new[w.b-len(w.pieces[last].Text) : w.b+len(text)]
		return
	}
	w.pieces = append(w.pieces, Piece{Same, text})
}

// change adds what is gone and what is new up to the given places. A piece that stays between two changes and has no
// word is part of the change: a person reads one changed path more easily than the changed names in it.
func (w *writer) change(oldEnd, newEnd int) {
	if w.a == oldEnd && w.b == newEnd {
		return
	}
	if last := len(w.pieces) - 1; last > 0 && w.pieces[last].Is == Same && wordless(w.pieces[last].Text) {
		// Drop the piece that stays and the change before it. oldAt and newAt are still where that change
		// began, so the new change covers all three.
		for last--; last >= 0 && w.pieces[last].Is != Same; last-- {
		}
		w.pieces = w.pieces[:last+1]
	} else {
		w.oldAt, w.newAt = w.a, w.b
	}
	if w.oldAt < oldEnd {
		w.pieces = append(w.pieces, Piece{Gone, w.old[w.oldAt:oldEnd]})
	}
	if w.newAt < newEnd {
		w.pieces = append(w.pieces, Piece{New, w.new[w.newAt:newEnd]})
	}
	w.a, w.b = oldEnd, newEnd
}

// wordless reports whether a text has no word of letters and no end of a line. A slash or a hyphen between two
// changes has no word. A new line separates, so the changes around it stay apart.
func wordless(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		c, _ := classOf(r)
		return c == word || r == '\n'
	})
}
