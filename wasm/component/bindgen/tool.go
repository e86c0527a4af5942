//go:build tools

// Package bindgen pins the Bytecode Alliance's generator for Go. It is a module of its own: whoever builds the engine needs
// none of what the generator stands on.
package bindgen

import _ "go.bytecodealliance.org/cmd/wit-bindgen-go"
