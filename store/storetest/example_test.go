package storetest_test

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

// One rule, held against a store.
func ExampleRule() {
	first := memory.New()
	rule := storetest.Rules()[0]
	fmt.Println(rule.Text)
	fmt.Println(rule.Check(context.Background(), func() store.Store { return first.Handle() }))
	// Output:
	// Load returns what was committed last
	// <nil>
}
