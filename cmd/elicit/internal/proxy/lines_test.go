package proxy

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// rough reads in pieces of any size, as a pipe does.
type rough struct {
	rng  *rand.Rand
	left []byte
}

func (r *rough) Read(p []byte) (int, error) {
	n := copy(p, r.left[:min(len(r.left), 1+r.rng.IntN(1<<r.rng.IntN(18)))])
	if r.left = r.left[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestLinesAreCutWhole compares the reader with bytes.SplitAfter, for lines of every size around its bounds. Each batch
// is looked at while the next one is read.
func TestLinesAreCutWhole(t *testing.T) {
	const most = 150_000
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var text []byte
		for range rng.IntN(60) {
			size := rng.IntN(1 << rng.IntN(19))
			if rng.IntN(8) == 0 {
				size = []int{0, chunk - 1, chunk, chunk / 2, chunk/2 + 1, most - 2, most - 1, most}[rng.IntN(8)]
			}
			text = append(bytes.Clone(text), bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, size)...)
			text = append(text, '\n')
		}
		if rng.IntN(2) == 0 {
			text = append(text, "half a line"...)
		}
		r := newLineReader(&rough{rng, text}, most)
		var got []line
		held := r.batch()
		for !held[len(held)-1].end {
			next := r.batch()
			got = append(got, held...)
			held = next
		}
		got = append(got, held...)
		for _, want := range bytes.SplitAfter(text, []byte{'\n'}) {
			if len(want) == 0 {
				continue
			}
			l := got[0]
			got = got[1:]
			if over := len(want) > most; l.over != over {
				t.Fatalf("seed %d: a line of %d bytes is over: %v", seed, len(want), l.over)
			} else if over {
				want = want[:headLength]
			}
			if !bytes.Equal(l.raw, want) {
				t.Fatalf("seed %d: a line of %d bytes comes as one of %d", seed, len(want), len(l.raw))
			}
		}
		if len(got) != 1 || !got[0].end {
			t.Fatalf("seed %d: %d lines are left, want the end", seed, len(got))
		}
	}
}
