//go:build !browser

package abi

// moreOps has the operations for servers, and for authors of servers and policies. A page that only asks does not need
// them.
var moreOps = map[string]evalOp{
	"lint":     evalLint,
	"seal":     evalSeal,
	"simulate": evalSimulate,
	"unseal":   evalUnseal,
}
