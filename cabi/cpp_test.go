package main

import (
	"os/exec"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestCPlusPlus tests elicit.hpp without exceptions, with every vector, and with exceptions and under sanitizers, with
// some vectors and with all at night.
func TestCPlusPlus(t *testing.T) {
	t.Parallel()
	every := vectors.Read(t)
	some := vectors.Some(every)
	for _, c := range []struct {
		build
		flags []string
		list  []vectors.Vector
	}{
		{plain, []string{"-std=c++17", "-fno-exceptions", "-fno-rtti"}, every},
		{plain, []string{"-std=c++20", "-DELICIT_EXCEPTIONS"}, some},
		{address, []string{"-std=c++17", "-DELICIT_EXCEPTIONS"}, some},
	} {
		t.Run(c.name+c.flags[0], func(t *testing.T) {
			t.Parallel()
			c.sanitized(t)
			b := build{name: c.name, library: c.library, program: append(c.flags, c.program...)}
			program := b.compiled(t, "../bindings/cpp/test/contract.cpp")
			if out, err := exec.Command(program).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("vectors through C++: %d", served(t, exec.Command(program, "vectors"), c.list))
		})
	}
}
