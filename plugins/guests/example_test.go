package guests_test

import (
	"fmt"

	guestmodule "github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/guests"
)

func Example() {
	for _, name := range guests.Names() {
		module, problems := guestmodule.Read(guests.Module(name), guestmodule.Options{})
		fmt.Println(name, problems == nil && module.Manifest.Name == name)
	}
	// Output:
	// cel true
	// denylist true
	// destructive true
	// intent true
	// links true
	// pii true
	// secrets true
	// two-person true
}
