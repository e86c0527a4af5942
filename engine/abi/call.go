package abi

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
)

// Op numbers what a door that has one call function can be asked for. Numbers are never reused.
type Op uint32

// The operations of a door. From FirstEval on come the stateless ones, in the order of EvalOps.
const (
	OpDescribe Op = 0 // nothing → what this door understands
	OpOpen     Op = 1 // configuration → handle of an engine, {"effects"}
	OpStep     Op = 2 // one input for the engine of the handle → {"effects"}, {"state"} or {"grants"}
	OpClose    Op = 3 // nothing → {}; ends the engine or form of the handle
	OpForm     Op = 4 // {schema, profile?, limits?} → handle of a form, {"form"}
	OpCheck    Op = 5 // content of an answer to the form of the handle → {"problems"}, empty when it fits
	OpGuest    Op = 6 // a guardian's module, its bytes as they are → what it is; the door keeps it
	OpClient   Op = 7 // a message of the client, its bytes as they are, for the connection of the handle → {"effects"}
	OpServer   Op = 8 // a message of the server, likewise
	FirstEval  Op = 16
)

// EvalOp is the number of a stateless operation. A name that is none gets a number that is none.
func EvalOp(name string) Op {
	if i := slices.Index(evalOrder, name); i >= 0 {
		return FirstEval + Op(i)
	}
	return FirstEval + Op(len(evalOrder))
}

// Call performs op and appends its answer to dst. The handle returned is the one that OpOpen or OpForm made, else 0. A
// panic is a bug of ours: it stops here and becomes Internal.
func (t *Table) Call(op Op, h Handle, input, dst []byte) (opened Handle, out []byte, status Status) {
	start := len(dst)
	defer func() {
		if recover() != nil {
			opened, out, status = 0, appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
	}()
	switch op {
	case OpDescribe:
		return 0, Describe(dst), OK
	case OpOpen:
		return t.Open(input, dst)
	case OpStep:
		out, status = t.Step(h, input, dst)
		return 0, out, status
	case OpClose:
		if status = t.Close(h); status != OK {
			return 0, appendProblem(dst, elicit.Problem{Code: Statuses()[status]}), status
		}
		return 0, append(dst, "{}"...), OK
	case OpForm:
		return t.OpenForm(input, dst)
	case OpCheck:
		out, status = t.CheckForm(h, input, dst)
		return 0, out, status
	case OpGuest:
		out, status = t.Load(input, dst)
		return 0, out, status
	case OpClient:
		out, status = t.Receive(h, relay.Client, input, dst)
		return 0, out, status
	case OpServer:
		out, status = t.Receive(h, relay.Server, input, dst)
		return 0, out, status
	}
	if n := int(op) - int(FirstEval); n >= 0 && n < len(evalOrder) {
		return 0, Eval(evalOrder[n], input, dst), OK
	}
	return 0, appendProblem(dst, elicit.Problem{Code: "unknown_op"}), Invalid
}
