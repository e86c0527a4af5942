//go:build wasip1

package main

import (
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
)

// lent is memory the host writes the strings of the next call into, outside Go's heap: while a host lowers its arguments a
// component may call nothing, and a collection that an allocation sets off asks for the time. It is used again by every
// call; each block is twice the one before, so that there are few.
var (
	lent   [24]block
	blocks int
)

type block struct {
	at         unsafe.Pointer
	size, used uintptr
}

// result is where the host reads what a function returned. The canonical ABI lays every result of ours out in four
// words at most: whether it failed, then the members.
var result [4]uint32

// ready says that Go allocates. The adapter that makes a component of this module asks for its own memory before that.
var ready bool

func init() { ready = true }

//go:linkname sbrk runtime.sbrk
func sbrk(n uintptr) unsafe.Pointer

// lend is the allocator of the canonical ABI. Nothing it gave is ever enlarged: strings arrive as UTF-8.
//
//go:wasmexport cabi_realloc
func lend(_ unsafe.Pointer, oldSize, align, size uint32) unsafe.Pointer {
	if !ready {
		return sbrk(uintptr(size)) // rounded up to pages, so aligned for anything
	}
	if oldSize != 0 || align > 8 {
		panic("not a string")
	}
	need := (uintptr(size) + 8) &^ 7
	for i := range lent[:blocks] {
		if b := &lent[i]; b.size-b.used >= need {
			b.used += need
			return unsafe.Add(b.at, b.used-need)
		}
	}
	room := max(uintptr(64<<10)<<blocks, need)
	lent[blocks] = block{sbrk(room), room, need} // out of blocks or memory is a trap, and the host drops the instance
	if lent[blocks].at == nil {
		panic("out of memory")
	}
	blocks++
	return lent[blocks-1].at
}

func takeBack() {
	for i := range lent[:blocks] {
		lent[i].used = 0
	}
}

func lift(at *byte, size uint32) []byte { return unsafe.Slice(at, size) }

func address(text []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(text)))) }

// lowerString is a string.
func lowerString(text []byte) unsafe.Pointer {
	result = [4]uint32{address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerOpened is the good case of opening an engine, a connection or a form.
func lowerOpened(resource uint32, text []byte) unsafe.Pointer {
	result = [4]uint32{0, resource, address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerResult is result<string, fault>.
func lowerResult(status abi.Status, text []byte) unsafe.Pointer {
	if status != abi.OK {
		return lowerFault(status, text)
	}
	result = [4]uint32{0, address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerFault is the bad case of all of them.
func lowerFault(status abi.Status, problems []byte) unsafe.Pointer {
	// A handle of the host is ours as long as it lives, so that it is unknown would be a bug of ours.
	kind := uint32(3)
	switch status {
	case abi.Invalid:
		kind = 0
	case abi.TooLarge:
		kind = 1
	case abi.Conflict:
		kind = 2
	}
	result = [4]uint32{1, kind, address(problems), uint32(len(problems))}
	return unsafe.Pointer(&result)
}
