// Command pack makes a Wasm module smaller that Go's linker made, in place: pack FILE.
//
// It replaces long sequences of instructions, which Go's compiler writes everywhere, by shorter ones of the same
// meaning. It lets the module compute the tables that map places to functions. It joins the segments of data: the
// linker writes one for every run of bytes between eight zeros, some 80,000 in all, and their headers compress far
// worse than zeros.
//
// The module needs its section of names, which is not in the result.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func rewrite(file string) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if module, err = pack(module); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, module, 0o666)
}

// pack returns the module with the same functions in fewer instructions, and its data in as few segments as gap allows.
func pack(module []byte) (out []byte, err error) {
	defer func() {
		if bad, ok := recover().(unreadable); ok {
			err = bad
		}
	}()
	m := readSections(module)
	if m.content[dataCountSection] != nil {
		return nil, unreadable("instructions refer to segments")
	}
	if m.content[startSection] != nil {
		return nil, unreadable("it starts with a function already")
	}
	start, memory := apply(m.content[dataSection])
	if m.content[codeSection] != nil {
		rewriteCode(m, compute(start, memory))
	}
	m.content[dataSection] = segments(start, memory)
	return m.append(module[:8:8]), nil
}
