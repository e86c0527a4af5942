package host_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// A host takes modules that are guardians, and names them by their digest. It cannot ask a guardian that it does not
// hold.
func ExampleHost_Load() {
	h := host.New(host.Options{})
	defer h.Close()
	_, problems := h.Load([]byte("\x00asm\x01\x00\x00\x00"), guest.Options{})
	fmt.Println(problems[0].Code)
	fmt.Println(h.Evaluate(host.Evaluation{Digest: "unknown", Question: []byte("{}")}).Fault)
	// Output:
	// missing_export
	// not_loaded
}
