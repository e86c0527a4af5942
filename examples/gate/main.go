// Command gate is a server whose tool releases a version. A person passes three gates: where, what and the last yes.
package main

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/examples/internal/example"
)

type release struct {
	Version string `json:"version" description:"the version to release"`
}

type tests struct {
	Passed int    `json:"passed" title:"Tests that passed" min:"0"`
	Failed int    `json:"failed" title:"Tests that failed" min:"0"`
	Note   string `json:"note,omitempty" title:"Note for the log" max:"200"`
}

// handle may run several times for one release: a client of 2026-07-28 makes the call again with each answer. The
// questions that were answered return at once, and the release comes after the last of them.
func handle(ctx context.Context, in release) (string, error) {
	where, err := ask.Choose(ctx, "Where should "+in.Version+" go?",
		[]ask.Choice{{Value: "staging", Title: "Staging"}, {Value: "production", Title: "Production"}})
	if err != nil {
		return "", err
	}
	signed, err := ask.Form[tests](ctx, "How did the tests of "+in.Version+" end?")
	if err != nil {
		return "", err
	}
	if signed.Failed > 0 {
		return "", fmt.Errorf("the gate is closed: %d tests failed", signed.Failed)
	}
	if err := ask.Confirm(ctx, fmt.Sprintf("Release %s to %s now? %d tests passed.", in.Version, where,
		signed.Passed)); err != nil {
		return "", err
	}
	return fmt.Sprintf("Released %s to %s.", in.Version, where), nil
}

func main() {
	example.Main("gate", func(b *example.Bot) error {
		example.Tool(b, "release", "Releases a version, after a person has passed three gates.", handle)
		return nil
	})
}
