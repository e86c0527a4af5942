//go:build tools

// Package bindgen pins the version of the Bytecode Alliance's generator for Go. It is a module of its own, so that the
// engine's module does not depend on the generator's dependencies.
package bindgen

import _ "go.bytecodealliance.org/cmd/wit-bindgen-go"
