// Package order sorts. slices.SortStableFunc is compiled again for every type, about 12 KB of Wasm each; Stable is much
// smaller. Callers that may not allocate use the standard library.
//
// The compare functions return a negative number if a comes before b, 0 if they are equal, and a positive one
// otherwise, as those of the standard library do. Equal elements keep their order, so the result never depends
// on the algorithm.
package order

// few is how many elements are sorted by insertion, which needs no memory.
const few = 12

// Stable sorts list by compare and keeps the order of equal elements. It makes n log n comparisons. For more than a few
// elements it allocates memory for n of them. Insertion sorts runs of few elements, and merges double them. compare
// must be a total order up to equal elements.
func Stable[T any](list []T, compare func(a, b T) int) {
	for start := 0; start < len(list); start += few {
		insert(list[start:min(start+few, len(list))], compare)
	}
	if len(list) <= few {
		return
	}
	from, to := list, make([]T, len(list))
	for width := few; width < len(list); width *= 2 {
		for start := 0; start < len(list); start += 2 * width {
			middle, end := min(start+width, len(list)), min(start+2*width, len(list))
			merge(to[start:end], from[start:middle], from[middle:end], compare)
		}
		from, to = to, from
	}
	copy(list, from)
}

// insert sorts a short list by insertion. An element passes only those that are greater, never an equal one.
func insert[T any](list []T, compare func(a, b T) int) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && compare(list[j-1], list[j]) > 0; j-- {
			list[j-1], list[j] = list[j], list[j-1]
		}
	}
}

// merge fills to from two sorted lists. Of equal elements, that of a comes first, because a stood before b.
func merge[T any](to, a, b []T, compare func(a, b T) int) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}
