package meter_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// A module that is not WebAssembly is refused, and the refusal says where.
func ExampleRewrite() {
	rewritten, refusal := meter.Rewrite([]byte("\x00asm\x01\x00\x00\x00"), meter.DefaultLimits())
	fmt.Println(len(rewritten) > 0, refusal == nil)
	_, refusal = meter.Rewrite([]byte("#!/bin/sh"), meter.DefaultLimits())
	fmt.Println(refusal.Code)
	// Output:
	// true true
	// malformed_module
}
