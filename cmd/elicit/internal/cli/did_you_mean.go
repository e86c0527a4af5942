package cli

import (
	"fmt"
	"strings"
)

// DidYouMean is the part of a sentence that names the known word nearest to a wrong one, or "".
func DidYouMean(word string, known []string) string {
	if meant := nearest(word, known); meant != "" {
		return fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return ""
}

// nearest returns the known word that a wrong one probably stands for, or "". A third of the letters may be wrong, and
// at most three. A word that is only the beginning of a known one stands for it.
func nearest(word string, known []string) (best string) {
	if len(word) > 100 {
		return ""
	}
	least := min(3, (len(word)+2)/3) + 1
	for _, candidate := range known {
		if n := distance(word, candidate); n < least {
			best, least = candidate, n
		}
	}
	for _, candidate := range known {
		if best == "" && len(word) > 2 && strings.HasPrefix(candidate, word) {
			best = candidate
		}
	}
	return best
}

// distance counts the letters to insert, remove, replace or exchange with their neighbour to make b of a.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
