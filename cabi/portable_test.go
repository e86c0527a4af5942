package main

import (
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestPortable runs the contract, the vectors and the vectors of connections with the libraries of a release. They are
// for an old glibc, and the one for arm64 runs in an emulator.
func TestPortable(t *testing.T) {
	vectors.Night(t)
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			b := build{name: "old-" + arch, arch: arch, program: []string{"-std=c11"}} // which its headers want
			b.contract(t)
			b.loops(t)
			t.Logf("vectors through C on %s: %d", arch, b.vectors(t, vectors.Read(t)))
		})
	}
}
