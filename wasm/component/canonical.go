//go:build wasip1

package main

import (
	"unsafe"

	"github.com/elicit-engine/elicit/engine/abi"
)

// lent has the strings of the next call, which the host writes, until the call is over. While a host lowers its
// arguments, a component may not call any import. The compiler's collector calls none.
var lent [][]byte

// result has the result of a function for the host. The canonical ABI lays out each of our results in at most four
// words: whether the call failed, and then the members.
var result [4]uint32

// lend is the allocator of the canonical ABI. Hosts whose strings are not UTF-8 let a block grow as they write it.
//
//go:wasmexport cabi_realloc
func lend(old *byte, oldSize, align, size uint32) unsafe.Pointer {
	if align > 8 {
		panic("not a string")
	}
	room := make([]byte, size)
	copy(room, lift(old, oldSize))
	lent = append(lent, room)
	return unsafe.Pointer(unsafe.SliceData(room))
}

// pages is the memory of the adapter in the component, which asks for one page for its state and one for its stack.
// The first page that begins here ends in the third. The heap is no place for them: the runtime asks the adapter for
// random bytes before it has a heap, and takes all memory that grows.
var (
	pages [3 * page]byte
	taken uintptr
)

const page = 64 << 10

// lendAdapter is the allocator of the adapter.
//
//export cabi_realloc_adapter
func lendAdapter(_ unsafe.Pointer, oldSize, align, size uint32) unsafe.Pointer {
	if oldSize != 0 || size > page || taken == 2 {
		panic("not a page of the adapter")
	}
	taken++
	return unsafe.Pointer(uintptr(unsafe.Pointer(&pages))&^(page-1) + taken*page)
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
