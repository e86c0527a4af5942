package main

import (
	"os/exec"
	"testing"
)

// TestCPlusPlus tests elicit.hpp without exceptions, with exceptions, and under sanitizers with every vector.
func TestCPlusPlus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		build
		flags []string
	}{
		{plain, []string{"-std=c++17", "-fno-exceptions", "-fno-rtti"}},
		{plain, []string{"-std=c++20", "-DELICIT_EXCEPTIONS"}},
		{address, []string{"-std=c++17", "-DELICIT_EXCEPTIONS"}},
	} {
		t.Run(c.name+c.flags[0], func(t *testing.T) {
			t.Parallel()
			c.sanitized(t)
			b := build{name: c.name, library: c.library, program: append(c.flags, c.program...)}
			program := b.compiled(t, "../bindings/cpp/test/contract.cpp")
			if out, err := exec.Command(program).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("vectors through C++: %d", served(t, exec.Command(program, "vectors")))
		})
	}
}
