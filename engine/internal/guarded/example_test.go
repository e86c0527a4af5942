package guarded_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

func Example() {
	for _, line := range []string{"rm -r ~/.cl*", "pkill elicit", "codex --yolo", "rm -r build"} {
		report := impact.Read(line, impact.Options{Cwd: "/srv/app"})
		fmt.Println(guarded.Of(&report, guarded.Work{Cwd: "/srv/app"}))
	}
	// Output:
	// {settings .claude/settings*}
	// {process elicit}
	// {agent codex}
	// { }
}
