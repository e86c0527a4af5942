//go:build wasip1

package main

import (
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
)

// lent is the memory outside Go's heap for the strings of the next call, which the host writes. While a host lowers its
// arguments, a component may not call any import. An allocation on Go's heap could start a collection, which reads the
// clock. Every call uses the memory again. Each block has twice the size of the one before, so there are few blocks.
var (
	lent   [24]block
	blocks int
)

type block struct {
	at         unsafe.Pointer
	size, used uintptr
}

// result has the result of a function for the host. The canonical ABI lays out each of our results in at most four
// words: whether the call failed, and then the members.
var result [4]uint32

// ready says that Go's allocator works. The adapter in the component asks for its own memory before that.
var ready bool

func init() { ready = true }

//go:linkname sbrk runtime.sbrk
func sbrk(n uintptr) unsafe.Pointer

// lend is the allocator of the canonical ABI. It never enlarges a block, because strings arrive as UTF-8.
//
//go:wasmexport cabi_realloc
func lend(_ unsafe.Pointer, oldSize, align, size uint32) unsafe.Pointer {
	if !ready {
		return sbrk(uintptr(size)) // rounded up to pages, so the alignment is always enough
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

// lowerString writes a string.
func lowerString(text []byte) unsafe.Pointer {
	result = [4]uint32{address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerOpened writes the success case of opening an engine, a connection or a form.
func lowerOpened(resource uint32, text []byte) unsafe.Pointer {
	result = [4]uint32{0, resource, address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerResult writes a result<string, fault>.
func lowerResult(status abi.Status, text []byte) unsafe.Pointer {
	if status != abi.OK {
		return lowerFault(status, text)
	}
	result = [4]uint32{0, address(text), uint32(len(text))}
	return unsafe.Pointer(&result)
}

// lowerFault writes the error case of every result.
func lowerFault(status abi.Status, problems []byte) unsafe.Pointer {
	// The host's handle is valid as long as the host keeps it. So an unknown handle would be a bug here.
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
