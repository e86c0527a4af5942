//go:build wasip1 && image

package main

import _ "unsafe" // for linkname

// reseed gives the copy of an image random numbers of its own. Without it, two copies would give the same seeds to
// their maps. wasm/amalgam/reseed.go.txt has it, which becomes a file of the runtime of Go.
//
//go:linkname reseed runtime.elicitReseed
func reseed()

//go:wasmexport elicit_reseed
func elicitReseed() { reseed() }
