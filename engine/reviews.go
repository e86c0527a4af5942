package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// reviews counts what reviewers said in one session. A program that is refused again and again is probing, and every
// refusal teaches it; so after three in a row, or ten of the last fifty, the person is asked instead.
type reviews struct {
	row int // denials since the last allow
	// At most reviewWindow. Row may be larger than the denials at its end, when the window has dropped some.
	last []bool // the latest reviews, true for a denial
}

const (
	mostDenialsInRow = 3
	mostDenials      = 10
	reviewWindow     = 50
)

// count takes one review, in the order in which they were given.
func (r *reviews) count(denied bool) {
	if r.row++; !denied {
		r.row = 0
	}
	r.last = append(r.last, denied)
	r.last = r.last[max(0, len(r.last)-reviewWindow):]
}

// tripped reports whether the person must be asked. Both bounds are needed: a program that is allowed a harmless call
// between two others breaks every row.
func (r reviews) tripped() bool {
	denials := 0
	for _, denied := range r.last {
		if denied {
			denials++
		}
	}
	return r.row >= mostDenialsInRow || denials >= mostDenials
}

// String spells what was counted for a saved session: a letter for each of the latest reviews, d for a denial, and |
// where the person ended a row of them. Example: "ad|d" is an allow, a denial after which the person agreed, and one
// more denial. A row of two from the beginning is "|dd".
func (r reviews) String() string {
	b := make([]byte, 0, len(r.last)+1)
	for i, denied := range r.last {
		if i == len(r.last)-r.row {
			b = append(b, '|')
		}
		letter := byte('a')
		if denied {
			letter = 'd'
		}
		b = append(b, letter)
	}
	if r.row == 0 {
		b = append(b, '|')
	}
	return string(b)
}

// agreed ends a row of denials after which the person has agreed to a question. Ten of the last fifty stay ten. Only
// the reason reviews_stopped counts: the person has then agreed to the very question that a reviewer was not asked.
func (r *reviews) agreed(because []elicit.Reason) {
	stopped := func(r elicit.Reason) bool { return r.Code == "reviews_stopped" }
	if slices.ContainsFunc(because, stopped) {
		r.row = 0
	}
}

// readReviews reads what String wrote; what is neither an allow nor a person's yes counts as a denial.
func readReviews(s string) (r reviews) {
	for _, c := range s[max(0, len(s)-reviewWindow-1):] {
		if c == '|' {
			r.row = 0
		} else {
			r.count(c != 'a')
		}
	}
	return r
}
