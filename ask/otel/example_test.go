package otel_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/otel"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// Spans and metrics go where the program sends all of them.
func Example() {
	telemetry, err := otel.New(otel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	asker, err := ask.New(ask.Options{Server: "deploy-bot", Hooks: []ask.Hook{telemetry.Hook},
		Store: store.Observe(memory.New(), telemetry.Call)})
	if err != nil {
		fmt.Println(err)
		return
	}
	asker.Close()
	fmt.Println("measured")
	// Output: measured
}
