//go:build browser

package abi

// moreOps is empty in the build for browsers. Describe does not list the operations, and a call of one is Invalid.
var moreOps map[string]evalOp

// moreOpeners is empty in the build for browsers.
var moreOpeners map[string]opener

// maxOpen is the most bytes of an input that opens a machine.
const maxOpen = MaxInput

// governs is false in the build for browsers: a page reads no file of the machine.
const governs = false

// describeAsking is nil in the build for browsers.
var describeAsking func(dst []byte) []byte

// This build knows no agent frameworks.
func frameworks() []string       { return nil }
func interruptOptions() []string { return nil }
