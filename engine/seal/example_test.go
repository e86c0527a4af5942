package seal_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine/seal"
)

// A server seals what it needs to go on, and opens it when the client repeats the call. The log gets the code, and the
// peer one text for every reason.
func Example() {
	secret := bytes.Repeat([]byte{42}, 32) // of your secret store; 32 random bytes
	key, err := seal.NewKey("2026-11", secret)
	if err != nil {
		panic(err)
	}
	ring, err := seal.NewRing(key)
	if err != nil {
		panic(err)
	}
	arguments, _ := seal.Digest([]byte(`{"env":"prod"}`))
	random := [32]byte{1, 2, 3} // of the step
	token, err := ring.Seal(nil, random, seal.State, seal.Claims{
		ID: seal.ID(random, seal.State, 0), Principal: "alice", Method: "tools/call", Target: "deploy", Audience: "ops",
		Arguments: arguments, IssuedAt: 1000, ExpiresAt: 601_000, Body: []byte("the first answer"),
	})
	if err != nil {
		panic(err)
	}

	request := seal.Expected{Principal: "alice", Method: "tools/call", Target: "deploy", Audience: "ops",
		Arguments: arguments, Now: 30_000}
	claims, problem := ring.Open(token, seal.State, request)
	fmt.Printf("%s %v\n", claims.Body, problem)

	request.Principal = "mallory"
	_, problem = ring.Open(token, seal.State, request)
	fmt.Println(problem.Code)
	fmt.Println(ring)
	// Output:
	// the first answer <nil>
	// seal_wrong_principal
	// ring of "2026-11"
}
