//go:build !core

package abi

import "github.com/elicit-engine/elicit/engine/relay"

// answeringOps has the operations of the answering side.
var answeringOps = map[string]evalOp{
	"consult": evalConsult,
	"decide":  evalDecide,
	"decode":  evalDecode,
	"encode":  evalEncode,
	"relay":   evalRelay,
	"replay":  evalReplay,
	"run":     evalRun,
}

// openers has the machines of the answering side, by the member of an input that opens one. moreOpeners has the others.
// The key is the member of the input: {"relay":{…}} opens a connection.
var openers = map[string]opener{"relay": openRelay}

// callMachine performs the operations on engines, connections and guardians.
func (t *Table) callMachine(op Op, h Handle, input, dst []byte) (opened Handle, out []byte, status Status) {
	switch op {
	case OpOpen:
		return t.Open(input, dst)
	case OpStep:
		out, status = t.Step(h, input, dst)
	case OpGuest:
		out, status = t.Load(input, dst)
	case OpData:
		out, status = t.Keep(input, dst)
	case OpManaged:
		if !governs || t.World.Managed == nil {
			return unknown(dst)
		}
		out = t.World.Managed().appendPolicies(dst)
	case OpClient:
		out, status = t.Receive(h, relay.Client, input, dst)
	case OpServer:
		out, status = t.Receive(h, relay.Server, input, dst)
	case OpNext:
		size, out, status := t.Next(h, input, dst)
		return Handle(size), out, status
	default:
		return unknown(dst)
	}
	return 0, out, status
}
