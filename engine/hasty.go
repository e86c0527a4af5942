package engine

import (
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/policy"
)

// mostHaste is where the count stops. Above it the fact stays the same, so a saved session needs no larger number.
const mostHaste = policy.HastyAnswers

// haste counts the questions that the person accepted in a row, each soon after it was shown. More than
// mostHaste of them count as that many.
type haste int

// answered counts one more answer of the person. One that took its time ends the row: the person reads again.
func (n *haste) answered(quick bool) {
	if !quick {
		*n = 0
		return
	}
	*n = min(*n+1, mostHaste)
}

// isHasty is the fact of that name.
func (n haste) isHasty() bool { return n >= mostHaste }

// answeredSoon reports whether an answer follows soon after a question was shown; shownAt is 0 if that is not known.
// Both times are of the engine's clock. A time that is set back gives no haste: the answer would come before the show.
func answeredSoon(shownAt, at int64) bool {
	return shownAt != 0 && shownAt <= at && at-shownAt < policy.HastyWithin
}

// readHaste reads what a saved session tells of the person. A larger number is cut and no problem. A state of another
// version may count further.
func readHaste(r *strict.Reader, name string) haste { return haste(min(r.Count(name), mostHaste)) }
