package main

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/schema"
)

// The benchmark for the profile in docs/reference/performance.md: go test -bench Fresh -cpuprofile fresh.cpu
// -memprofile fresh.mem
func BenchmarkFresh(b *testing.B) {
	h, q := newHost(), newSerials()
	b.ReportAllocs()
	for b.Loop() {
		h.elicit(q.next(), rightAnswer)
	}
}
func BenchmarkSeen(b *testing.B) {
	h, q := newHost(), createMessage(formText)
	b.ReportAllocs()
	for b.Loop() {
		h.elicit(q, rightAnswer)
	}
}
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		schema.Compile(formText, schema.Options{})
	}
}
func BenchmarkCheck(b *testing.B) {
	f, _ := schema.Compile(formText, schema.Options{})
	b.ReportAllocs()
	for b.Loop() {
		f.Check(rightAnswer)
	}
}
