package jsontext

import (
	"bytes"
	"cmp"
	"slices"
)

// A keyRef is one key of an open object. It has no pointer, because a hostile document may have very many keys.
// Its size of 12 bytes, whatever the key, bounds what a document of many short keys costs.
type keyRef struct {
	start, end uint32 // text between the quotes
	size       uint32 // length in bytes once decoded; less than end-start if the key has escapes
}

// few is how many keys of an object are compared with each other as they are read. With more keys, they are sorted at
// the object's end. That takes n log n steps for any keys, while a hash would need a secret seed.
const few = 16

// refs is the key stack: the array in the Scanner until it is full, then a slice. The keys of the innermost
// object are at its end, from frame.first to keyCount. leave drops them.
func (s *Scanner) refs() []keyRef {
	if s.manyKeys != nil {
		return s.manyKeys
	}
	return s.fewKeys[:]
}

// keyText returns the key without decoding it.
func (s *Scanner) keyText(k keyRef) Text {
	return Text{Raw: s.doc[k.start:k.end:k.end], Escaped: k.size != k.end-k.start}
}

// register pushes a key and compares it with its siblings, unless there are so many that distinct compares them
// later. start and end are the key's text, without its quotes, and size is its length once decoded. It returns
// false after a fault. The span of a repeated key includes the quotes.
func (s *Scanner) register(start, end, size int) bool {
	k := keyRef{uint32(start), uint32(end), uint32(size)}
	refs := s.refs()
	if s.keyCount == len(refs) {
		s.manyKeys = append(make([]keyRef, 0, 4*len(refs)), refs...)
		s.manyKeys = s.manyKeys[:cap(s.manyKeys)]
		refs = s.manyKeys
	}
	refs[s.keyCount] = k
	s.keyCount++
	if s.top.count > few || s.unseen(k) {
		return true
	}
	for _, other := range refs[s.top.first : s.keyCount-1] {
		if other.size == k.size && s.compareKeys(other, k) == 0 {
			s.fail(CodeDuplicateKey, start-1, end+1)
			return false
		}
	}
	return true
}

// unseen reports that no sibling can equal k, because none has its shape: length, first and last byte. For an
// empty key, these bytes are its quotes. A key with escapes has no known shape, so it marks all shapes. One bit
// of 64 stands for many shapes, so a set bit proves nothing, and the keys are then compared.
func (s *Scanner) unseen(k keyRef) bool {
	if k.size != k.end-k.start {
		s.top.seen = ^uint64(0)
		return false
	}
	shape := k.size + 7*uint32(s.doc[k.start]) + 3*uint32(s.doc[k.end-1])
	bit := uint64(1) << (shape & 63)
	if s.top.seen&bit != 0 {
		return false
	}
	s.top.seen |= bit
	return true
}

// distinct compares all keys of the object that is being closed by sorting them. It reports the earliest
// repetition. It returns false after a fault. Equal keys are sorted by their places, so each repetition stands
// behind its first key.
func (s *Scanner) distinct() bool {
	refs := s.refs()[s.top.first:s.keyCount]
	slices.SortFunc(refs, func(a, b keyRef) int {
		if c := s.compareKeys(a, b); c != 0 {
			return c
		}
		return cmp.Compare(a.start, b.start)
	})
	repeated := keyRef{}
	for i, k := range refs[1:] {
		if s.compareKeys(refs[i], k) == 0 && (repeated.end == 0 || k.start < repeated.start) {
			repeated = k
		}
	}
	if repeated.end == 0 {
		return true
	}
	refs[len(refs)-1] = repeated // appendPointer reads the current key here
	s.fail(CodeDuplicateKey, int(repeated.start)-1, int(repeated.end)+1)
	return false
}

// compareKeys orders keys by decoded length, then by decoded text. Two keys of different lengths cost one step.
// The keys "a" and "\u0061" are equal.
func (s *Scanner) compareKeys(a, b keyRef) int {
	s.compared++
	if c := cmp.Compare(a.size, b.size); c != 0 {
		return c
	}
	x, y := s.keyText(a), s.keyText(b)
	if !x.Escaped && !y.Escaped {
		return bytes.Compare(x.Raw, y.Raw)
	}
	return x.compare(y)
}
