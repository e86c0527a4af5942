// Command pack rewrites the data of a Wasm module that Go's linker made, in place: pack [-no-lines] FILE.
//
// The linker writes a segment for every run of bytes between eight zeros, some 80,000 in all. Their headers compress
// far worse than zeros. With fewer segments the module is larger on disk, and smaller on the way to a page. With
// -no-lines it loses the tables of source lines: a trace then names functions only.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
)

func main() {
	noLines := flag.Bool("no-lines", false, "remove the tables of source lines")
	flag.Parse()
	if err := rewrite(flag.Arg(0), *noLines); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func rewrite(file string, noLines bool) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if module, err = pack(module, noLines); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, module, 0o666)
}

// gap is the shortest run of zeros that is worth a new segment.
const gap = 64

const dataSection, dataCountSection = 11, 12

// pack returns the module with its data in as few segments as gap allows.
func pack(module []byte, noLines bool) (out []byte, err error) {
	defer func() {
		if bad, ok := recover().(unreadable); ok {
			err = bad
		}
	}()
	r := &reader{rest: module}
	out = append(out, r.take(8)...)
	for len(r.rest) > 0 {
		whole := r.rest
		id := r.take(1)[0]
		content := r.take(r.number())
		switch id {
		case dataCountSection:
			return nil, unreadable("instructions refer to segments")
		case dataSection:
			start, memory := apply(content)
			if noLines {
				dropLines(memory)
			}
			content = segments(start, memory)
			out = append(appendNumber(append(out, dataSection), uint64(len(content))), content...)
		default:
			out = append(out, whole[:len(whole)-len(r.rest)]...)
		}
	}
	return out, nil
}

// segment is a run of bytes at an address.
type segment struct {
	at    int
	bytes []byte
}

// apply returns the memory that the segments of a data section make, from its first address on.
func apply(section []byte) (start int, memory []byte) {
	r := &reader{rest: section}
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
			list = appendSigned(append(list, 0, 0x41), start+at)
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
