// Command cabi is the C interface: libelicit, a shared library with the functions of elicit.h. The C side checks
// arguments and owns outputs. The Go side is one call into abi.Table, the table of handles that every foreign interface
// uses.
package main

/*
#cgo CFLAGS: -std=c99 -Wall -Wextra -pedantic -D_POSIX_C_SOURCE=200809L
#include <stdlib.h>
#include "call.h"
*/
import "C"

import (
	"crypto/rand"
	"time"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/internal/managed"
)

var table = abi.Table{Guests: guests, World: abi.World{
	Now:     func() int64 { return time.Now().UnixMilli() },
	Elapsed: drive.ElapsedMS,
	Random:  func(to *[32]byte) bool { _, err := rand.Read(to[:]); return err == nil },
	Managed: func() abi.Managed {
		machine := managed.Read()
		return abi.Managed{Text: machine.Text, Path: machine.Path}
	},
}}

//export elicitCall
func elicitCall(c *C.elicit_call) C.int32_t {
	op := abi.Op(c.op)
	if c.name != nil {
		op = abi.EvalOp(C.GoString(c.name))
	}
	near := unsafe.Slice((*byte)(unsafe.Pointer(c.near)), int(c.room))
	stretch(int(c.size))
	opened, out, status := table.Call(op, abi.Handle(c.handle), taken(op, c), near[:0])
	c.opened = C.uint64_t(opened)
	answer(c, near, out)
	return C.int32_t(status)
}

// stretch makes the stack of this goroutine at least 400 KiB larger than what it uses, if it is not: the check of its
// own frame does so. A check and a message of a connection are too short to block signals for them, which takes two
// system calls. With this stack, a handler of the host without SA_ONSTACK has room there.
//
//go:noinline
func stretch(size int) byte {
	if size >= 0 {
		return 0 // always, so nothing is ever cleared
	}
	var a, b, c, d [100 << 10]byte // longer ones would not be on the stack
	at := size & 0xffff
	a[at], b[at], c[at], d[at] = 1, 2, 3, 4
	return a[at/2] + b[at/2] + c[at/2] + d[at/2]
}

// taken returns the input. An engine may keep parts of it, so it gets a copy. A check and a message of a connection are
// not kept, and whoever keeps a data document copies it, so they are read in place.
func taken(op abi.Op, c *C.elicit_call) []byte {
	input := unsafe.Slice((*byte)(unsafe.Pointer(c.input)), int(c.size))
	if op == abi.OpCheck || op == abi.OpClient || op == abi.OpServer || op == abi.OpData {
		return input
	}
	return append(make([]byte, 0, len(input)), input...)
}

// answer leaves out in the place where the C side expects it. An answer that is longer than the near buffer, or fills
// it completely, goes to memory that C frees. Without memory the length stays 0.
func answer(c *C.elicit_call, near, out []byte) {
	if len(out) <= len(near) && unsafe.SliceData(out) == unsafe.SliceData(near) {
		c.length = C.size_t(len(out))
		return
	}
	far := C.malloc(C.size_t(len(out) + 1))
	if far == nil {
		return
	}
	end := copy(unsafe.Slice((*byte)(far), len(out)+1), out)
	unsafe.Slice((*byte)(far), len(out)+1)[end] = 0
	c.far, c.length = (*C.char)(far), C.size_t(len(out))
}

func main() {}
