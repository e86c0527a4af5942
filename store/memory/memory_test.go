package memory_test

import (
	"testing"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) func() store.Store {
		first := memory.New()
		return func() store.Store { return first.Handle() }
	})
}
