package english_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// Codes are part of the contract; sentences may change.
func ExampleProblem() {
	fmt.Println(english.Problem(elicit.Problem{Code: "limit_out_of_range", Args: []elicit.Arg{elicit.Num("least", 1),
		elicit.Num("most", 512)}}))
	fmt.Println(english.Cause(elicit.ByTimeout))
	// Output:
	// must be a whole number from 1 to 512
	// nobody answered in time
}

func ExampleMeanings() {
	for _, m := range english.Meanings("no_memory") {
		fmt.Println(m.Kind+":", m.Sentence)
	}
	// Output:
	// fault: there was no memory for the guardian to begin with
	// status: the output could not be allocated; the call was carried out
}
