package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// index finds a field by the bytes of a key. The keys of an answer mostly come in form order, so the caller
// first tries the next field, and this table serves only the rest. It uses open addressing over a hash of four
// bytes and the length. If hostile names all collide, a look-up walks over the fields, which are few. The table
// is at most half full, so every search meets a free slot and ends.
//
// The hash has no secret seed, because the engine must do the same work for the same input. hardFields bounds
// what an attacker gains. A key of an answer costs at most 512 comparisons, and most of them stop at the length.
type index struct {
	// field position + 1; 0 is free; length is a power of two. It may point into few of the index that build
	// was called on. A copy of an index then shares that memory, which is harmless because nothing changes it
	// after build.
	slots []uint16
	few   [32]uint16 // the memory of slots, if that is enough
}

// build enters all fields. Names are distinct, because the scanner refuses an object with a repeated key.
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

// find returns the position of the field with the decoded name key, or -1.
func (x *index) find(fields []Field, key []byte) int {
	if len(x.slots) == 0 {
		return none
	}
	mask := len(x.slots) - 1
	for at := keyHash(key) & mask; x.slots[at] != 0; at = (at + 1) & mask {
		if i := int(x.slots[at]) - 1; fields[i].Name == jsontext.View(key) {
			return i
		}
	}
	return none
}

// keyHash takes the length and the bytes at both ends, in the middle and at a third. Names of one form often
// share a prefix or a suffix, such as db_host and db_port, and then differ near the middle.
func keyHash[T string | []byte](key T) int {
	n := len(key)
	if n == 0 {
		return 0 // any hash serves the empty key
	}
	h := n*31 + int(key[0])
	h = h*31 + int(key[n-1])
	h = h*31 + int(key[n/2])
	return h*31 + int(key[n/3])
}
