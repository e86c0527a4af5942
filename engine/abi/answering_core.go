//go:build core

package abi

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// answeringOps is empty in the module core, which asks nobody.
var answeringOps map[string]evalOp

// openers is empty in the module core.
var openers map[string]opener

// callMachine knows no operation: the module core opens forms alone.
func (t *Table) callMachine(_ Op, _ Handle, _, dst []byte) (Handle, []byte, Status) {
	return unknown(dst)
}

func describeAnswering(*jsontext.Object) {}
func describeMachines(*jsontext.Object)  {}
