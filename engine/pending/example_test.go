package pending_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A table decides whose turn it is and when a request is over. It has no clock: every call says the time.
func ExampleTable() {
	table := pending.New(pending.Limits{Queue: 2, Shown: 1, PerMinute: 60, Burst: 10, AnswerTTL: 5000})
	ids := []elicit.ID{"00000000000000000000000000000001", "00000000000000000000000000000002"}
	for i, id := range ids {
		table.Hold(pending.Item{ID: id, Session: "s", Server: "backup"}, int64(1000*i))
	}
	for _, item := range table.Next(0) {
		fmt.Println("shown:", item.ID == ids[0])
	}
	table.Settle(ids[0], elicit.Accepted, elicit.ByUser)
	for _, item := range table.Next(0) {
		fmt.Println("next shown:", item.ID == ids[1], "until", item.Deadline)
	}
	fmt.Println("wake at", table.Wake(), "due then:", len(table.Due(table.Wake())))
	// Output:
	// shown: true
	// next shown: true until 6000
	// wake at 6000 due then: 1
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "step") }
