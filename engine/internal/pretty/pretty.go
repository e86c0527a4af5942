// Package pretty is an empty shell that stands in for github.com/tidwall/pretty.
//
// gjson reaches that module only from path modifiers such as "@pretty", which this project never uses: policy
// and configuration are peer-influenced text, so no path is ever built from them. The real module imports
// encoding/json, which costs a Wasm build about 1.4 MB. Functions return their input unchanged.
package pretty

// Options mirrors the fields that gjson sets.
type Options struct {
	Width    int
	Prefix   string
	Indent   string
	SortKeys bool
}

// DefaultOptions is read by gjson and never used here.
var DefaultOptions = &Options{}

// Pretty returns json unchanged.
func Pretty(json []byte) []byte { return json }

// PrettyOptions returns json unchanged.
func PrettyOptions(json []byte, _ *Options) []byte { return json }

// Ugly returns json unchanged.
func Ugly(json []byte) []byte { return json }
