package main

import (
	"bytes"
	"slices"
)

// gap is the shortest run of zeros that is worth a new segment.
const gap = 64

// segment is a run of bytes at an address.
type segment struct {
	at    int
	bytes []byte
}

// apply returns the memory that the segments of a data section make, from its first address on.
func apply(content []byte) (start int, memory []byte) {
	r := &reader{rest: content}
	list := make([]segment, r.number())
	for i := range list {
		// Kind 0 is an active segment of memory 0: i32.const ADDRESS, end, bytes.
		if head := r.take(2); head[0] != 0 || head[1] != 0x41 {
			panic(unreadable("a segment of another kind"))
		}
		list[i].at = r.number() // Go's addresses are below 2^31, so the sign is 0
		if r.take(1)[0] != 0x0b {
			panic(unreadable("a segment at no fixed address"))
		}
		list[i].bytes = r.take(r.number())
	}
	// The linker writes one section of the program after the other, and not in the order of their addresses.
	slices.SortFunc(list, func(a, b segment) int { return a.at - b.at })
	if len(list) == 0 {
		return 0, nil
	}
	start = list[0].at
	for _, s := range list {
		zeros := s.at - start - len(memory)
		if zeros < 0 {
			panic(unreadable("segments overlap"))
		}
		memory = append(append(memory, make([]byte, zeros)...), s.bytes...)
	}
	return start, memory
}

// segments returns a data section for memory, which begins at start.
func segments(start int, memory []byte) []byte {
	var list []byte
	count := 0
	for at := 0; at < len(memory); {
		end := at + bytes.Index(memory[at:], make([]byte, gap))
		if end < at {
			end = len(memory)
		}
		if end > at {
			list = appendSigned(append(list, 0, 0x41), int64(start+at))
			list = appendNumber(append(list, 0x0b), uint64(end-at))
			list = append(list, memory[at:end]...)
			count++
		}
		for at = end; at < len(memory) && memory[at] == 0; {
			at++
		}
	}
	return append(appendNumber(nil, uint64(count)), list...)
}
