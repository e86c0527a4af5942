package host

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// BenchmarkEvaluate is the cost of an evaluation that does next to nothing, and of one in standard Go.
func BenchmarkEvaluate(b *testing.B) {
	for name, h := range hosts(b) {
		for _, pages := range []int{1, 17, 32} {
			m := assemble.Saying(pass)
			m.Pages = pages
			e := Evaluation{Digest: load(b, h, m.Bytes(), false), Question: make([]byte, 1024)}
			b.Run(fmt.Sprintf("%s/%d pages", name, pages), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if r := h.Evaluate(e); r.Fault != "" {
						b.Fatal(r.Fault)
					}
				}
			})
		}
	}
}

// BenchmarkLoad is the cost of the first sight of a guest.
func BenchmarkLoad(b *testing.B) {
	src := assemble.Saying(pass).Bytes()
	for name, h := range hosts(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h.forget(load(b, h, src, false))
			}
		})
	}
}

// BenchmarkFresh is BenchmarkEvaluate without instances that serve again.
func BenchmarkFresh(b *testing.B) {
	for name, h := range hosts(b) {
		for _, pages := range []int{1, 17, 32} {
			m := assemble.Saying(pass)
			m.Pages = pages
			m.Start = m.Func("", "", "", nil)
			e := Evaluation{Digest: load(b, h, m.Bytes(), false), Question: make([]byte, 1024)}
			b.Run(fmt.Sprintf("%s/%d pages", name, pages), func(b *testing.B) {
				for b.Loop() {
					if r := h.Evaluate(e); r.Fault != "" {
						b.Fatal(r.Fault)
					}
				}
			})
		}
	}
}
