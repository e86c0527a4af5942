package tck_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/tck"
)

// The kit is data: guests that mean harm, and what must come of each question to them. Run puts the cases to a host.
func ExampleKits() {
	for name, kit := range tck.Kits() {
		if len(kit.Cases) == 0 {
			fmt.Println(name, "has no cases")
		}
	}
	fmt.Println(len(tck.Kits()) > 0)
	// Output: true
}
