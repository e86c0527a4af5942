//go:build wasip1

// Command wasm is the Wasm door: a WASI reactor that carries the engine into browsers, Node and any Wasm host. ABI.md is
// its contract.
package main

import (
	"runtime"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/relay"
)

// headerSize is what stands before the JSON of every output: status (4 bytes), zero (4), handle (8), little-endian.
const headerSize = 16

// kept is how much memory a buffer may hold on to between calls, in bytes; what a rare large message needed is given up.
const kept = 1 << 20

// turnEvery is after how many checks the collector's own goroutines get a turn; they get one after every other call. They
// only run while a call runs; without it a collection may never end, and memory grows with every call. Half a microsecond
// under V8, a turn is dear for a check, which allocates next to nothing.
const turnEvery = 16

var (
	now    int64
	table  = abi.Table{World: abi.World{Now: func() int64 { return now }, Dice: dice}, Guests: guests{}}
	input  []byte
	output []byte
	checks uint32
	inside bool // a call is under way; an import that calls back gets nothing
)

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func randomGet(buffer unsafe.Pointer, size uint32) uint32

func dice(out *[32]byte) bool { return randomGet(unsafe.Pointer(out), 32) == 0 }

// abiVersion is the number that the custom section elicit.abi says too.
//
//go:wasmexport elicit_abi
func abiVersion() int32 { return abi.Version }

// maxInput bounds one input: the longest message of a connection that keeps the default limit. Other operations take
// abi.MaxInput.
const maxInput = relay.DefaultMaxMessage

// inputBuffer returns where the caller writes the n bytes of its next input, or 0 when n is more than the module takes or
// a call is under way.
//
//go:wasmexport elicit_input
func inputBuffer(n uint32) uint32 {
	if n > maxInput || inside {
		return 0
	}
	if input == nil || int(n) > cap(input) || cap(input) > kept {
		input = make([]byte, max(n, 4096))
	}
	return address(input)
}

// call performs op with the first n bytes of the input buffer and returns where the output is: pointer<<32 | length. 0 is
// the answer to a call from inside a call.
// at is the time in milliseconds since 1970-01-01 UTC for a step that does not say its own.
//
//go:wasmexport elicit_call
func call(op uint32, handle uint64, at int64, n uint32) uint64 {
	if inside {
		return 0
	}
	inside = true
	if cap(output) > kept {
		output = nil
	}
	now = max(at, 0)
	out := append(output[:0], make([]byte, headerSize)...)
	opened, out, status := table.Call(abi.Op(op), abi.Handle(handle), input[:min(int(n), cap(input))], out)
	for i := range 4 {
		out[i] = byte(status >> (8 * i))
	}
	for i := range 8 {
		out[8+i] = byte(opened >> (8 * i))
	}
	if checks++; abi.Op(op) != abi.OpCheck || checks%turnEvery == 0 {
		runtime.Gosched()
	}
	output, inside = out, false
	return uint64(address(out))<<32 | uint64(len(out))
}

func address(buffer []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(buffer)))) }

func main() {}
