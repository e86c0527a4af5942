//go:build browser

package abi

// moreOps is empty in the build for browsers. Describe does not list the operations, and a call of one is Invalid.
var moreOps map[string]evalOp
