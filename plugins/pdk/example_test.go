package pdk_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/plugins/pdk"
)

// The templates of `elicit guardian new`.
func ExampleTemplate() {
	fmt.Println(pdk.Languages())
	files, err := pdk.Template("c")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(files["guardian.json"]) > 0)
	// Output:
	// [assemblyscript c go rust]
	// true
}
