package abi

import (
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Op is the number of an operation, for an interface with one call function. Numbers are never reused. No operation has
// 11 or 13 to 15. Operations of the table stay below FirstEval.
type Op uint32

// These are the operations. The stateless ones begin at FirstEval, in the order of EvalOps.
const (
	OpDescribe Op = 0  // nothing → what this interface supports
	OpOpen     Op = 1  // configuration → handle of an engine, {"effects"}
	OpStep     Op = 2  // one input for the engine of the handle → {"effects"}, {"state"} or {"grants"}
	OpClose    Op = 3  // nothing → {}; ends the engine or form of the handle
	OpForm     Op = 4  // {schema, profile?, limits?} → handle of a form, {"form"}
	OpCheck    Op = 5  // content of an answer to the form of the handle → {"problems"}, empty for a valid answer
	OpGuest    Op = 6  // the bytes of a guardian's module → its description; the table keeps the module
	OpClient   Op = 7  // the bytes of a message of the client, for the connection of the handle → {"effects"}
	OpServer   Op = 8  // the bytes of a message of the server, likewise
	OpData     Op = 9  // the bytes of a guardian's data document → {"digest","size"}; the table keeps the document
	OpManaged  Op = 10 // {} → {"policy":{"managed_text"?,"managed_path"?}}, where the host can read it
	OpNext     Op = 12 // the loop of a connection that was opened with "pull" → one effect, or {"wait"}; see Next
	FirstEval  Op = 16
)

// EvalOp returns the number of a stateless operation. For an unknown name, the number is that of no operation.
func EvalOp(name string) Op {
	if name == "managed_policy" {
		return OpManaged // it needs a host, so it is no operation of the engine
	}
	for i, op := range evalOrder {
		if op.name == name && performs(name) {
			return FirstEval + Op(i)
		}
	}
	return FirstEval + Op(len(evalOrder))
}

// Call performs op and appends its output to dst. opened is the handle that OpOpen or OpForm made, the size that Next
// returns, or 0. A panic is a bug in this module: Call recovers and returns Internal. All interfaces but Go's come
// through here, so it is the outermost place that may stop a panic. After one in a step the machine is poisoned
// (stepMachine); one elsewhere has touched no machine.
func (t *Table) Call(op Op, h Handle, input, dst []byte) (opened Handle, out []byte, status Status) {
	start := len(dst)
	defer func() {
		// The bytes that dst had before the call stay. A half-written output is dropped.
		if recover() != nil {
			opened, out, status = 0, appendProblem(dst[:start], elicit.Problem{Code: "internal"}), Internal
		}
	}()
	if governs && t.Governed && t.World.Managed != nil {
		if m := t.World.Managed(); m.Text != nil {
			var problem *elicit.Problem
			if input, problem = m.govern(op, input); problem != nil {
				return 0, appendProblem(dst, *problem), Invalid
			}
		}
	}
	switch op {
	case OpDescribe:
		return 0, Describe(dst), OK
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
	}
	// A number of an operation that this build lacks is Invalid with the problem unknown_op, and so is any other
	// number.
	if n := int(op) - int(FirstEval); n >= 0 && n < len(evalOrder) {
		out = Eval(evalOrder[n].name, input, dst)
		if !performs(evalOrder[n].name) {
			return 0, out, Invalid
		}
		return 0, out, OK
	}
	return t.callMachine(op, h, input, dst)
}

// unknown answers the number of no operation.
func unknown(dst []byte) (Handle, []byte, Status) {
	return 0, appendProblem(dst, elicit.Problem{Code: "unknown_op"}), Invalid
}
