//go:build !browser

package abi

// moreOps has the operations for authors of servers and policies. A page that only asks does not need them.
var moreOps = map[string]evalOp{
	"lint":     evalLint,
	"simulate": evalSimulate,
}
