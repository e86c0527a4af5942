package attack_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/tck/attack"
)

func Example() {
	refused := 0
	for _, m := range attack.All() {
		if m.Refused != "" {
			refused++
		}
	}
	fmt.Println(len(attack.All()), "guests,", refused, "of them must be refused")
	// Output: 484 guests, 80 of them must be refused
}
