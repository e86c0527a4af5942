package elicit_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Problems, reasons and findings write themselves as JSON, and have figures instead of sentences.
func ExampleProblem_AppendJSON() {
	p := elicit.Problem{Code: "too_long", Pointer: "/note", Args: []elicit.Arg{elicit.Num("limit", 10)}}
	fmt.Printf("%s\n", p.AppendJSON(nil))
	// Output:
	// {"code":"too_long","pointer":"/note","args":{"limit":10}}
}
