package worddiff

import (
	"math/rand"
	"testing"
)

// TestCommonIsLongest compares with the length of the longest common subsequence, which a table finds.
func TestCommonIsLongest(t *testing.T) {
	for seed := range int64(5000) {
		r := rand.New(rand.NewSource(seed))
		tokens := func() []token {
			list := make([]token, r.Intn(40))
			for i := range list {
				list[i].id = int32(r.Intn(1 + r.Intn(6)))
			}
			return list
		}
		a, b, steps := tokens(), tokens(), 1<<20
		best := make([][]int, len(a)+1)
		for i := range best {
			best[i] = make([]int, len(b)+1)
		}
		for i := range a {
			for j := range b {
				if best[i+1][j+1] = max(best[i][j+1], best[i+1][j]); a[i].id == b[j].id {
					best[i+1][j+1] = best[i][j] + 1
				}
			}
		}
		kept, ok := common(a, b, &steps)
		if !ok || len(kept) != best[len(a)][len(b)] {
			t.Fatalf("seed %d: %d tokens stay, want %d", seed, len(kept), best[len(a)][len(b)])
		}
		last := pair{-1, -1}
		for _, k := range kept {
			if k.a <= last.a || k.b <= last.b || a[k.a].id != b[k.b].id {
				t.Fatalf("seed %d: %v", seed, kept)
			}
			last = k
		}
	}
}
