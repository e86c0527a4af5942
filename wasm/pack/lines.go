package main

import (
	"bytes"
	"encoding/binary"
)

// The layout of Go's table of functions (runtime.pcHeader and runtime._func), on a machine with pointers of 8 bytes.
const (
	headerNumbers = 8  // where the header's numbers begin, after magic, zeros, quantum and pointer size
	funcSP        = 16 // the offset of a function's table of stack heights, followed by those of files and lines
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28 // the number of its other tables
	funcFixed     = 44 // the size of the fixed members, after which the offsets of the other tables follow
)

var pclnMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// dropLines zeroes the tables that map instructions to files and lines, and the names of files. The runtime needs the
// other tables: stack heights and pointers for the collector, and inlined calls for recover.
func dropLines(memory []byte) {
	start := bytes.Index(memory, pclnMagic)
	if start < 0 || bytes.Contains(memory[start+1:], pclnMagic) {
		panic(unreadable("there is no table of functions, or there are two"))
	}
	table := memory[start:]
	number := func(i int) int { return int(binary.LittleEndian.Uint64(table[headerNumbers+8*i:])) }
	count, files, tables, functions := number(0), number(5), number(6), number(7)
	if number(2) != 0 || files > tables || tables > functions || functions+8*count > len(table) {
		panic(unreadable("the table of functions has another layout"))
	}
	used := make([]bool, functions-tables)
	keep := func(offset uint32) {
		if offset == 0 {
			return
		}
		for i := tables + int(offset); ; i++ {
			used[i-tables] = true
			// A table ends at a zero where a pair would begin; a pair is two numbers.
			if table[i] == 0 && i > tables+int(offset) {
				return
			}
			for range 2 {
				for ; table[i] >= 0x80; i++ {
					used[i-tables] = true
				}
				used[i-tables] = true
				i++
			}
			i--
		}
	}
	for i := range count {
		at := functions + int(binary.LittleEndian.Uint32(table[functions+8*i+4:]))
		function := table[at:]
		keep(binary.LittleEndian.Uint32(function[funcSP:]))
		for j := range int(binary.LittleEndian.Uint32(function[funcTables:])) {
			keep(binary.LittleEndian.Uint32(function[funcFixed+4*j:]))
		}
		// The runtime reads the offset 0 as no table.
		binary.LittleEndian.PutUint32(function[funcFile:], 0)
		binary.LittleEndian.PutUint32(function[funcLine:], 0)
	}
	for i, is := range used {
		if !is {
			table[tables+i] = 0
		}
	}
	clear(table[files:tables])
}
