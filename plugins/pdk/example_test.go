package pdk_test

import (
	"fmt"
	"io/fs"

	"github.com/elicit-engine/elicit/plugins/pdk"
)

// The templates of `elicit guardian new`.
func ExampleTemplate() {
	fmt.Println(pdk.Languages())
	files, err := pdk.Template("c")
	if err != nil {
		panic(err)
	}
	manifest, err := fs.ReadFile(files, "guardian.json")
	fmt.Println(len(manifest) > 0, err)
	// Output:
	// [assemblyscript c go rust]
	// true <nil>
}
