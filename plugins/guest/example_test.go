package guest_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/guest"
)

// Read says everything that keeps a module from being a guardian.
func ExampleRead() {
	_, problems := guest.Read([]byte("\x00asm\x01\x00\x00\x00"), guest.Options{})
	for _, p := range problems {
		fmt.Println(p.Code)
	}
	// Output:
	// missing_export
	// missing_export
	// missing_export
	// missing_export
	// abi_missing
	// manifest_missing
}
