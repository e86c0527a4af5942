package store

import (
	"iter"
	"math"

	"github.com/elicit-engine/elicit/engine/asking/stored"
)

// Newer compares two entries in the order of History.
func Newer(a, b *Entry) int { return stored.Newer(a, b) }

// Records yields a journal after a version, for implementations of Journal. The function reads some records that come
// after the last one by version and index, and none at the end. It may read earlier ones too. Nothing stays open
// between two pages.
func Records(after uint64, read func(last Record) ([]Record, error)) iter.Seq2[Record, error] {
	last := Record{Version: min(after, math.MaxInt64), Index: math.MaxInt32}
	return pages(read, last, func(r Record) bool { return r.Version > after }, 0)
}

// Entries yields a history, for implementations of History. The function reads some entries that come after the last
// one in the order of Newer, and none at the end. It may leave out what the query does not select. Nothing stays open
// between two pages.
func Entries(q Query, read func(last Entry) ([]Entry, error)) iter.Seq2[Entry, error] {
	if err := q.Check(); err != nil {
		return func(yield func(Entry, error) bool) { yield(Entry{}, err) }
	}
	last := Entry{At: MaxTime + 1}
	if q.Until != 0 {
		last.At = q.Until // no session is empty, so an entry at Until is not below
	}
	if q.Before != nil && Newer(&last, q.Before) < 0 {
		last = *q.Before
	}
	return pages(read, last, func(e Entry) bool { return q.Matches(&e) }, q.Limit)
}

// pages yields at most limit of the elements that match; 0 all. read returns an empty list only at the end. The last
// element of any other says where the next page begins.
func pages[T any](read func(last T) ([]T, error), last T, matches func(T) bool, limit int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for last, left := last, limit; ; {
			some, err := read(last)
			if err != nil {
				yield(last, err)
				return
			}
			for _, one := range some {
				if last = one; !matches(one) {
					continue
				}
				if left--; !yield(one, nil) || left == 0 {
					return
				}
			}
			if len(some) == 0 {
				return
			}
		}
	}
}
