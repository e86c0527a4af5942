//go:build wasip1

// Command wasm is the Wasm interface: a WASI reactor with the engine, for browsers, Node and any Wasm host. ABI.md is
// its contract.
package main

import (
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/wasm/wasi"
)

// headerSize is the size of the header before the JSON of every output, in bytes: status (4), zero (4), handle (8),
// little-endian.
const headerSize = 16

// kept is the most bytes of memory that the output keeps between calls. A larger one, for a rare large message, is
// released. The input keeps the longest, because a peer decides how often that comes, and memory never shrinks.
const kept = 1 << 20

var (
	now     int64
	elapsed elicit.Elapsed // of the next call
	table   = abi.Table{World: abi.World{Now: func() int64 { return now },
		Elapsed: func() elicit.Elapsed { return elapsed }, Random: wasi.Random}, Guests: guests{}}
	input  []byte
	output []byte
	header [headerSize]byte // of zeros
	inside bool             // a call is running, or ended in a trap; another call gets 0
)

// opElapsed tells what has elapsed, in the place of the handle, for the next call whose input has no time.
const opElapsed = 11

// opSeeds draws new seeds of maps. A copy of another instance's memory has that one's.
const opSeeds = 13

//go:linkname drawSeeds runtime.initRand
func drawSeeds()

// abiVersion returns the version of the ABI, which the custom section elicit.abi contains too.
//
//go:wasmexport elicit_abi
func abiVersion() int32 { return abi.Version }

// maxInput is the most bytes of one input: the longest message of a connection with the default limit. Other operations
// accept abi.MaxInput.
const maxInput = relay.DefaultMaxMessage

// inputBuffer returns the address at which the caller writes the n bytes of its next input. It returns 0 if n is more
// than maxInput, or if a call is running.
//
//go:wasmexport elicit_input
func inputBuffer(n uint32) uint32 {
	if n > maxInput || inside {
		return 0
	}
	if input == nil || int(n) > cap(input) {
		inside = true // until there is memory: an instance that ran out of it answers nothing more
		input = make([]byte, max(n, 4096))
		inside = false
	}
	return address(input)
}

// call performs op with the first n bytes of the input buffer and returns the place of the output: pointer<<32 |
// length. A call from inside a call gets 0. at is the time for a step whose input has none, in milliseconds since
// 1970-01-01 UTC.
//
//go:wasmexport elicit_call
func call(op uint32, handle uint64, at int64, n uint32) uint64 {
	if inside {
		return 0
	}
	if op == opElapsed {
		elapsed = elicit.ElapsedMS(int64(min(handle, 1<<52)))
		return 0
	}
	if op == opSeeds {
		drawSeeds()
		return 0
	}
	inside = true
	if cap(output) > kept {
		output = nil
	}
	now = max(at, 0)
	out := append(output[:0], header[:]...)
	opened, out, status := table.Call(abi.Op(op), abi.Handle(handle), input[:min(n, uint32(cap(input)))], out)
	for i := range 4 {
		out[i] = byte(status >> (8 * i))
	}
	for i := range 8 {
		out[8+i] = byte(opened >> (8 * i))
	}
	output, inside, elapsed = out, false, 0
	return uint64(address(out))<<32 | uint64(len(out))
}

func address(buffer []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(buffer)))) }

func main() {}
