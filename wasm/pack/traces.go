package main

import (
	"bytes"
	"encoding/binary"
)

// unused has the numbers of a function's tables that only signals and traces read: where a goroutine may be
// interrupted, and which arguments are live. unusedData has those of its data: how to print arguments.
var unused, unusedData = [...]bool{0: true, 3: true}, [...]bool{5: true, 6: true}

// dropTraces zeroes the names of functions, and the tables that map instructions to files and lines. The runtime needs
// the other tables: stack heights and pointers for the collector, and inlined calls for recover. It knows its own
// goroutines by the prefix of their function's name, so its functions get a name that is only the prefix.
func dropTraces(memory []byte) {
	t := tableOf(memory)
	table := memory[t.start:]
	system := []byte("\x00runtime.\x00")
	prefix := system[1 : len(system)-1]
	number := func(at int) int { return int(binary.LittleEndian.Uint32(table[at:])) }
	used := make([]bool, t.functions-t.tables)
	for i := range t.count {
		at := t.functions + number(t.functions+8*i+4)
		function := table[at:]
		put := func(at int, n uint32) { binary.LittleEndian.PutUint32(function[at:], n) }
		t.mark(table, used, number(at+funcSP))
		others := number(at + funcTables)
		for j := range others {
			if j < len(unused) && unused[j] {
				put(funcFixed+4*j, 0) // the runtime reads the offset 0 as no table
			}
			t.mark(table, used, number(at+funcFixed+4*j))
		}
		for j := range min(int(function[funcData]), len(unusedData)) {
			if unusedData[j] {
				put(funcFixed+4*(others+j), 1<<32-1)
			}
		}
		name := uint32(0)
		if bytes.HasPrefix(table[t.names+number(at+funcName):], prefix) {
			name = 1
		}
		put(funcName, name)
		put(funcFile, 0)
		put(funcLine, 0)
		put(funcUnit, 0)
		put(funcStart, 0)
	}
	for i, is := range used {
		if !is {
			table[t.tables+i] = 0
		}
	}
	clear(table[t.names:t.tables])
	copy(table[t.names:], system)
}

// mark sets the bytes of a table in used. A table ends at a zero where a pair would begin; a pair is two numbers.
func (t funcTable) mark(table []byte, used []bool, offset int) {
	if offset == 0 {
		return
	}
	for i := t.tables + offset; ; i++ {
		used[i-t.tables] = true
		if table[i] == 0 && i > t.tables+offset {
			return
		}
		for range 2 {
			for ; table[i] >= 0x80; i++ {
				used[i-t.tables] = true
			}
			used[i-t.tables] = true
			i++
		}
		i--
	}
}
