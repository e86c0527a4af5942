package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStableIsStable compares with the standard library's stable sort, for every length around the borders of runs and
// merges. It uses few different keys, so that many elements are equal.
func TestStableIsStable(t *testing.T) {
	type item struct{ key, was int }
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		list := make([]item, n)
		for i := range list {
			list[i] = item{random.IntN(7), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, byKey)
		if Stable(list, byKey); !slices.Equal(list, want) {
			t.Fatalf("%d elements:\n got %v\nwant %v", n, list, want)
		}
	}
}

func TestComparisonsAreFew(t *testing.T) {
	const n = 1 << 14
	list, compared := make([]int, n), 0
	for i := range list {
		list[i] = n - i
	}
	Stable(list, func(a, b int) int { compared++; return cmp.Compare(a, b) })
	if most := n * 20; compared > most || !slices.IsSorted(list) {
		t.Errorf("%d comparisons of %d elements, at most %d wanted", compared, n, most)
	}
}
