// Command pack makes a Wasm module smaller that Go's linker made, in place: pack [-no-traces] FILE.
//
// It replaces long sequences of instructions, which Go's compiler writes everywhere, by shorter ones of the same
// meaning. It lets the module compute the tables that map places to functions. It joins the segments of data: the
// linker writes one for every run of bytes between eight zeros, some 80,000 in all, and their headers compress far
// worse than zeros. With -no-traces the module loses the names and lines of functions: a trace then has only numbers.
//
// The module needs its section of names, which is not in the result.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	noTraces := flag.Bool("no-traces", false, "remove the names and lines of functions")
	flag.Parse()
	if err := rewrite(flag.Arg(0), *noTraces); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func rewrite(file string, noTraces bool) error {
	module, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if module, err = pack(module, noTraces); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, module, 0o666)
}

// pack returns the module with the same functions in fewer instructions, and its data in as few segments as gap allows.
func pack(module []byte, noTraces bool) (out []byte, err error) {
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
	if noTraces {
		dropTraces(memory)
	}
	if m.content[codeSection] != nil {
		rewriteCode(m, compute(start, memory))
	}
	m.content[dataSection] = segments(start, memory)
	return m.append(module[:8:8]), nil
}
