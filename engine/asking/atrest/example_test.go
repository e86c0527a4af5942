package atrest_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine/asking/atrest"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/seal"
)

// A state is opened as the state of its session and version, and as nothing else.
func Example() {
	names, _ := seal.NewKey("names", bytes.Repeat([]byte{1}, 32)) // from your secrets
	key, _ := seal.NewKey("2026-11", bytes.Repeat([]byte{2}, 32))
	keys, _ := seal.NewRing(key)
	ring, err := atrest.New(names, keys)
	if err != nil {
		fmt.Println(err)
		return
	}
	random := [32]byte{3} // new for each change
	sealed := ring.Change(stored.Change{Session: "s-1", State: []byte("asked")}, 7, random)
	state, err := ring.State(sealed.State, "s-1", 7)
	fmt.Printf("%s %v\n", state, err)
	_, err = ring.State(sealed.State, "s-2", 7)
	fmt.Println(err)
	fmt.Println(ring.Name(sealed.Session))
	// Output:
	// asked <nil>
	// encrypted: the store holds something that was changed or moved
	// s-1 <nil>
}
