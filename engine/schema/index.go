package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// index finds a field by the bytes of a key. The keys of an answer mostly come in form order, so the caller first tries
// the next field, and this table serves only the rest. It uses open addressing over a hash of four bytes and the
// length. If hostile names all collide, a look-up walks over the fields, which are few.
type index struct {
	slots []uint16   // field position + 1; 0 is free; length is a power of two
	few   [32]uint16 // the memory of slots, if that is enough
}

func (x *index) build(fields []Field) {
	size := 8
	for size < 2*len(fields) {
		size *= 2
	}
	if size <= len(x.few) {
		x.slots = x.few[:size]
	} else {
		x.slots = make([]uint16, size)
	}
	for i := range fields {
		at := keyHash(fields[i].Name) & (size - 1)
		for x.slots[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		x.slots[at] = uint16(i + 1)
	}
}

func (x *index) find(fields []Field, key []byte) int {
	if len(x.slots) == 0 {
		return -1
	}
	mask := len(x.slots) - 1
	for at := keyHash(key) & mask; x.slots[at] != 0; at = (at + 1) & mask {
		if i := int(x.slots[at]) - 1; fields[i].Name == jsontext.View(key) {
			return i
		}
	}
	return -1
}

func keyHash[T string | []byte](key T) int {
	n := len(key)
	if n == 0 {
		return 0
	}
	h := n*31 + int(key[0])
	h = h*31 + int(key[n-1])
	h = h*31 + int(key[n/2])
	return h*31 + int(key[n/3])
}
