package lint_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/lint"
)

// Schema reports what the author of a schema should change.
func ExampleSchema() {
	for _, f := range lint.Schema([]byte(`{"type":"object","properties":{"api_key":{"type":"string"}}}`),
		lint.For20251125) {
		fmt.Println(f.Severity, f.Code, f.Pointer)
		fmt.Println(" ", english.Remark(f.Code, f.Args))
	}
	// Output:
	// warning missing_title /properties/api_key
	//   api_key has no title, so people see a guess at its name
	// note missing_description /properties/api_key
	//   api_key has no description that says what to write
	// error secret_field /properties/api_key
	//   api_key asks for a secret (api key), which a form must never do
}
