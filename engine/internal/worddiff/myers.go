package worddiff

import "slices"

// pair is a token that stays, by its place in either text.
type pair struct{ a, b int }

// common finds the tokens that stay under the shortest list of changes. It follows E. Myers, "An O(ND)
// Difference Algorithm and Its Variations" (1986): reach holds, for every diagonal, how far d changes lead. It
// gives up after MaxEdits changes and when no steps are left. k is a diagonal: x tokens of a and x-k tokens of
// b are behind. reach[middle+k] is the largest x on it, so y is x-k. Each change moves to a neighbour diagonal:
// a token that is gone to k+1, a new one to k-1. Equal tokens then cost nothing.
//
// Only each second diagonal can be reached with d changes, so trace keeps d+1 numbers for each d. ok is false
// if it gave up.
func common(a, b []token, steps *int) ([]pair, bool) {
	most := min(len(a)+len(b), MaxEdits)
	reach := make([]int32, 2*most+3)
	middle := most + 1
	var trace [][]int32 // reach after d changes, for the diagonals -d, -d+2, …, d
	for d := 0; d <= most; d++ {
		now := make([]int32, 0, d+1)
		for k := -d; k <= d; k += 2 {
			x := 0
			switch {
			case d == 0:
			// Take the neighbour that leads farther. From k+1 comes a new token, which does not move x.
			case k == -d || k != d && reach[middle+k-1] < reach[middle+k+1]:
				x = int(reach[middle+k+1])
			default:
				x = int(reach[middle+k-1]) + 1
			}
			from := x
			for x < len(a) && x-k < len(b) && a[x].id == b[x-k].id {
				x++
			}
			// A step is one diagonal or one equal token, so the texts cannot make a step long.
			if *steps -= x - from + 1; *steps < 0 {
				return nil, false
			}
			reach[middle+k] = int32(x)
			now = append(now, int32(x))
			if x >= len(a) && x-k >= len(b) {
				return walk(trace, len(a), len(b)), true
			}
		}
		trace = append(trace, now)
	}
	return nil, false
}

// walk goes back from the end and collects the tokens that stay. trace[d-1] is what common knew before the d-th
// change. (k+d-1)/2 is the place of diagonal k in it. The pairs come out from the last to the first and are
// turned round.
func walk(trace [][]int32, x, y int) (kept []pair) {
	for d := len(trace); d > 0; d-- {
		before, k := trace[d-1], x-y
		at := func(k int) int32 { return before[(k+d-1)/2] }
		down := k == -d || k != d && at(k-1) < at(k+1)
		fromX, fromK := 0, k-1
		if down {
			fromK = k + 1
		}
		fromX = int(at(fromK))
		begin := fromX
		if !down {
			begin++
		}
		for ; x > begin; x, y = x-1, y-1 {
			kept = append(kept, pair{x - 1, y - 1})
		}
		x, y = fromX, fromX-fromK
	}
	for ; x > 0; x, y = x-1, y-1 {
		kept = append(kept, pair{x - 1, y - 1})
	}
	slices.Reverse(kept)
	return kept
}
