package pending_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// A table decides whose turn it is and when a request is over. It has no clock: every call says the time.
func ExampleTable() {
	table := pending.New(pending.Limits{Queue: 2, Shown: 1, PerMinute: 60, Burst: 10, AnswerTTL: 5000})
	ids := []elicit.ID{"00000000000000000000000000000001", "00000000000000000000000000000002"}
	for i, id := range ids {
		table.Hold(pending.Item{ID: id, Session: "s", Server: "backup", Ref: fmt.Sprint(i)}, int64(1000*i))
	}
	for _, item := range table.Next() {
		fmt.Println("shown:", item.Ref)
	}
	table.Settle(ids[0], elicit.Accepted, elicit.ByUser)
	for _, item := range table.Next() {
		fmt.Println("shown:", item.Ref, "until", item.Deadline)
	}
	fmt.Println("wake at", table.Wake(), "due then:", len(table.Due(table.Wake())))
	// Output:
	// shown: 0
	// shown: 1 until 6000
	// wake at 6000 due then: 1
}
