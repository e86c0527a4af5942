// Package pretty replaces github.com/tidwall/pretty in Wasm builds.
//
// gjson calls that module only for path modifiers such as "@pretty". This project never uses them: a peer may influence
// policy and configuration, so no path is built from them. The real module imports encoding/json, which adds about 1.4
// MB to a Wasm build. The functions return their input unchanged. build.sh names this module in the copy of go.mod for
// Wasm builds.
package pretty

// Options mirrors the fields that gjson sets.
type Options struct {
	Width    int
	Prefix   string
	Indent   string
	SortKeys bool
}

// DefaultOptions exists because gjson reads it. It is never used here.
var DefaultOptions = &Options{}

// Pretty returns json unchanged.
func Pretty(json []byte) []byte { return json }

// PrettyOptions returns json unchanged.
func PrettyOptions(json []byte, _ *Options) []byte { return json }

// Ugly returns json unchanged.
func Ugly(json []byte) []byte { return json }
