// Package pretty stands in for github.com/tidwall/pretty in Wasm builds.
//
// gjson calls that module only for path modifiers such as "@pretty", which this project never uses: policy and
// configuration are text that a peer may influence, so no path is built from them. The real module imports
// encoding/json, which adds about 1.4 MB to a Wasm build. Functions return their input unchanged. build.sh names this
// module in the copy of go.mod that it builds Wasm with.
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
