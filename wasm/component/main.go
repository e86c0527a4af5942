//go:build wasip1

// Command component is the Wasm interface for the component model: the functions of elicit.wit, lifted and lowered by
// the canonical ABI. It uses abi.Table, the same table of engines as the raw module (command wasm).
package main

import (
	"slices"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/wasm/wasi"
)

// kept is the most bytes of memory that the output buffer keeps between calls.
const kept = 1 << 20

var (
	now    int64
	table  = abi.Table{World: abi.World{Now: func() int64 { return now }, Random: wasi.Random}}
	output []byte                 // valid until the next call; the host copies it before that
	opened = map[rep]abi.Handle{} // the handles that the host has not dropped yet
)

// rep is the number of a resource behind the host's handle: the low half of our handle, which is the slot.
type rep uint32

//go:wasmimport [export]elicit:engine/abi@1.0.0 [resource-new]engine
func newEngine(rep) uint32

//go:wasmimport [export]elicit:engine/abi@1.0.0 [resource-new]form
func newForm(rep) uint32

//go:wasmimport [export]elicit:engine/abi@1.0.0 [resource-new]connection
func newConnection(rep) uint32

//go:wasmexport elicit:engine/abi@1.0.0#describe
func describe() unsafe.Pointer {
	made(call(abi.OpDescribe, 0, 0, nil))
	return lowerString(output)
}

//go:wasmexport elicit:engine/abi@1.0.0#eval
func eval(name *byte, nameSize uint32, input *byte, size uint32) unsafe.Pointer {
	operation := string(lift(name, nameSize))
	if slices.Contains(abi.Ops(), operation) {
		made(call(abi.EvalOp(operation), 0, 0, lift(input, size)))
	} else {
		begin(0)
		end(abi.Eval(operation, nil, output[:0]))
	}
	return lowerString(output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[static]engine.open
func open(config *byte, size uint32, at uint64) unsafe.Pointer {
	h, status := call(abi.OpOpen, 0, at, lift(config, size))
	if status != abi.OK {
		return lowerFault(status, output)
	}
	return lowerOpened(newEngine(made(h, status)), output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[method]engine.step
func step(self rep, input *byte, size uint32, at uint64) unsafe.Pointer {
	_, status := call(abi.OpStep, opened[self], at, lift(input, size))
	return lowerResult(status, output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[method]engine.save
func save(self rep, session *byte, size uint32) unsafe.Pointer {
	begin(0)
	out, status := table.Save(opened[self], string(lift(session, size)), output[:0])
	end(out)
	return lowerResult(status, output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[dtor]engine
func dropEngine(self rep) { drop(self) }

//go:wasmexport elicit:engine/abi@1.0.0#[static]connection.open
func openConnection(config *byte, size uint32, at uint64) unsafe.Pointer {
	input := append(append([]byte(`{"relay":`), lift(config, size)...), '}')
	h, status := call(abi.OpOpen, 0, at, input)
	if status != abi.OK {
		return lowerFault(status, output)
	}
	return lowerOpened(newConnection(made(h, status)), output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[method]connection.receive
func receive(self rep, from uint32, message *byte, size uint32, at uint64) unsafe.Pointer {
	_, status := call(abi.OpClient+abi.Op(from), opened[self], at, lift(message, size))
	return lowerResult(status, output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[method]connection.step
func stepConnection(self rep, input *byte, size uint32, at uint64) unsafe.Pointer {
	return step(self, input, size, at)
}

//go:wasmexport elicit:engine/abi@1.0.0#[dtor]connection
func dropConnection(self rep) { drop(self) }

//go:wasmexport elicit:engine/abi@1.0.0#[static]form.compile
func compile(input *byte, size uint32) unsafe.Pointer {
	h, status := call(abi.OpForm, 0, 0, lift(input, size))
	if status != abi.OK {
		return lowerFault(status, output)
	}
	return lowerOpened(newForm(made(h, status)), output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[method]form.check
func check(self rep, content *byte, size uint32) unsafe.Pointer {
	_, status := call(abi.OpCheck, opened[self], 0, lift(content, size))
	return lowerResult(status, output)
}

//go:wasmexport elicit:engine/abi@1.0.0#[dtor]form
func dropForm(self rep) { drop(self) }

func drop(self rep) {
	call(abi.OpClose, opened[self], 0, nil)
	delete(opened, self)
}

// call performs op and leaves its document in output.
func call(op abi.Op, h abi.Handle, at uint64, input []byte) (abi.Handle, abi.Status) {
	begin(at)
	h, out, status := table.Call(op, h, input, output[:0])
	end(out)
	return h, status
}

func begin(at uint64) {
	if cap(output) > kept {
		output = nil
	}
	now = int64(min(at, 1<<63-1))
}

func end(out []byte) {
	output, lent = out, nil
}

// made remembers the opened handle, if there is one.
func made(h abi.Handle, _ abi.Status) rep {
	if h != 0 {
		opened[rep(uint32(h))] = h
	}
	return rep(uint32(h))
}

func main() {}
